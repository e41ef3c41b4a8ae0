"""What a release says about itself beside its rows."""

from typing import NamedTuple

from core.recipe import Recipe
from core.records import Record
from export.blindness import Blindness

NO_PANEL = "none"


class FunnelLine(NamedTuple):
    """One stage of the funnel: how many items it decided on, how many it kept, how many it dropped for which reason."""

    stage: str
    entered: int
    kept: int
    dropped: tuple[tuple[str, int], ...] = ()


class ReviewFacts(Record):
    """How people judged the items of the build (M-20): counts of items, and for each criterion Cohen's kappa as the
    mean of the pairs, Krippendorff's alpha and the raw agreement of the first round; None where a figure is undefined.
    They rest on the `paired` items that two or more judged.
    `rejected` items failed, on `undecided` ones the last person asked was not sure. `accepted_only`: the release leaves
    out what they did not accept."""

    annotators: int
    overlap: int
    items: int
    accepted: int
    rejected: int
    undecided: int
    open: int
    accepted_only: bool
    paired: dict[str, int]
    agreement: dict[str, float | None]
    kappa: dict[str, float | None]
    alpha: dict[str, float | None]


class ReleaseFacts(NamedTuple):
    """`panel` names the model panel that checked the rows, `none` where no model did; `prompts` those that models were
    asked with, as `name@version`; `further` are the recipes of other runs that rows come from: those that added to the
    build, and those of the build whose rows got a second flaw; `review` is None where no person judged a row;
    `blindness` is what the text alone tells, None where nobody measured it."""

    build: str
    recipe: Recipe
    code_commit: str
    panel: str = NO_PANEL
    funnel: tuple[FunnelLine, ...] = ()
    prompts: tuple[str, ...] = ()
    further: tuple[Recipe, ...] = ()
    review: ReviewFacts | None = None
    blindness: Blindness | None = None
