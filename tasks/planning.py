"""Which samples go to which injector, in which order, until each subtype has what the recipe asks for. Pure: the same
pool, seed and results give the same shards in the same order, so a run that was cut off asks for the same work
again."""

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from core.errors import ConfigurationError
from core.identity import bytes_hash
from core.recipe import DegradationRecipe, Recipe
from core.records import Decision, FlawedSample, Sample
from core.seeding import ordered
from core.taxonomy import VISUAL_PREMISE_SUBTYPES, Subtype
from filters.deduplication import Contender, make_contender, select
from injectors.mismatch import assign_donors
from injectors.registry import INJECTORS
from tasks.specs import SHARD_SIZE, InjectionShard

_LOWEST_RATE = 0.05


class InjectionPlan:
    """Hands out shards in waves. A subtype's shards are fixed slices of its own seeded order, so that a larger target
    later uses the same shards again; how many are asked for follows from the share of samples kept so far."""

    def __init__(self, pool_key: str, pool: Sequence[Sample], hashes: Mapping[str, int], recipe: Recipe) -> None:
        self._targets = {subtype: recipe.targets[subtype] for subtype in Subtype if recipe.targets.get(subtype)}
        donors = assign_donors(pool, pool, hashes, recipe.seed) if Subtype.MISMATCH in self._targets else {}
        donor_ids = {sample_id: donor.id for sample_id, donor in donors.items()}
        self._shards = {
            subtype: _shards(pool_key, _order(pool, subtype, recipe), subtype, recipe, donor_ids)
            for subtype in self._targets
        }
        self._ranks = {
            (subtype, sample): rank
            for subtype, shards in self._shards.items()
            for rank, sample in enumerate(sample for shard in shards for sample in shard.samples)
        }
        self._handed_out = dict.fromkeys(self._targets, 0)
        self._kept: dict[Subtype, list[Contender]] = {subtype: [] for subtype in self._targets}
        self._decisions: list[Decision] | None = None

    def waves(self) -> Iterator[list[InjectionShard]]:
        """Shards to run together, until every target is reached or nothing is left to try. Record the results of one
        wave before asking for the next."""
        while wave := self._next_wave():
            yield wave

    def record(self, shard: InjectionShard, kept: Sequence[FlawedSample]) -> None:
        """The candidates of a shard that passed the filters, in any order of shards."""
        self._kept[shard.subtype] += [make_contender(candidate) for candidate in kept]
        self._decisions = None

    def decide(self) -> list[Decision]:
        """One decision of the stage SELECT for each candidate that passed the filters."""
        if self._decisions is None:
            self._decisions = select(self._in_order(), self._targets)
        return self._decisions

    def _next_wave(self) -> list[InjectionShard]:
        selected = self._selected()
        wave: list[InjectionShard] = []
        for subtype, target in self._targets.items():
            start = self._handed_out[subtype]
            stop = start + self._needed(subtype, target - selected[subtype])
            wave += self._shards[subtype][start:stop]
            self._handed_out[subtype] = min(stop, len(self._shards[subtype]))
        return wave

    def _in_order(self) -> list[Contender]:
        return [
            contender
            for subtype, contenders in self._kept.items()
            for contender in sorted(contenders, key=lambda contender: self._ranks[subtype, contender.candidate.parent])
        ]

    def _selected(self) -> dict[Subtype, int]:
        counts = dict.fromkeys(self._targets, 0)
        for decision in self.decide():
            if decision.keep and decision.subtype is not None:
                counts[decision.subtype] += 1
        return counts

    def _needed(self, subtype: Subtype, missing: int) -> int:
        if missing <= 0:
            return 0
        tried = self._handed_out[subtype] * SHARD_SIZE
        rate = max(len(self._kept[subtype]) / tried, _LOWEST_RATE) if tried else 1.0
        return math.ceil(missing / (rate * SHARD_SIZE))


def _order(pool: Sequence[Sample], subtype: Subtype, recipe: Recipe) -> list[Sample]:
    return ordered(pool, recipe.seed, subtype, lambda sample: sample.id)


def _shards(
    pool_key: str, samples: Sequence[Sample], subtype: Subtype, recipe: Recipe, donors: Mapping[str, str]
) -> list[InjectionShard]:
    ids = [sample.id for sample in samples]
    weights = _weights_hash(recipe.degradation)
    return [
        InjectionShard(
            pool=pool_key,
            subtype=subtype,
            injector_version=INJECTORS[subtype].version,
            seed=recipe.seed,
            samples=tuple(part),
            donors=tuple(donors.get(sample, "") for sample in part) if subtype is Subtype.MISMATCH else (),
            degradation=recipe.degradation,
            weights=weights if subtype in VISUAL_PREMISE_SUBTYPES else "",
            missing_instruction=recipe.missing_instruction,
        )
        for part in (ids[start : start + SHARD_SIZE] for start in range(0, len(ids), SHARD_SIZE))
    ]


def _weights_hash(degradation: DegradationRecipe) -> str:
    """Raises ConfigurationError when the file is not there."""
    if degradation.classifier_weights is None:
        return ""
    path = Path(degradation.classifier_weights)
    if not path.is_file():
        raise ConfigurationError(
            f"There is no weights file {path}.",
            "Set `degradation.classifier_weights` to a file of torchvision weights.",
        )
    return bytes_hash(path.read_bytes())
