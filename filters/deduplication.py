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


class _Input(NamedTuple):
    texts: tuple[str, ...]
    pictures: tuple[str, ...]


def select(candidates: Iterable[FlawedSample], targets: Mapping[Subtype, int]) -> list[Decision]:
    """One decision at SELECT for each candidate, in the order given, which is the order of preference.

    DUPLICATE: an earlier kept candidate shows the same pictures with the same text, but for case, white space and the
    width of characters. OVER_TARGET: its subtype is full, or not wanted by the recipe."""
    kept: dict[_Input, str] = {}
    counts: Counter[Subtype] = Counter()
    decisions: list[Decision] = []
    for candidate in candidates:
        key, target = _visible_input(candidate), targets.get(candidate.subtype, 0)
        if key in kept:
            evidence = f"the same input as {kept[key]}"
            decisions.append(drop(candidate, Stage.SELECT, DECIDED_BY, DropReason.DUPLICATE, evidence))
        elif counts[candidate.subtype] >= target:
            evidence = f"{target} of {candidate.subtype} are wanted"
            decisions.append(drop(candidate, Stage.SELECT, DECIDED_BY, DropReason.OVER_TARGET, evidence))
        else:
            kept[key] = candidate.id
            counts[candidate.subtype] += 1
            decisions.append(keep(candidate, Stage.SELECT, DECIDED_BY))
    return decisions


def _visible_input(candidate: FlawedSample) -> _Input:
    parts = (candidate.context or "", candidate.query or "", *candidate.options)
    return _Input(tuple(_normalise(part) for part in parts), tuple(picture.sha256 for picture in candidate.pictures))


def _normalise(text: str) -> str:
    return _SPACE.sub("", unicodedata.normalize("NFKC", text)).casefold()
