"""What every provider is, and what stands between it and the rest: a request that says all that can change the reply, a
reply as it was received, and failures by what can be done about them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Literal, Protocol

from pydantic import Field

from core.calls import AnswerStatus
from core.errors import ModelCallError
from core.model_specs import Parameters
from core.records import Blob, Picture, Record

ReadPicture = Callable[[Picture], bytes]


class TextPart(Record):
    kind: Literal["text"] = "text"
    text: str


class PicturePart(Record):
    kind: Literal["picture"] = "picture"
    picture: Picture


class Message(Record):
    """`role` as in chat completions; the system text stands apart in the request."""

    role: Literal["user", "assistant"]
    parts: tuple[TextPart | PicturePart, ...]


class ModelRequest(Record):
    """All that can change the reply, and nothing else: its hash is the key under which the reply is stored.

    `reply_schema` is the canonical JSON of the JSON schema of the reply, None for free text. `draw` tells repeated asks
    of the same question apart. `scale_pictures_to` as in `ModelSpec`."""

    provider: str
    model: str
    base_url: str | None
    system: str
    messages: tuple[Message, ...]
    reply_name: str | None = None
    reply_schema: str | None = None
    structured: Literal["json_schema", "json_object", "prompt"] = "json_schema"
    wants_picture: bool = False
    parameters: Parameters
    scale_pictures_to: int | None = None
    draw: int = 0


Tokens = Annotated[int, Field(ge=0, le=2**53)]


class Usage(Record):
    """Tokens as the provider counted them; None where it does not say, or says what cannot be true: then the usage is
    `doubtful`. `completion` includes `reasoning`."""

    prompt: Tokens | None = None
    completion: Tokens | None = None
    reasoning: Tokens | None = None
    image: Tokens | None = None
    cached: Tokens | None = None
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class Received:
    """What came over the wire: the body as received, in which a made picture is replaced by `sha256:…` and handed on
    as a blob, so that no picture is stored twice."""

    body: str
    request_id: str | None = None
    blobs: tuple[Blob, ...] = ()


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a body says. `status` is OK, TRUNCATED, REFUSED or EMPTY; whether the text fits a schema is checked
    later. `pictures` are the SHA-256 of the made pictures."""

    status: AnswerStatus
    text: str
    finish_reason: str | None
    usage: Usage
    model_reported: str | None
    pictures: tuple[str, ...] = ()
    detail: str = ""


class FailureKind(StrEnum):
    """KEY: 401 or 403, stops the run. PERMANENT: this request will never be answered. UNFIT: nor
    would this one, so it was not sent. MOVED: what answers is not this
    API, or has no such model. RATE: too many, wait and slow down. TEMPORARY: try again. BROKE: the account has no
    credit, stops the run."""

    KEY = "key"
    BROKE = "broke"
    PERMANENT = "permanent"
    UNFIT = "unfit"
    MOVED = "moved"
    RATE = "rate"
    TEMPORARY = "temporary"


@dataclass
class CallError(Exception):
    """No reply. `message` holds neither keys nor pictures. `retry_after`: seconds that the provider asks for.
    `maybe_billed`: the request went out and what came of it is not known, so the provider may have answered it."""

    kind: FailureKind
    message: str
    http_status: int | None = None
    retry_after: float | None = None
    maybe_billed: bool = False

    def __str__(self) -> str:
        return self.message


class MaybeSentError(ModelCallError):
    """Ends the run, and nobody can say whether the request came to the provider."""


class Provider(Protocol):
    """One model on one server. `ask` raises CallError; it never tries twice and never waits for a limit. The body that
    it gives is one that `models.providers.registry.parse_stored` can read."""

    async def ask(self, request: ModelRequest, read_picture: ReadPicture, timeout_seconds: float) -> Received: ...
    async def close(self) -> None: ...


class StoredReply(Record):
    """What the reply store holds under a request's key. Exactly one of `body` and `failure` is given: a permanent
    failure is stored too, so that it is not asked for again. `latency_seconds` is that of the last attempt. `paid_as`:
    the id of that attempt in the ledger of the build."""

    key: str
    request: ModelRequest
    body: str | None = None
    pictures: tuple[Picture, ...] = ()
    failure: str | None = None
    http_status: int | None = None
    provider_request_id: str | None = None
    usage: Usage = Usage()
    finish_reason: str | None = None
    model_reported: str | None = None
    status: AnswerStatus
    usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    price_date: str | None = None
    batch: bool = False
    attempts: int = 1
    latency_seconds: float = 0.0
    asked: str
    build: str = ""
    paid_as: str | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A reply and how it was come by. `paid`: this process asked for it just now; else it was in the store."""

    reply: StoredReply
    parsed: Parsed
    paid: bool
    blobs: tuple[Blob, ...] = field(default=())
