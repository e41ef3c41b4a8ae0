"""What is measured of rows that are looked at blindly, and the limit that it must keep. Whoever shows or compares these
figures needs none of the libraries that compute them, which take a second to load."""

from typing import NamedTuple

from core.records import Record

LIMIT = 0.60
"""Of the upper bound of the accuracy: two equally frequent labels give 0.5 to whoever guesses."""
ENOUGH_PAIRS, ENOUGH_ROWS = 30, 200
"""From about how many matched pairs, or other questions, on the upper bound lies within LIMIT where nothing is told."""


class BlindRow(NamedTuple):
    """`label`: whether the question is sound. Rows with one `group` share a picture or a source question. `subtype`: of
    the flaw; a sound row without one counts for every subtype of its group. `picture`: numbers of its pictures, see
    `filters.picture_statistics`, None where there are none. `pair`: the same for both questions of a matched pair, of
    which neither is left without the other."""

    id: str
    text: str
    label: bool
    group: str
    subtype: str | None = None
    picture: tuple[float, ...] | None = None
    pair: str | None = None


class BlindScore(Record):
    """Of one classifier on rows that it was not fitted on. `accuracy`: the mean of the shares of both labels that it
    gets right, so that 0.5 is a guess however frequent they are; `plain_accuracy`: the share of all rows that it gets
    right; `majority`: what the more frequent label alone would get. Intervals: 95 %, by groups."""

    classifier: str
    rows: int
    accuracy: float
    interval: tuple[float, float]
    auc: float | None
    auc_interval: tuple[float, float] | None
    plain_accuracy: float
    majority: float


class SubtypeScore(Record):
    """The better of two: the best classifier of all rows on these, and words learnt from these rows alone."""

    subtype: str
    score: BlindScore


class TellingFeature(Record):
    """A word, a pair of words or the first words (`first: what`) with the numbers of rows of both labels that have it,
    and how far that is from chance in standard deviations, below 0 where it speaks for a flaw."""

    feature: str
    sound: int
    flawed: int
    z: float


class BlindReport(Record):
    """`pairs`: matched ones. `best`: the text classifier with the highest accuracy, which the gate looks at.
    `classifiers`: all of them.
    `picture`: the control that sees numbers of the pictures and no text; damage is visible by design, so it is reported
    and never fails."""

    rows: int
    groups: int
    pairs: int = 0
    majority: float
    best: BlindScore
    classifiers: tuple[BlindScore, ...]
    subtypes: tuple[SubtypeScore, ...]
    features: tuple[TellingFeature, ...]
    picture: BlindScore | None


class PictureControl(Record):
    """What numbers of the pictures tell without any text: over all rows, and learnt from the rows of each subtype."""

    score: BlindScore
    subtypes: tuple[SubtypeScore, ...]


def fails(report: BlindReport, limit: float = LIMIT) -> bool:
    """Whether the upper bound of the best accuracy is above the limit: below it, too few rows fail as well."""
    return report.best.interval[1] > limit
