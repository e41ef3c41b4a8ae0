"""The plan of a review: which annotators judge which candidates of a build, with control items among them. Planned
again, a build that has grown gets its new candidates dealt and everybody keeps what they have."""

import re
from collections import Counter
from typing import NamedTuple

from annotation.assignment import assign
from core.errors import ConfigurationError
from core.review import Assignment, ReviewPlan, Round
from core.settings import load_settings
from storage.objects import ObjectStore
from tasks.review_controls import make_controls
from tasks.review_store import open_reviews
from tasks.stores import open_lineage

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,62}(@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+)?")


class PlanSummary(NamedTuple):
    """Of the first round: `candidates` and `controls` are items, `loads` assignments by annotator, `new` assignments
    that were not there before."""

    plan: ReviewPlan
    candidates: int
    controls: int
    loads: dict[str, int]
    new: int


def plan_review(plan: ReviewPlan) -> PlanSummary:
    """Stores who judges what. Raises ConfigurationError for a build without candidates, and when the plan leaves out an
    annotator who has items or changes how many judge each; StorageError."""
    settings = load_settings()
    reviews = open_reviews(settings)
    candidates = open_lineage(settings).candidates(plan.build)
    if not candidates:
        raise ConfigurationError(
            f"There is no build {plan.build!r} with candidates.", "Run `flawbench builds` to see the names."
        )
    known = reviews.assignments(plan.build)
    _require_growth(plan, reviews.plan(plan.build), known)
    controls = reviews.controls(plan.build)
    if plan.control_share:
        made = make_controls(plan.seed, ObjectStore(settings.objects_url))
        controls |= {control.candidate.id: control for control in made}
    dealt = assign(
        [(candidate.id, candidate.subtype) for candidate in candidates],
        [(item, control.candidate.subtype) for item, control in controls.items()],
        plan,
        known,
    )
    used = {found.item for found in dealt if found.control}
    reviews.store_plan(plan, {item: control for item, control in controls.items() if item in used}, dealt)
    return _summarise(plan, [found for found in [*known, *dealt] if found.round is Round.FIRST], len(dealt))


def parse_annotators(text: str) -> tuple[str, ...]:
    """Names out of a list with commas. Raises ConfigurationError for fewer than two and for names that cannot be."""
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    odd = [name for name in names if not _NAME.fullmatch(name)]
    if len(names) < 2 or odd:
        raise ConfigurationError(
            f"{ascii(odd[0])[:80]} is no name." if odd else f"{len(names)} annotators are named.",
            "Give --annotators two or more names of letters, digits, dots and dashes or e-mail addresses, with commas.",
        )
    return names


def _require_growth(plan: ReviewPlan, before: ReviewPlan | None, known: list[Assignment]) -> None:
    if before is None:
        return
    gone = sorted({found.annotator for found in known} - set(plan.annotators))
    if gone:
        raise ConfigurationError(
            f"{', '.join(gone)} already have items of build {plan.build}.",
            f"Name them too: --annotators {','.join([*plan.annotators, *gone])}",
        )
    if before.overlap != plan.overlap:
        raise ConfigurationError(
            f"The review of build {plan.build} was planned with {before.overlap} verdicts an item, not {plan.overlap}.",
            f"Give --overlap {before.overlap}, or export the build under another name and review that.",
        )


def _summarise(plan: ReviewPlan, first: list[Assignment], new: int) -> PlanSummary:
    return PlanSummary(
        plan,
        candidates=len({found.item for found in first if not found.control}),
        controls=len({found.item for found in first if found.control}),
        loads=dict(Counter(found.annotator for found in first)),
        new=new,
    )
