"""The plan of a review: which annotators judge which candidates of a build, with control items among them. Planned
again, a build that has grown gets its new candidates dealt and everybody keeps what they have. A plan of which nothing
was pushed and nothing judged is replaced by another as a whole."""

import re
from collections import Counter
from typing import NamedTuple

from annotation.assignment import assign, count_controls
from annotation.handover import Handover, hand_over
from annotation.label_studio.accounts import login_of
from core.errors import ConfigurationError
from core.review import Assignment, Control, ReviewPlan, Round
from core.settings import Settings, load_settings
from storage.objects import ObjectStore
from storage.reviews import Reviews
from tasks.review_controls import make_controls
from tasks.review_store import open_reviews, planned, read_current
from tasks.stores import open_lineage
from tasks.turns import review_turn

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,62}(@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+)?")
_NOTHING = Handover((), ())


class PlanSummary(NamedTuple):
    """Of the first round: `candidates` and `controls` are items, `loads` assignments by annotator, `new` assignments
    that were not there before. `short` are control items that each annotator has less than wanted, because there are no
    more. `replaced`: another plan was there and nothing is left of it. `newcomers` joined a review that goes on;
    `taken` items were handed over."""

    plan: ReviewPlan
    candidates: int
    controls: int
    loads: dict[str, int]
    new: int
    short: dict[str, int]
    replaced: bool = False
    newcomers: tuple[str, ...] = ()
    taken: int = 0


def plan_review(plan: ReviewPlan) -> PlanSummary:
    """Stores who judges what. Raises ConfigurationError for a build without candidates, for two names of one account,
    and where a review that goes on would lose an annotator or be dealt in another way; StorageError."""
    settings = load_settings()
    _require_accounts(plan)
    with review_turn(settings.data, plan.build):
        reviews = open_reviews(settings)
        before = reviews.plan(plan.build)
        if before is None or _same_deal(before, plan):
            return _deal(_continue(before, plan), reviews, settings)
        if not reviews.projects(plan.build) and not reviews.judgements(plan.build):
            old = reviews.assignments(plan.build)
            return _deal(plan, reviews, settings, Handover(tuple(old), ()))._replace(replaced=True)
        _require_growth(plan, before, reviews)
        summary = _deal(_continue(before, plan), reviews, settings)
        return summary._replace(newcomers=tuple(sorted(set(plan.annotators) - set(before.annotators))))


def replace_annotator(build: str, leaver: str, heir: str) -> PlanSummary:
    """What `leaver` has not judged goes to `heir`. Raises ConfigurationError for a review that is not planned, and for
    names that cannot be."""
    settings = load_settings()
    with review_turn(settings.data, build):
        reviews = open_reviews(settings)
        before = planned(reviews, build)
        if leaver not in before.active or heir == leaver:
            raise ConfigurationError(
                f"{leaver} cannot be replaced by {heir}: at work are {', '.join(before.active)}.",
                "Give --replace OLD=NEW with one of them before the = and another name after it.",
            )
        names = before.annotators if heir in before.annotators else (*before.annotators, heir)
        left = (*(name for name in before.left if name != heir), leaver)
        plan = before.model_copy(update={"annotators": names, "left": left})
        _require_accounts(plan)
        if len(plan.active) < plan.overlap:
            raise ConfigurationError(
                f"Without {leaver}, {len(plan.active)} annotators are left for {plan.overlap} verdicts an item.",
                f"Give --replace {leaver}=NAME with the name of somebody who is not at work yet.",
            )
        current = read_current(reviews, build)
        handover = hand_over(leaver, heir, plan.active, current.assignments, current.judgements)
        return _deal(plan, reviews, settings, handover)


def _deal(plan: ReviewPlan, reviews: Reviews, settings: Settings, handover: Handover = _NOTHING) -> PlanSummary:
    candidates = open_lineage(settings).candidates(plan.build)
    if not candidates:
        raise ConfigurationError(
            f"There is no build {plan.build!r} with candidates.", "Run `flawbench builds` to see the names."
        )
    gone = set(handover.gone)
    known = [found for found in read_current(reviews, plan.build).assignments if found not in gone]
    controls = _offer_controls(plan, reviews, known, settings)
    dealt = assign(
        [(candidate.id, candidate.subtype) for candidate in candidates],
        [(item, control.candidate.subtype) for item, control in controls.items()],
        plan,
        known,
        handover.taken,
    )
    used = {found.item for found in dealt if found.control}
    stored = {item: control for item, control in controls.items() if item in used}
    reviews.store_plan(plan, stored, dealt, handover.gone)
    first = [found for found in [*known, *dealt] if found.round is Round.FIRST]
    return _summarise(plan, first, len(dealt))._replace(taken=len(handover.taken))


