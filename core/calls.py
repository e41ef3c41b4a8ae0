"""What is asked of a model and what comes back, as injectors and filters see it: they propose and accept, and never
call. Which provider answers, what it costs and how often it is tried is no business of theirs: `Call` keeps it."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from core.records import Blob, IdentifiedRecord, Picture, Record, Stage
from core.taxonomy import AnySubtype


class Role(StrEnum):
    """What a model is asked to be. A family never validates what it touched (A9, A31). A question writer is shown texts
    alone (J-4)."""

    GENERATOR = "generator"
    REWRITER = "rewriter"
    QUESTION_WRITER = "question_writer"
    IMAGE_EDITOR = "image_editor"
    VALIDATOR = "validator"


@dataclass(frozen=True, slots=True)
class Turn:
    """What the model said, and what it is told next."""

    said: str
    told: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """One question to a model. `prompt` is `name@version` of a prompt file, `prompt_hash` that of its text. `parts` are
    texts and pictures in the order in which they are shown. `reply` is the record that the reply must be, None
    for free text. `wants_picture`: the reply is an edited picture. `turns` is the talk so far after the question."""

    role: Role
    prompt: str
    prompt_hash: str
    system: str
    parts: tuple[str | Picture, ...]
    reply: type[Record] | None = None
    wants_picture: bool = False
    turns: tuple[Turn, ...] = ()

    def followed_by(self, said: str, told: str) -> "Proposal":
        return replace(self, turns=(*self.turns, Turn(said, told)))


class AnswerStatus(StrEnum):
    """A reply that is not OK is a value, stored and counted; it never becomes data."""

    OK = "ok"
    TRUNCATED = "truncated"
    REFUSED = "refused"
    EMPTY = "empty"
    UNPARSABLE = "unparsable"
    FAILED = "failed"


UNANSWERED = frozenset({AnswerStatus.REFUSED, AnswerStatus.FAILED})
"""Kept so that they are not asked for again, unless a run is told to (`retry_failed`)."""


@dataclass(frozen=True, slots=True)
class Answer:
    """`value` is the record asked for, None unless the status is OK and one was asked for. `pictures` are those of the
    reply. `model` is `provider:name`, `call` the id of its row in the lineage. `detail` says what is wrong."""

    status: AnswerStatus
    text: str
    model: str
    family: str
    call: str
    value: Record | None = None
    pictures: tuple[Blob, ...] = ()
    detail: str = ""


class Call(IdentifiedRecord):
    """One reply that was used for one item, as `calls` in the lineage has it; `reply` is its key in the reply store.
    Money in US dollars, times in seconds. A reply that several items share is several calls and was paid once.
    `batch`: at the price of the batch mode. `model_reported` may differ from `model`: both are kept."""

    id_prefix = "cal"

    reply: str
    stage: Stage
    role: str
    item: str
    subtype: AnySubtype | None = None
    provider: str
    model: str
    model_reported: str | None = None
    family: str
    base_url: str | None = None
    prompt: str
    prompt_hash: str
    parameters: str
    draw: int = 0
    status: str
    finish_reason: str | None = None
    attempts: int
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int | None = None
    image_tokens: int | None = None
    cached_tokens: int | None = None
    usd: float | None = None
    price_date: str | None = None
    batch: bool = False
    latency_seconds: float | None = None
    provider_request_id: str | None = None
    asked: str


class ByteStore(Protocol):
    """Bytes under names, where a name is absent or complete: `storage.files.Files`. All raise StorageError."""

    @property
    def url(self) -> str: ...
    def write(self, name: str, data: bytes) -> None: ...
    def create(self, name: str, data: bytes) -> bool: ...
    def read(self, name: str) -> bytes | None: ...
    def size(self, name: str) -> int | None: ...
    def names(self, folder: str) -> set[str]: ...
    def remove(self, name: str) -> None: ...
