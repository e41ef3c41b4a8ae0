"""The records that cross the borders of the folders. All are frozen, forbid unknown fields and are named by the hash of
their content; a record that changes is a new record that names its parent."""

from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field

from core.identity import make_id
from core.taxonomy import AnySubtype, PrimaryType, Subtype, primary_type

MAX_PICTURES = 9


class Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """As Pydantic's, which takes cached values along: a changed copy would keep the id of its original."""
        copy = super().model_copy(update=update, deep=deep)
        for name in vars(copy).keys() - type(self).model_fields.keys():
            del vars(copy)[name]
        return copy


class IdentifiedRecord(Record):
    """A record with an id, which is the hash of its content."""

    id_prefix: ClassVar[str]

    @cached_property
    def id(self) -> str:
        return make_id(self.id_prefix, self)

    @classmethod
    def restore(cls, text: str, record_id: str) -> Self:
        """A stored record under the id that it was stored with, which is not computed again."""
        record = cls.model_validate_json(text)
        vars(record)["id"] = record_id
        return record


class Language(StrEnum):
    """The two languages of the benchmark (M-6)."""

    ENGLISH = "en"
    CHINESE = "zh"


class Subject(StrEnum):
    """Nine disciplines (M-5). The paper's own names are lost: these are ours (A13)."""

    MATHEMATICS = "mathematics"
    PHYSICS = "physics"
    CHEMISTRY = "chemistry"
    BIOLOGY_MEDICINE = "biology_medicine"
    ENGINEERING = "engineering"
    COMPUTER_SCIENCE = "computer_science"
    BUSINESS_ECONOMICS = "business_economics"
    HUMANITIES_SOCIAL_SCIENCE = "humanities_social_science"
    ART_DESIGN = "art_design"


class Picture(Record):
    """A reference to stored bytes: width and height in pixels after EXIF rotation, sha256 of the bytes as stored."""

    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    media_type: str
    width: int = Field(ge=1)
    height: int = Field(ge=1)


class Blob(NamedTuple):
    """Bytes on their way to the object store, with the reference that will stand for them."""

    picture: Picture
    data: bytes


class Sample(IdentifiedRecord):
    """One source question as the triplet of context T, pictures V and query Q (M-1).

    Texts name pictures by `<image N>`, where N counts `pictures` from 1. An option may be such a token alone.
    `correct_options` counts `options` from 0 and holds every right one (options may repeat); it is empty for a free
    answer. `answer` is always text: the option's text, or the free answer; None where the source withholds it.
    `rewritten_from` is the id of the sample as its source has it, and `families` are the model families that rewrote it
    (M-7); both are empty for a sample as it was read."""

    id_prefix = "smp"

    source: str
    source_id: str
    context: str | None
    query: str | None
    options: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = Field(default=(), max_length=MAX_PICTURES)
    answer: str | None = None
    correct_options: tuple[int, ...] = ()
    subject: Subject
    language: Language
    licence: str
    attribution: str
    question_in_picture: bool = False
    rewritten_from: str | None = None
    families: tuple[str, ...] = ()


class TextPart(StrEnum):
    CONTEXT = "context"
    QUERY = "query"
    OPTIONS = "options"


class TextEdit(Record):
    """`before` of the source became `after`, which begins at character `start` of that part of the flawed text.

    Putting `before` back in place of `after`, from the last edit of a part to its first, gives the source text. For
    `options` the offset counts in the option numbered `option` (from 0)."""

    kind: Literal["text_edit"] = "text_edit"
    part: TextPart
    start: int = Field(ge=0)
    before: str
    after: str
    option: int | None = None


class TextRemoval(Record):
    """A whole part of the text was taken away: it is None (or empty options) in the flawed sample."""

    kind: Literal["text_removal"] = "text_removal"
    part: TextPart


class PictureRemoval(Record):
    """All pictures were taken away (M-14)."""

    kind: Literal["picture_removal"] = "picture_removal"
    before: tuple[Picture, ...]


