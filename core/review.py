"""Records of the human review (M-20): who judges what in which round, what came back, and what follows from it. A
verdict that must not count is kept with a flag that says why; none is changed or thrown away."""

from enum import IntEnum, StrEnum

from pydantic import AwareDatetime, Field

from core.records import FlawedSample, IdentifiedRecord, Language, Record, Sample
from core.taxonomy import Subtype
from core.votes import Criterion

BOTH_CRITERIA = (Criterion.TYPE_COMPLIANCE, Criterion.UNANSWERABILITY)


class Round(IntEnum):
    """Everybody judges blind in the first; disputed items go to the third annotator in the second."""

    FIRST = 1
    ADJUDICATION = 2


class Judged(StrEnum):
    """What an annotator can say of one criterion; `unsure` decides nothing and goes to the third annotator."""

    PASS = "pass"
    FAIL = "fail"
    UNSURE = "unsure"


class ReviewPlan(Record):
    """How a build is reviewed. `control_share`: control items for each annotator / items assigned to them, 0..0.5.
    `language` is that of the screen; what stands in an item is in the item's own. `left`: annotators who get nothing
    more; their verdicts and numbers stay. `per_subtype`: no more of a subtype are dealt (M-40); None: all."""

    build: str
    annotators: tuple[str, ...] = Field(min_length=2)
    overlap: int = Field(default=2, ge=2)
    seed: int = Field(default=42, ge=0)
    control_share: float = Field(default=0.05, ge=0, le=0.5)
    language: Language = Language.ENGLISH
    left: tuple[str, ...] = ()
    per_subtype: int | None = Field(default=None, ge=1)

    @property
    def active(self) -> tuple[str, ...]:
        """Those to whom something can be dealt."""
        return tuple(name for name in self.annotators if name not in self.left)


class Control(Record):
    """An item whose verdicts are known before anybody sees it; None where a criterion has no known verdict. It belongs
    to no build: candidate and source stand here."""

    candidate: FlawedSample
    parent: Sample
    type_compliance: Judged | None
    unanswerability: Judged | None


class Assignment(Record):
    """One item for one annotator in one round. `criteria` are those in dispute in the second round, both in the first.
    `informed`: the two first verdicts are shown, without names."""

    item: str
    subtype: Subtype
    round: Round
    annotator: str
    control: bool = False
    criteria: tuple[Criterion, ...] = Field(default=BOTH_CRITERIA, min_length=1)
    informed: bool = False


class Flag(StrEnum):
    """Why a verdict does not count."""

    EMPTY = "empty"
    UNKNOWN_CHOICE = "unknown_choice"
    UNKNOWN_CONTROL = "unknown_control"
    INCOMPLETE = "incomplete"
    REASON_MISSING = "reason_missing"
    FOREIGN = "foreign"
    EDITED_BY_OTHER = "edited_by_other"
    DOUBLE = "double"
    REVISED = "revised"
    SKIPPED = "skipped"
    DRAFT = "draft"
    DELETED = "deleted"
    STALE = "stale"
    SCREEN_CHANGED = "screen_changed"


class Judgement(IdentifiedRecord):
    """One annotation of one person as it was read (M-20). It counts when it has no flag; at most one of an item, round
    and annotator does.

    `problems` are `picture_broken` and the like, `seconds` what the server says that it took, `content_sha` the hash of
    what was shown, `screen_sha` that of the labelling screen, `edited_by` the number of the account that changed it
    last, `created` and `updated` times with their zone in ISO 8601."""

    id_prefix = "ann"

    item: str
    round: Round
    annotator: str
    type_compliance: Judged | None = None
    type_compliance_reason: str = ""
    unanswerability: Judged | None = None
    unanswerability_reason: str = ""
    problems: tuple[str, ...] = ()
    seconds: float | None = None
    control: bool = False
    flags: tuple[Flag, ...] = ()
    detail: str = ""
    project: int
    task: int
    annotation: int
    content_sha: str
    screen_sha: str
    edited_by: int | None = None
    created: str
    updated: str

    @property
    def counts(self) -> bool:
        return not self.flags

    def verdict(self, criterion: Criterion) -> Judged | None:
        return self.type_compliance if criterion is Criterion.TYPE_COMPLIANCE else self.unanswerability


class ReviewProject(Record):
    """One project of Label Studio: that of one annotator in one round of the review of a build.

    `pulled`: everything changed before that has been read. `pulls` counts the pulls, for the full listing now and
    then."""

    build: str
    round: Round
    annotator: str
    url: str
    project: int
    user: int
    screen_sha: str
    pulled: AwareDatetime | None = None
    pulls: int = 0


class ReviewTask(Record):
    """Which task of a project shows which item, and the hash of what it shows."""

    item: str
    project: int
    task: int
    content_sha: str


class ReviewOutcome(Record):
    """What two or three verdicts come to. `accepted` is None while verdicts are missing, and False when a criterion
    failed or stays undecided after adjudication. `disputed`: criteria on which the first round does not agree."""

    item: str
    subtype: Subtype
    type_compliance: Judged | None
    unanswerability: Judged | None
    disputed: tuple[Criterion, ...] = ()
    accepted: bool | None

    @property
    def undecided(self) -> bool:
        """Not accepted, and nothing failed: the last who was asked was not sure."""
        failed = Judged.FAIL in (self.type_compliance, self.unanswerability)
        return self.accepted is False and not failed
