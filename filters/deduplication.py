"""Which of the candidates that passed become part of the benchmark: no input twice, whatever flaw it is filed
under, and no more of a subtype than the recipe wants."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from core.records import Decision, FlawedSample, Stage
from core.taxonomy import Subtype
from filters.base import DropReason, drop, keep

DECIDED_BY = "selection@1"
_SPACE = re.compile(r"\s+")


class VisibleInput(NamedTuple):
    """What a model sees of a candidate, but for case, white space and the width of characters."""

    texts: tuple[str, ...]
    pictures: tuple[str, ...]


class Contender(NamedTuple):
    """A candidate beside what is seen of it, so that a selection made again does not look at the texts again."""

    candidate: FlawedSample
    seen: VisibleInput


def make_contender(candidate: FlawedSample) -> Contender:
    parts = (candidate.context or "", candidate.query or "", *candidate.options)
    pictures = tuple(picture.sha256 for picture in candidate.pictures)
    return Contender(candidate, VisibleInput(tuple(_normalise(part) for part in parts), pictures))


def select(
    contenders: Iterable[Contender], targets: Mapping[Subtype, int], unjudged: Iterable[Contender] = ()
) -> list[Decision]:
    """One decision at SELECT for each candidate, in the order given, which is the order of preference.

    DUPLICATE: an earlier kept candidate is the same input. QUESTION_TAKEN, of samples with two flaws alone: an earlier
    kept one is of the same question and got the same second flaw. OVER_TARGET: its subtype is full, or not wanted by
    the recipe. Of `unjudged`, which did not pass a panel, only what is the same input as a kept one is decided on."""
    kept: dict[VisibleInput, str] = {}
    taken: dict[tuple[str, ...], str] = {}
    counts: Counter[Subtype] = Counter()
    decisions: list[Decision] = []
    for candidate, seen in contenders:
        target = targets.get(candidate.subtype, 0)
        if seen in kept:
            decisions.append(_drop_duplicate(candidate, kept[seen]))
        elif (question := _question_of(candidate)) in taken:
            evidence = f"its question is in {taken[question]}"
            decisions.append(drop(candidate, Stage.SELECT, DECIDED_BY, DropReason.QUESTION_TAKEN, evidence))
        elif counts[candidate.subtype] >= target:
            evidence = f"{target} of {candidate.subtype} are wanted"
            decisions.append(drop(candidate, Stage.SELECT, DECIDED_BY, DropReason.OVER_TARGET, evidence))
        else:
            kept[seen] = taken[question] = candidate.id
            counts[candidate.subtype] += 1
            decisions.append(keep(candidate, Stage.SELECT, DECIDED_BY))
    return decisions + [_drop_duplicate(found.candidate, kept[found.seen]) for found in unjudged if found.seen in kept]


def _question_of(candidate: FlawedSample) -> tuple[str, ...]:
    """What only one candidate may have: a question may be in a build with several flaws, but of those that got a second
    one with each second flaw once."""
    return (
        (candidate.parent, *(flaw.subtype for flaw in candidate.flaws[1:])) if candidate.flaws[1:] else (candidate.id,)
    )


def _drop_duplicate(candidate: FlawedSample, original: str) -> Decision:
    return drop(candidate, Stage.SELECT, DECIDED_BY, DropReason.DUPLICATE, f"the same input as {original}")


def _normalise(text: str) -> str:
    return _SPACE.sub("", unicodedata.normalize("NFKC", text)).casefold()
