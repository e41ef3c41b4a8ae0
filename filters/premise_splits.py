"""Which premise questions become part of a build and in which split they stand: no picture and no premise is in two
splits, or a model could learn in training what it is tested on."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from core.likeness import Band, bands, look_alike
from core.premises import PremiseQuestion, Split
from core.records import Decision, Stage
from core.taxonomy import PremiseSubtype
from filters.base import DropReason

_DECIDED_BY = "premise_selection@1"

PremiseItem = tuple[PremiseQuestion, ...]
"""The questions that are verified and taken as one: a pair, or a question alone."""


class Shares(NamedTuple):
    """Of the questions of each subtype, in 0..1; they add up to 1."""

    test: float
    sft: float
    grpo: float

    def of(self, split: Split) -> float:
        return {Split.TEST: self.test, Split.SFT: self.sft, Split.GRPO: self.grpo}[split]


class Selection(NamedTuple):
    """A decision on each item, and the split of each question that was taken, in order."""

    decisions: tuple[Decision, ...]
    splits: Mapping[str, Split]


def group_pictures(hashes: Mapping[str, int]) -> dict[str, str]:
    """One name for all pictures that look alike, by SHA-256: a chain of near-equal hashes is one group."""
    leaders = {sha256: sha256 for sha256 in hashes}
    buckets: dict[Band, list[str]] = {}

    def leader(sha256: str) -> str:
        while leaders[sha256] != sha256:
            leaders[sha256] = leaders[leaders[sha256]]
            sha256 = leaders[sha256]
        return sha256

    for sha256 in sorted(hashes):
        for band in bands(hashes[sha256]):
            bucket = buckets.setdefault(band, [])
            for other in bucket:
                if look_alike(hashes[sha256], hashes[other]):
                    first, second = sorted((leader(sha256), leader(other)))
                    leaders[second] = first
            bucket.append(sha256)
    return {sha256: leader(sha256) for sha256 in hashes}


def select_premises(
    items: Iterable[PremiseItem],
    groups: Mapping[str, str],
    targets: Mapping[tuple[PremiseSubtype, bool | None], int],
    shares: Shares,
) -> Selection:
    """`items` in their order of preference; `groups` names the group of the picture of each sample. `targets` are
    counts of items by subtype and label, label None for pairs.

    An item goes where its picture or its premise already is, else to the split furthest below its share; one whose
    picture and premise are in two splits is dropped, and so is a question that was taken before."""
    taking = _Taking(groups, shares)
    decisions = [taking.decide(item, targets.get(kind_of(item), 0)) for item in items]
    return Selection(tuple(decisions), taking.splits)


def kind_of(item: PremiseItem) -> tuple[PremiseSubtype, bool | None]:
    first = item[0]
    return first.subtype, None if first.pair else first.label


class _Taking:
    """What was taken so far."""

    def __init__(self, groups: Mapping[str, str], shares: Shares) -> None:
        self._groups = groups
        self._shares = shares
        self._texts: set[str] = set()
        self._places: dict[tuple[str, ...], Split] = {}
        self._counts: Counter[tuple[PremiseSubtype, bool | None]] = Counter()
        self._filled: Counter[tuple[PremiseSubtype, Split]] = Counter()
        self.splits: dict[str, Split] = {}

    def decide(self, item: PremiseItem, target: int) -> Decision:
        texts = {_plain(question.question) for question in item}
        places = self._places_of(item)
        bound = {self._places[place] for place in places if place in self._places}
        if texts & self._texts or len(texts) < len(item):
            return _decide(item, "another question of the build has the same text", DropReason.DUPLICATE)
        if self._counts[kind_of(item)] >= target:
            return _decide(item, f"{target} wanted", DropReason.OVER_TARGET)
        if len(bound) > 1:
            return _decide(item, f"in {' and '.join(sorted(bound))}", DropReason.OTHER_SPLIT)
        split = bound.pop() if bound else self._emptiest(item[0].subtype)
        self._texts |= texts
        self._places |= dict.fromkeys(places, split)
        self._counts[kind_of(item)] += 1
        self._filled[item[0].subtype, split] += len(item)
        self.splits |= {question.id: split for question in item}
        return _decide(item, f"split {split}")

    def _places_of(self, item: PremiseItem) -> Sequence[tuple[str, ...]]:
        premise = item[0].premise
        return ("picture", self._groups[item[0].sample]), ("premise", premise.subtype, _plain(premise.text))

    def _emptiest(self, subtype: PremiseSubtype) -> Split:
        filled = {split: self._filled[subtype, split] for split in Split}
        after = sum(filled.values()) + 1
        wanted = [split for split in Split if self._shares.of(split)]
        return max(wanted, key=lambda split: self._shares.of(split) * after - filled[split])


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(" .?!。？！")


def _decide(item: PremiseItem, evidence: str, dropped_for: DropReason | None = None) -> Decision:
    first = item[0]
    return Decision(
        stage=Stage.SELECT,
        item=first.item,
        output=None if dropped_for else first.item,
        subtype=first.subtype,
        keep=dropped_for is None,
        reason=dropped_for,
        evidence=evidence,
        decided_by=_DECIDED_BY,
    )
