"""What one annotator has not judged goes to another: when somebody leaves, the rest of the review must not wait."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from core.review import Assignment, Judgement, Round


class Handover(NamedTuple):
    """`gone` assignments are no longer asked, `taken` are first-round ones that others have instead. Control items and
    disputes that are gone are dealt anew."""

    gone: tuple[Assignment, ...]
    taken: tuple[Assignment, ...]


def hand_over(
    leaver: str, heir: str, active: Sequence[str], known: Sequence[Assignment], judgements: Iterable[Judgement]
) -> Handover:
    """Nobody gets an item that they have: those go to the other one of the `active` with the least to do. What
    everybody has stays with who leaves."""
    judged = {(found.item, found.round) for found in judgements if found.counts and found.annotator == leaver}
    holders: defaultdict[str, set[str]] = defaultdict(set)
    for found in known:
        holders[found.item].add(found.annotator)
    load = Counter(found.annotator for found in known)
    gone: list[Assignment] = []
    taken: list[Assignment] = []
    for found in known:
        if found.annotator != leaver or (found.item, found.round) in judged:
            continue
        if found.control or found.round is Round.ADJUDICATION:
            gone.append(found)
            continue
        free = [name for name in (heir, *active) if name not in holders[found.item]]
        if not free:
            continue
        to = heir if heir in free else min(free, key=lambda name: load[name])
        load[to] += 1
        gone.append(found)
        taken.append(found.model_copy(update={"annotator": to}))
    return Handover(tuple(gone), tuple(taken))
