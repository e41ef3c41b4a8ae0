"""From verdicts to outcomes (M-20): where the first round does not agree on a criterion, the third annotator decides
that criterion and no other. Where everybody has judged it already, the majority of the first round decides, if there is
one. What nobody could decide is not accepted, and never counted as a pass."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from core.review import BOTH_CRITERIA, Assignment, Judged, Judgement, ReviewOutcome, Round
from core.seeding import ordered
from core.taxonomy import Subtype
from core.votes import Criterion

Verdicts = Sequence[Judged | None]


class ReviewedItem(NamedTuple):
    """All that is known of one item: `asked` and `given` counted verdicts, of both rounds."""

    item: str
    subtype: Subtype
    asked: tuple[Assignment, ...]
    given: tuple[Judgement, ...]


def gather(assignments: Iterable[Assignment], judgements: Iterable[Judgement]) -> list[ReviewedItem]:
    """Items of the build in the order in which they were dealt: controls and flagged verdicts are left out."""
    given: defaultdict[str, list[Judgement]] = defaultdict(list)
    for judgement in judgements:
        if judgement.counts:
            given[judgement.item].append(judgement)
    asked: defaultdict[str, list[Assignment]] = defaultdict(list)
    for assignment in assignments:
        if not assignment.control:
            asked[assignment.item].append(assignment)
    return [ReviewedItem(item, found[0].subtype, tuple(found), tuple(given[item])) for item, found in asked.items()]


def decide(item: ReviewedItem, annotators: Collection[str]) -> ReviewOutcome:
    """`accepted` when both criteria pass; None while a verdict is missing that could still change that. `annotators`
    are those who can still be asked."""
    disputed = find_disputed(item)
    decided = {criterion: _decide_criterion(item, criterion, annotators) for criterion in BOTH_CRITERIA}
    return ReviewOutcome(
        item=item.item,
        subtype=item.subtype,
        type_compliance=decided[Criterion.TYPE_COMPLIANCE],
        unanswerability=decided[Criterion.UNANSWERABILITY],
        disputed=disputed,
        accepted=_accept(list(decided.values())),
    )


def find_disputed(item: ReviewedItem) -> tuple[Criterion, ...]:
    """The criteria on which the first round is complete and does not agree; `unsure` agrees with nothing."""
    if not _is_complete(item, Round.FIRST):
        return ()
    return tuple(
        criterion for criterion in BOTH_CRITERIA if _agreed(_verdicts(item, Round.FIRST, criterion)) is Judged.UNSURE
    )


def find_disputes(
    items: Sequence[ReviewedItem], annotators: Sequence[str], seed: int, *, informed: bool = False
) -> list[Assignment]:
    """Second-round assignments that are not there yet: each disputed item to an annotator who has not judged it, the
    one with the least of them. An item that everybody judged in the first round has no third annotator and stays
    open."""
    load = Counter(found.annotator for item in items for found in item.asked if found.round is Round.ADJUDICATION)
    new: list[Assignment] = []
    for item in ordered(items, seed, "adjudicate", lambda item: item.item):
        disputed = find_disputed(item)
        free = _find_free(item, annotators)
        if not disputed or not free or _is_adjudicated(item):
            continue
        third = min(free, key=lambda name: load[name])
        load[third] += 1
        new.append(
            Assignment(
                item=item.item,
                subtype=item.subtype,
                round=Round.ADJUDICATION,
                annotator=third,
                criteria=disputed,
                informed=informed,
            )
        )
    return new


def is_stuck(item: ReviewedItem, annotators: Collection[str]) -> bool:
    """Open, without a majority and with nobody left to ask."""
    asked = _is_adjudicated(item) or bool(_find_free(item, annotators))
    return bool(find_disputed(item)) and not asked and decide(item, annotators).accepted is None


def _find_free(item: ReviewedItem, annotators: Collection[str]) -> list[str]:
    judged = {found.annotator for found in item.asked}
    return [name for name in sorted(annotators) if name not in judged]


def _is_adjudicated(item: ReviewedItem) -> bool:
    return any(found.round is Round.ADJUDICATION for found in item.asked)


def _decide_criterion(item: ReviewedItem, criterion: Criterion, annotators: Collection[str]) -> Judged | None:
    """None while verdicts are missing. A disputed one is what the third says."""
    if not _is_complete(item, Round.FIRST):
        return None
    first = _verdicts(item, Round.FIRST, criterion)
    agreed = _agreed(first)
    if agreed is not Judged.UNSURE:
        return agreed
    if not _is_adjudicated(item) and not _find_free(item, annotators):
        return _find_majority(first)
    third = _verdicts(item, Round.ADJUDICATION, criterion)
    return third[0] if third else None


def _find_majority(verdicts: Verdicts) -> Judged | None:
    """What more than half say, if that is a decision."""
    said, count = Counter(verdicts).most_common(1)[0]
    return said if said is not Judged.UNSURE and 2 * count > len(verdicts) else None


def _accept(decided: Verdicts) -> bool | None:
    if any(verdict in (Judged.FAIL, Judged.UNSURE) for verdict in decided):
        return False
    return None if None in decided else True


def _is_complete(item: ReviewedItem, round_: Round) -> bool:
    asked = {found.annotator for found in item.asked if found.round is round_}
    return bool(asked) and asked <= {found.annotator for found in item.given if found.round is round_}


def _verdicts(item: ReviewedItem, round_: Round, criterion: Criterion) -> Verdicts:
    return [found.verdict(criterion) for found in item.given if found.round is round_]


def _agreed(verdicts: Verdicts) -> Judged:
    """What all say, `unsure` where they do not."""
    said = set(verdicts)
    only = said.pop() if len(said) == 1 else None
    return only or Judged.UNSURE
