"""The questions that a run works on: those that were chosen, or what a model made of them; and what stands already in
the build that it adds to."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.records import FlawedSample, Sample
from tasks.specs import PartName


class Pool(NamedTuple):
    """`name` is the part that holds the samples, `hashes` are the perceptual hashes of their pictures by sha256."""

    name: PartName
    samples: Sequence[Sample]
    hashes: Mapping[str, int]


class Standing(NamedTuple):
    """What a build held before a run that adds to it: the questions as they were read, and the candidates. `hashes` are
    those of their pictures, but for made ones."""

    samples: Sequence[Sample]
    candidates: Sequence[FlawedSample]
    hashes: Mapping[str, int]


NOTHING = Standing((), (), {})
