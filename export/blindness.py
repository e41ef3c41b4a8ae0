"""What the text of a release alone tells about its labels, as card and manifest say it."""

from pydantic import Field

from core.records import Record
from filters.blind_reports import LIMIT, BlindReport, PictureControl, fails

FEW_ROWS = 30
"""Below these an interval is wider than what it should tell."""


class Blindness(Record):
    """What was measured on the rows of a release. `report` is None where nothing can be compared; `untold` says of
    which subtypes nothing can be told, and why. `dropped`: rows left out to bring the rest under the limit.
    `pictures`: the control that sees numbers of degraded and edited pictures and no text. Damage is there to be seen,
    so nothing is refused for it; None where no picture was changed."""

    limit: float = LIMIT
    report: BlindReport | None
    untold: dict[str, str] = Field(default_factory=dict)
    dropped: int = 0
    pictures: PictureControl | None = None

    @property
    def is_small(self) -> bool:
        """Whether the rows are too few for a verdict."""
        return self.report is not None and self.report.rows < FEW_ROWS

    @property
    def passes(self) -> bool:
        return self.report is None or not fails(self.report, self.limit)