class DegradationMeasure(Record):
    """What was measured on the original and the decoded stored picture alone; every share is in 0..1.

    `share`: changed pixels of the salient region / its pixels; `mass_share`: the same by saliency mass; `image_share`:
    changed pixels / all pixels; `region_share`: region / all pixels; `leak`: changed pixels outside the region / pixels
    outside; `pushed_share`: chosen pixels that had to be pushed over the threshold; `mean_change`: mean absolute
    difference of the chosen pixels, in 0..255; `threshold`: difference that counts as changed, in 0..255."""

    operation: str
    saliency: str
    target: float
    share: float
    mass_share: float
    image_share: float
    region_share: float
    leak: float
    pushed_share: float
    mean_change: float
    threshold: int


class PictureDegradation(Record):
    """Picture `index` (from 0) was degraded inside its salient region; `mask` is a PNG, 255 where it was."""

    kind: Literal["picture_degradation"] = "picture_degradation"
    index: int = Field(ge=0)
    before: Picture
    after: Picture
    mask: Picture
    measure: DegradationMeasure


class PictureReplacement(Record):
    """Picture `index` (from 0) was replaced by a picture of another sample (M-15)."""

    kind: Literal["picture_replacement"] = "picture_replacement"
    index: int = Field(ge=0)
    before: Picture
    after: Picture
    donor: str


class PictureAddition(Record):
    """An edited copy of picture `of` (from 0) was added as picture `index`; `mask` is 255 where the copy differs."""

    kind: Literal["picture_addition"] = "picture_addition"
    index: int = Field(ge=0)
    of: int = Field(ge=0)
    after: Picture
    mask: Picture
    change: str


Edit = Annotated[
    TextEdit | TextRemoval | PictureRemoval | PictureDegradation | PictureReplacement | PictureAddition,
    Field(discriminator="kind"),
]


class Flaw(Record):
    """The ground truth of what is wrong (M-17), written at injection: what was changed from what to what and where
    (`edits`), and why the question can no longer be answered as given (`explanation`, in English).

    `generator` is `rules` or the models that made it, joined by `+`; `families` are the model families that touched it
    (A31)."""

    subtype: Subtype
    generator: str
    injector_version: int
    edits: tuple[Edit, ...] = Field(min_length=1)
    explanation: str = Field(min_length=1)
    families: tuple[str, ...] = ()


class FlawedSample(IdentifiedRecord):
    """What the tested model will see, and the flaw in it. `parent` is the id of the source sample: subject, language,
    licence and the right answer are read there."""

    id_prefix = "cnd"

    parent: str
    context: str | None
    query: str | None
    options: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = Field(default=(), max_length=MAX_PICTURES + 1)
    flaws: tuple[Flaw, ...] = Field(min_length=1, max_length=2)

    @property
    def subtype(self) -> Subtype:
        return self.flaws[0].subtype

    @property
    def primary_type(self) -> PrimaryType:
        return primary_type(self.subtype)


class Stage(StrEnum):
    """In the order of the funnel."""

    READ = "read"
    SAMPLE = "sample"
    REWRITE = "rewrite"
    INJECT = "inject"
    FILTER = "filter"
    PANEL = "panel"
    SELECT = "select"
    TWIN = "twin"
    ANSWER = "answer"


class Decision(IdentifiedRecord):
    """Keep or drop of one item at one stage. Drops are stored like keeps, so that another rule can be replayed.

    `item` is what was decided on (`SOURCE:ROW` at READ, a sample at SAMPLE and INJECT, a candidate or the item of
    premise questions after that, a premise question at ANSWER) and `output` what a keep produced. `reason` is a value
    of the enum of the deciding stage, None for a keep."""

    id_prefix = "dec"

    stage: Stage
    item: str
    output: str | None = None
    subtype: AnySubtype | None = None
    keep: bool
    reason: str | None = None
    evidence: str = ""
    decided_by: str
