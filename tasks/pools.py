"""The questions that a run works on: those that were chosen, or what a model made of them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.records import Sample
from tasks.specs import PartName


class Pool(NamedTuple):
    """`name` is the part that holds the samples, `hashes` are the perceptual hashes of their pictures by sha256."""

    name: PartName
    samples: Sequence[Sample]
    hashes: Mapping[str, int]