def _offer_controls(
    plan: ReviewPlan, reviews: Reviews, known: list[Assignment], settings: Settings
) -> dict[str, Control]:
    """Those in use first; no question of theirs again, since another version of the code may make another control of
    it."""
    used = {found.item for found in known if found.control}
    controls = {item: control for item, control in reviews.controls(plan.build).items() if item in used}
    if not plan.control_share:
        return controls
    shown = {control.parent.id for control in controls.values()}
    made = make_controls(plan.seed, ObjectStore(settings.objects_url))
    return controls | {found.candidate.id: found for found in made if found.parent.id not in shown}


def parse_annotators(text: str) -> tuple[str, ...]:
    """Names out of a list with commas. Raises ConfigurationError for fewer than two and for names that cannot be."""
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    odd = [name for name in names if not _NAME.fullmatch(name)]
    if len(names) < 2 or odd:
        told = "1 annotator is named." if names else "No annotator is named."
        raise ConfigurationError(
            f"{ascii(odd[0])[:80]} is no name." if odd else told,
            "Give --annotators two or more names of letters, digits, dots and dashes or e-mail addresses, with commas: "
            "each item is judged by two, and how far they agree (kappa) is measured between them.",
        )
    return names


def parse_replacement(text: str) -> tuple[str, str]:
    """OLD=NEW. Raises ConfigurationError."""
    leaver, _, heir = (part.strip() for part in text.partition("="))
    if not leaver or not _NAME.fullmatch(heir):
        raise ConfigurationError(f"--replace {ascii(text)[:80]} names nobody.", "Give --replace OLD=NEW.")
    return leaver, heir


def _require_accounts(plan: ReviewPlan) -> None:
    names: dict[str, str] = {}
    for name in plan.annotators:
        other = names.setdefault(login_of(name), name)
        if other != name:
            raise ConfigurationError(
                f"{other} and {name} would have the same account {login_of(name)}.",
                "Name people by names that differ by more than capital letters.",
            )


def _same_deal(before: ReviewPlan, plan: ReviewPlan) -> bool:
    """The language of the screen may change, and those who left need not be named."""
    return before == plan.model_copy(
        update={"annotators": before.annotators, "language": before.language, "left": before.left}
    ) and set(before.active) == set(plan.annotators) - set(before.left)


def _continue(before: ReviewPlan | None, plan: ReviewPlan) -> ReviewPlan:
    """In the order of `before`, since a release numbers people by it; who left stays away."""
    if before is None:
        return plan
    names = dict.fromkeys((*before.annotators, *plan.annotators))
    return plan.model_copy(update={"annotators": tuple(names), "left": before.left})


def _require_growth(plan: ReviewPlan, before: ReviewPlan, reviews: Reviews) -> None:
    gone = [name for name in before.active if name not in plan.annotators]
    if gone:
        raise ConfigurationError(
            f"{', '.join(gone)} already have items of build {plan.build}.",
            f"Name them too: --annotators {','.join([*plan.annotators, *gone])}, or hand over what they have not judged"
            f" by `flawbench review plan {plan.build} --replace {gone[0]}=NAME`.",
        )
    if before.per_subtype != plan.per_subtype:
        told = "without --per-subtype" if before.per_subtype is None else f"with --per-subtype {before.per_subtype}"
        raise ConfigurationError(
            f"The review of build {plan.build} was dealt {told} and is in Label Studio or judged.",
            f"Plan it {told}, or review the build under another name.",
        )
    options = (
        ("--overlap", before.overlap, plan.overlap),
        ("--seed", before.seed, plan.seed),
        ("--controls", before.control_share, plan.control_share),
    )
    for option, had, wanted in options:
        if had != wanted:
            raise ConfigurationError(
                f"The review of build {plan.build} was dealt with {option} {had} and is in Label Studio or judged: with"
                f" {wanted}, what was judged and what comes would not be of one plan.",
                f"Give {option} {had}.",
            )


def _summarise(plan: ReviewPlan, first: list[Assignment], new: int) -> PlanSummary:
    loads = Counter(found.annotator for found in first)
    controls = Counter(found.annotator for found in first if found.control)
    lacking = {name: count_controls(plan, loads[name] - controls[name]) - controls[name] for name in plan.active}
    return PlanSummary(
        plan,
        candidates=len({found.item for found in first if not found.control}),
        controls=len({found.item for found in first if found.control}),
        loads=dict(loads),
        new=new,
        short={name: count for name, count in lacking.items() if count > 0},
    )
