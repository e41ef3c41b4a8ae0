"""In which order the samples of a pool go to one injector, and to which model: rules take fixed slices of 50, models
exactly as many as are needed, since each costs money."""

import math
from collections.abc import Mapping, Sequence
from typing import Generic, Protocol, TypeVar

from core.model_specs import GeneratorShare
from core.recipe import Recipe
from core.seeding import ordered, stream
from core.taxonomy import AnySubtype, Subtype
from tasks.model_identity import asks_models
from tasks.premise_specs import PremiseShard
from tasks.specs import SHARD_SIZE, Injecting, InjectionShard, PromptShard, cut

Asking = TypeVar("Asking", PromptShard, PremiseShard)


class Queue(Protocol):
    @property
    def handed_out(self) -> int:
        """How many samples went out."""
        ...

    @property
    def ranks(self) -> Mapping[str, int]:
        """The place of every sample in the order of preference."""
        ...

    def take(self, samples: int) -> Sequence[Injecting]:
        """At least that many of the next samples in shards, or all that are left."""
        ...


class RuleQueue:
    """A larger target later uses the same shards again: they are slices of one fixed order."""

    def __init__(self, shards: Sequence[InjectionShard]) -> None:
        self._shards = shards
        self._next = 0
        self.ranks = {
            sample: rank for rank, sample in enumerate(sample for shard in shards for sample in shard.samples)
        }

    @property
    def handed_out(self) -> int:
        return self._next * SHARD_SIZE

    def take(self, samples: int) -> list[Injecting]:
        start = self._next
        self._next = min(start + math.ceil(samples / SHARD_SIZE), len(self._shards))
        return list(self._shards[start : self._next])


class PromptQueue(Generic[Asking]):
    """`template` is a shard without samples; `identities` are the hashes of what shapes the replies of each generator.

    Generators are dealt so that every beginning of the order keeps the quota to within one sample (M-11, A11)."""

    def __init__(
        self,
        template: Asking,
        order: Sequence[str],
        shares: Sequence[GeneratorShare],
        identities: Mapping[str, str],
    ) -> None:
        self._template = template
        self._identities = identities
        self._dealt = deal(order, shares, template.seed, template.subtype)
        self._order = interleave(self._dealt, order, shares)
        self.ranks = {sample: rank for rank, sample in enumerate(self._order)}
        self.handed_out = 0

    def take(self, samples: int) -> list[Asking]:
        taken = self._order[self.handed_out : self.handed_out + samples]
        self.handed_out += len(taken)
        shards: list[Asking] = []
        for generator, identity in self._identities.items():
            own = [sample for sample in taken if self._dealt[sample] == generator]
            shards += [
                self._template.model_copy(update={"samples": tuple(part), "generator": generator, "identity": identity})
                for part in cut(own)
            ]
        return shards


def deal(samples: Sequence[str], shares: Sequence[GeneratorShare], seed: int, subtype: AnySubtype) -> dict[str, str]:
    """The generator of every sample: counts by largest remainder (A11), the samples cut in an order of their own.
    Samples that are added later move only those next to a cut, so what was paid for stays in use."""
    counts = apportion(len(samples), [share.share for share in shares])
    drawn = sorted(samples, key=lambda sample: (stream(seed, sample, subtype, "generator").random(), sample))
    generators = [share.model for share, count in zip(shares, counts, strict=True) for _ in range(count)]
    return dict(zip(drawn, generators, strict=True))


def apportion(total: int, shares: Sequence[float]) -> list[int]:
    """Whole numbers that add up to `total`, by largest remainder; ties go to the first."""
    exact = [total * share for share in shares]
    counts = [math.floor(value + 1e-9) for value in exact]
    rest = sorted(range(len(shares)), key=lambda place: (counts[place] - exact[place], place))
    for place in rest[: total - sum(counts)]:
        counts[place] += 1
    return counts


def interleave(dealt: Mapping[str, str], order: Sequence[str], shares: Sequence[GeneratorShare]) -> list[str]:
    """The samples of each generator in their order, the generator furthest behind its share next."""
    waiting = {share.model: [sample for sample in order if dealt[sample] == share.model] for share in shares}
    place = dict.fromkeys(waiting, 0)
    merged: list[str] = []
    for number in range(1, len(order) + 1):
        left = [share for share in shares if place[share.model] < len(waiting[share.model])]
        behind = max(left, key=lambda share: share.share * number - place[share.model])
        merged.append(waiting[behind.model][place[behind.model]])
        place[behind.model] += 1
    return merged


def preference(pool: Sequence[str], subtype: Subtype, recipe: Recipe) -> list[str]:
    """The samples in the order in which candidates of this subtype are taken into the build."""
    order = order_for(pool, recipe.seed, subtype)
    if recipe.models is None or not asks_models(subtype, recipe.models):
        return order
    shares = recipe.models.generators
    return interleave(deal(order, shares, recipe.seed, subtype), order, shares)


def order_for(pool: Sequence[str], seed: int, subtype: AnySubtype) -> list[str]:
    return ordered(pool, seed, subtype, lambda sample: sample)
