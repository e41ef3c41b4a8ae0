"""What every reader is: a source recipe in, a stream of samples and quarantined rows out. A row that cannot be used is
a value with a reason, so one bad row never ends a source; only a source that cannot be opened at all raises."""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple, Protocol

from core.recipe import SourceRecipe
from core.records import Blob, Sample


class QuarantineReason(StrEnum):
    NO_TEXT = "no_text"
    PICTURE_MISSING = "picture_missing"
    NOT_A_PICTURE = "not_a_picture"
    UNDECODABLE_PICTURE = "undecodable_picture"
    PICTURE_TOO_LARGE = "picture_too_large"
    PICTURE_TOO_SMALL = "picture_too_small"
    TOO_MANY_PICTURES = "too_many_pictures"
    TOKEN_WITHOUT_COLUMN = "token_without_column"
    OPTIONS_UNREADABLE = "options_unreadable"
    ANSWER_NOT_AMONG_OPTIONS = "answer_not_among_options"
    NO_ANSWER = "no_answer"
    LANGUAGE_NOT_SUPPORTED = "language_not_supported"
    SUBJECT_UNKNOWN = "subject_unknown"
    NEEDS_ANOTHER_PART = "needs_another_part"
    KNOWN_BAD_ROW = "known_bad_row"
    DUPLICATE_ID = "duplicate_id"
    TEXT_TOO_LONG = "text_too_long"
    MALFORMED_ROW = "malformed_row"


class Quarantined(NamedTuple):
    """`source_id` is the row's own id where it has one, else its config and position."""

    source: str
    source_id: str
    reason: QuarantineReason
    detail: str


class PictureFact(NamedTuple):
    """What is known of one stored picture: its perceptual hash (64 bits) serves donors and near-duplicates."""

    sha256: str
    perceptual_hash: int


class SourceItem(NamedTuple):
    """A sample with the bytes of its pictures, in the sample's order."""

    sample: Sample
    blobs: tuple[Blob, ...]
    facts: tuple[PictureFact, ...]


class Reader(Protocol):
    """`version` goes up whenever the same rows could give other samples; `location`, `revision`, `licence` are defaults
    that a recipe can override (the revision is a pinned commit of the Hub)."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> int: ...

    @property
    def location(self) -> str: ...

    @property
    def revision(self) -> str | None: ...

    def read(self, recipe: SourceRecipe) -> Iterator[SourceItem | Quarantined]:
        """Streams. Raises SourceError when the location cannot be opened or has not the columns that it must have."""
        ...
