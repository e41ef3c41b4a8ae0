"""Questions that stand in more than one source, or twice in one: EMMA holds 437 rows of MATH-Vision, MathVista
near-copies of its own rows. Two samples are duplicates when both their texts and their pictures say the same: one text
with two pictures is two questions (MATH-Vision 179 and 419), and so is one picture with two texts (MathVista 617 and
999)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from core.likeness import bands, look_alike
from core.records import Sample
from sources.near_texts import NearTexts
from sources.text_keys import TextKey, text_key

_MAX_SHAPE_DIFFERENCE = 0.03
_COLLECTIONS = {"mathvista": 1, "emma": 2}
"""Sets that gather rows of others: of two duplicates the row of the set it was first published in is kept."""


def find_duplicates(
    samples: Iterable[Sample], perceptual_hashes: Mapping[str, int], standing: Iterable[Sample] = ()
) -> dict[str, str]:
    """The id of each duplicate with the id of the sample that is kept in its place. `perceptual_hashes` gives 64 bits
    for the sha256 of every picture.

    Which one is kept depends on content alone: a source of its own before a collection, one with an answer before one
    without, then the first by source, source id and id. Those that are `standing`, none of `samples`, are kept before
    all. A kept sample is nobody's duplicate."""
    ranked, before = (sorted({found.id: found for found in group}.values(), key=_rank) for group in (samples, standing))
    keys = {sample.id: text_key(sample) for sample in (*before, *ranked)}
    near = NearTexts(keys.values())
    kept = _Kept(perceptual_hashes)
    for sample in before:
        kept.add(sample, keys[sample.id])
    duplicates: dict[str, str] = {}
    for sample in ranked:
        original = kept.find(sample, keys[sample.id], near)
        if original is None:
            kept.add(sample, keys[sample.id])
        else:
            duplicates[sample.id] = original.id
    return duplicates


def _rank(sample: Sample) -> tuple[int, bool, str, str, str]:
    return _COLLECTIONS.get(sample.source, 0), sample.answer is None, sample.source, sample.source_id, sample.id


class _Kept:
    """The samples kept so far, found again by text and by slices of their first picture's hash."""

    def __init__(self, hashes: Mapping[str, int]) -> None:
        self._hashes = hashes
        self._buckets: dict[tuple[str, int, int], list[tuple[Sample, TextKey]]] = defaultdict(list)

    def add(self, sample: Sample, key: TextKey) -> None:
        for band in self._bands(sample):
            self._buckets[(key.text, *band)].append((sample, key))

    def find(self, sample: Sample, key: TextKey, near: NearTexts) -> Sample | None:
        """The first by rank of the same text, else of a nearly equal one."""
        for text in (key.text, *near.of(key.text)):
            for band in self._bands(sample):
                for other, other_key in self._buckets.get((text, *band), ()):
                    if near.same_question(key, other_key) and self._same_pictures(sample, other):
                        return other
        return None

    def _bands(self, sample: Sample) -> list[tuple[int, int]]:
        if not sample.pictures:
            return [(-1, 0)]
        return bands(self._hashes[sample.pictures[0].sha256])

    def _same_pictures(self, first: Sample, second: Sample) -> bool:
        if len(first.pictures) != len(second.pictures):
            return False
        for one, other in zip(first.pictures, second.pictures, strict=True):
            if one.sha256 == other.sha256:
                continue
            shapes = one.width / one.height, other.width / other.height
            if abs(shapes[0] / shapes[1] - 1) > _MAX_SHAPE_DIFFERENCE:
                return False
            if not look_alike(self._hashes[one.sha256], self._hashes[other.sha256]):
                return False
        return True
