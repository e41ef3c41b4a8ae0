"""Which of the candidates that passed become part of the benchmark: no input twice, whatever flaw it is filed
under, and no more of a subtype than the recipe wants."""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from core.records import Decision, FlawedSample, Stage
from core.taxonomy import Subtype
from filters.base import DropReason, drop, keep

DECIDED_BY = "selection@2"
_SPACE = re.compile(r"\s+")


class VisibleInput(NamedTuple):
    """What a model sees of a candidate, but for case, white space, the width of characters and what tells pictures that
    look alike from each other."""

    texts: tuple[str, ...]
    pictures: tuple[str, ...]


class Contender(NamedTuple):
    """A candidate beside what is seen of it, so that a selection made again does not look at the texts again."""

    candidate: FlawedSample
    seen: VisibleInput


def make_contender(candidate: FlawedSample, looks: Mapping[str, str]) -> Contender:
    """`looks` has one name for all pictures that look alike, by SHA-256; a picture that was made has none."""
    parts = (candidate.context or "", candidate.query or "", *candidate.options)
    pictures = tuple(looks.get(picture.sha256, picture.sha256) for picture in candidate.pictures)
    return Contender(candidate, VisibleInput(tuple(_normalise(part) for part in parts), pictures))


def select(
    contenders: Iterable[Contender],
    targets: Mapping[Subtype, int],
    unjudged: Iterable[Contender] = (),
    standing: Collection[Contender] = (),
) -> list[Decision]:
    """One decision at SELECT for each candidate, in the order given, which is the order of preference.

    DUPLICATE: an earlier kept candidate is the same input; NEAR_DUPLICATE: but for pictures that look alike. Those that
    are `standing` in the build count as kept before and are no duplicates themselves. QUESTION_TAKEN, of samples with
    two flaws alone: an earlier kept one is of the same question and got the same second flaw. OVER_TARGET: its subtype
    is full, or not wanted by the recipe. Of `unjudged`, which did not pass a panel, only what is the same input as a
    kept one is decided on."""
    kept = {found.seen: found.candidate for found in standing}
    stand = {found.candidate.id for found in standing}
    taken: dict[tuple[str, ...], str] = {}
    counts: Counter[Subtype] = Counter()
    decisions: list[Decision] = []
    for candidate, seen in contenders:
        target = targets.get(candidate.subtype, 0)
        if seen in kept and candidate.id not in stand:
            decisions.append(_drop_duplicate(candidate, kept[seen]))
        elif (question := _question_of(candidate)) in taken:
            evidence = f"its question is in {taken[question]}"
            decisions.append(drop(candidate, Stage.SELECT, DECIDED_BY, DropReason.QUESTION_TAKEN, evidence))
        elif counts[candidate.subtype] >= target:
            evidence = f"{target} of {candidate.subtype} are wanted"
            decisions.append(drop(candidate, Stage.SELECT, DECIDED_BY, DropReason.OVER_TARGET, evidence))
        else:
            kept[seen], taken[question] = candidate, candidate.id
            counts[candidate.subtype] += 1
            decisions.append(keep(candidate, Stage.SELECT, DECIDED_BY))
    return decisions + [
        _drop_duplicate(candidate, kept[seen])
        for candidate, seen in unjudged
        if seen in kept and candidate.id not in stand
    ]


def _question_of(candidate: FlawedSample) -> tuple[str, ...]:
    """What only one candidate may have: a question may be in a build with several flaws, but of those that got a second
    one with each second flaw once."""
    return (
        (candidate.parent, *(flaw.subtype for flaw in candidate.flaws[1:])) if candidate.flaws[1:] else (candidate.id,)
    )


def _drop_duplicate(candidate: FlawedSample, original: FlawedSample) -> Decision:
    if _hashes(candidate) == _hashes(original):
        reason, evidence = DropReason.DUPLICATE, f"the same input as {original.id}"
    else:
        reason, evidence = DropReason.NEAR_DUPLICATE, f"the text of {original.id}, and pictures that look like its own"
    return drop(candidate, Stage.SELECT, DECIDED_BY, reason, evidence)


def _hashes(candidate: FlawedSample) -> list[str]:
    return [picture.sha256 for picture in candidate.pictures]


def _normalise(text: str) -> str:
    return _SPACE.sub("", unicodedata.normalize("NFKC", text)).casefold()
