"""Who judges what in the first round (M-20): `overlap` annotators for each item, the same load for everybody, and every
combination of annotators sees all subtypes evenly, so that no kappa rests on one kind of flaw. It follows from the
items, the annotators and the seed alone, never from the order in which items come."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from core.errors import ConfigurationError
from core.review import Assignment, ReviewPlan, Round
from core.seeding import ordered, stream
from core.taxonomy import Subtype

Team = tuple[str, ...]
Item = tuple[str, Subtype]


def assign(
    items: Sequence[Item],
    controls: Sequence[Item],
    plan: ReviewPlan,
    known: Sequence[Assignment] = (),
    taken: Sequence[Assignment] = (),
) -> list[Assignment]:
    """What is dealt beside the assignments that are `known`, in the order in which each annotator meets it. `controls`
    are dealt to everybody from the first on, up to the plan's share of what an annotator has. `taken` were somebody
    else's and come first.

    Raises ConfigurationError when the plan asks for more annotators an item than it names."""
    _check(plan)
    teams = _deal(items, plan, [*known, *taken])
    handed = {name: [found for found in taken if found.annotator == name] for name in plan.active}
    queues = {name: [*handed[name], *_queue(name, teams, plan)] for name in plan.active}
    return [
        assignment
        for annotator, queue in queues.items()
        for assignment in _spread(queue, _new_controls(annotator, len(queue), controls, plan, known), plan)
    ]


def count_controls(plan: ReviewPlan, load: int) -> int:
    """That an annotator with so many items should have beside them."""
    return round(plan.control_share * load / (1 - plan.control_share))


def _deal(items: Sequence[Item], plan: ReviewPlan, known: Sequence[Assignment]) -> dict[Item, Team]:
    """Each new item to the combination that has seen least of its subtype, then to those with the least to do. Subtype
    by subtype: what is left over of one is then made up for by the next."""
    counted = [found for found in known if not found.control and found.round is Round.FIRST]
    seen = _count_teams(counted)
    load = Counter(found.annotator for found in counted)
    there = {found.item for found in counted}
    names = sorted(plan.active)
    teams = ordered(combinations(names, plan.overlap), plan.seed, "teams", "\x1f".join)
    dealt: dict[Item, Team] = {}
    new = ordered(
        dict.fromkeys(item for item in items if item[0] not in there), plan.seed, "deal", lambda item: item[0]
    )
    had = Counter(subtype for _, subtype in {(found.item, found.subtype) for found in counted})
    for item in sorted(_draw(new, plan, had), key=lambda item: item[1]):
        team = min(teams, key=lambda team: (seen[item[1], team], sorted((load[name] for name in team), reverse=True)))
        seen[item[1], team] += 1
        load.update(team)
        dealt[item] = team
    return dealt


def _draw(new: Sequence[Item], plan: ReviewPlan, had: Counter[Subtype]) -> list[Item]:
    """The first of each subtype, up to the plan's number with those that were dealt before."""
    drawn: list[Item] = []
    counts = had.copy()
    for item in new:
        if plan.per_subtype is None or counts[item[1]] < plan.per_subtype:
            counts[item[1]] += 1
            drawn.append(item)
    return drawn


def _count_teams(known: Iterable[Assignment]) -> Counter[tuple[Subtype, Team]]:
    members: dict[Item, list[str]] = {}
    for found in known:
        members.setdefault((found.item, found.subtype), []).append(found.annotator)
    return Counter((subtype, tuple(sorted(names))) for (_, subtype), names in members.items())


def _queue(annotator: str, teams: dict[Item, Team], plan: ReviewPlan) -> list[Assignment]:
    mine = [item for item, team in teams.items() if annotator in team]
    shuffled = ordered(mine, plan.seed, f"queue {annotator}", lambda item: item[0])
    return [_first_round(item, annotator) for item in shuffled]


def _new_controls(
    annotator: str, new: int, controls: Sequence[Item], plan: ReviewPlan, known: Sequence[Assignment]
) -> list[Assignment]:
    mine = [found for found in known if found.annotator == annotator and found.round is Round.FIRST]
    had = {found.item for found in mine if found.control}
    load = len(mine) - len(had) + new
    wanted = count_controls(plan, load) - len(had)
    left = [control for control in controls if control[0] not in had]
    return [_first_round(item, annotator, control=True) for item in left[: max(0, wanted)]]


def _spread(queue: list[Assignment], controls: list[Assignment], plan: ReviewPlan) -> list[Assignment]:
    """One control somewhere in each of as many equal stretches of the queue as there are controls."""
    merged = [(float(place), found) for place, found in enumerate(queue)]
    for number, control in enumerate(controls):
        where = stream(plan.seed, "control", control.annotator, control.item).random()
        merged.append(((number + where) * len(queue) / len(controls) - 0.5, control))
    return [found for _, found in sorted(merged, key=lambda pair: pair[0])]


def _first_round(item: Item, annotator: str, *, control: bool = False) -> Assignment:
    return Assignment(item=item[0], subtype=item[1], round=Round.FIRST, annotator=annotator, control=control)


def _check(plan: ReviewPlan) -> None:
    if len(set(plan.annotators)) < len(plan.annotators):
        raise ConfigurationError(
            f"An annotator is named twice: {', '.join(plan.annotators)}.", "Name each once in `--annotators`."
        )
    if plan.overlap > len(plan.active):
        raise ConfigurationError(
            f"{plan.overlap} verdicts an item are asked of {len(plan.active)} annotators.",
            "Lower `--overlap`, or name more in `--annotators`.",
        )
