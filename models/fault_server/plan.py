"""What goes wrong, and for which rows. A row always belongs to the same class, whatever the order of the requests: the
class is drawn from the hash of its content, so two runs of the same rows meet the same faults."""

from enum import StrEnum
from itertools import accumulate
from typing import Annotated, Self

from pydantic import Field, model_validator

from core.records import Record

Share = Annotated[float, Field(ge=0, le=1)]


class Fault(StrEnum):
    """`…_once`: the first request of a row, its next one is answered. The rest from TRUNCATED to DUPLICATED_KEYS: as
    long as the talk has no further turn. PERMANENT_400: always."""

    RATE_LIMITED_ONCE = "rate_limited_once"
    SERVER_ERROR_ONCE = "500_once"
    UNAVAILABLE_ONCE = "503_once"
    RESET_ONCE = "reset_once"
    UNREADABLE_ONCE = "unreadable_once"
    SLOW_BODY = "slow_body"
    TRUNCATED = "truncated"
    EMPTY = "empty"
    REFUSAL = "refusal"
    MALFORMED_JSON = "malformed_json"
    WRONG_SCHEMA = "wrong_schema"
    DUPLICATED_KEYS = "duplicated_keys"
    PERMANENT_400 = "permanent_400"


class Spoil(StrEnum):
    """What becomes of the result of a row in a batch. CUT: half of it. FOREIGN: it names another row."""

    MISSING = "missing"
    CUT = "cut"
    NO_JSON = "no_json"
    FOREIGN = "foreign"


ONCE = frozenset(fault for fault in Fault if fault.endswith("_once"))
IN_TEXT = frozenset(
    {
        Fault.TRUNCATED,
        Fault.EMPTY,
        Fault.REFUSAL,
        Fault.MALFORMED_JSON,
        Fault.WRONG_SCHEMA,
        Fault.DUPLICATED_KEYS,
    }
)


class FaultPlan(Record):
    """Shares are of rows, in 0..1, and add up to at most 1: a row has one fault or none.

    `latency_seconds` from a request to its reply; 429, 400 and 401 come at once. `slow_body_seconds`: time that a slow
    body takes after its headers. `truncated_below`: replies are cut only when fewer tokens are allowed, None cuts all.
    `requests_per_second`: more are answered 429, after a burst of one second's worth. `retry_after`: header of every
    429, None sends none. `require_key`: other keys get 401. `page_status`: all that is asked gets this status and a
    page of HTML, as from a proxy. `wrong_model_name` is reported in place of the one asked,
    `unknown_models` get 404.
    `every_count` in place of every number of tokens.
    `echoes_key`: the key that came with a request is repeated in its reply.
    `batch_seconds`: time until a batch is done. `batch_expires`: it then ends without having come to any row.
    `batch_hidden_looks`: so many looks at a batch, from the first, find nothing, although it is worked on.
    `batch_spoils` becomes of every second result. `batch_bytes`: larger batches get 413."""

    latency_seconds: float = Field(default=0.0, ge=0)
    share_rate_limited_once: Share = 0.0
    share_500_once: Share = 0.0
    share_503_once: Share = 0.0
    share_reset_once: Share = 0.0
    share_unreadable_once: Share = 0.0
    share_slow_body: Share = 0.0
    share_truncated: Share = 0.0
    share_empty: Share = 0.0
    share_refusal: Share = 0.0
    share_malformed_json: Share = 0.0
    share_wrong_schema: Share = 0.0
    share_duplicated_keys: Share = 0.0
    share_permanent_400: Share = 0.0
    slow_body_seconds: float = Field(default=1.0, ge=0)
    truncated_below: int | None = Field(default=None, ge=1)
    requests_per_second: float | None = Field(default=None, gt=0)
    retry_after: float | None = Field(default=None, ge=0)
    require_key: str | None = None
    page_status: int | None = Field(default=None, ge=400, le=599)
    wrong_model_name: str | None = None
    unknown_models: tuple[str, ...] = ()
    every_count: int | float | str | None = None
    echoes_key: bool = False
    batch_seconds: float = Field(default=0.2, ge=0)
    batch_expires: bool = False
    batch_hidden_looks: int = Field(default=0, ge=0)
    batch_spoils: Spoil | None = None
    batch_bytes: int = Field(default=200_000_000, ge=1)

    @model_validator(mode="after")
    def _shares_fit(self) -> Self:
        if sum(shares(self).values()) > 1 + 1e-9:
            raise ValueError("the shares add up to more than 1")
        return self


def shares(plan: FaultPlan) -> dict[Fault, float]:
    return {fault: getattr(plan, f"share_{fault}") for fault in Fault}


class FaultChooser:
    """Reads the shares of a plan once, since a fault is chosen for every request."""

    def __init__(self, plan: FaultPlan) -> None:
        of = {fault: share for fault, share in shares(plan).items() if share}
        self._bounds = tuple(zip(accumulate(of.values()), of, strict=True))

    def fault_of(self, key: str) -> Fault | None:
        """The class of a row by its key, which is a hash in hexadecimal digits."""
        place = int(key[:8], 16) / 2**32
        return next((fault for bound, fault in self._bounds if place < bound), None)
