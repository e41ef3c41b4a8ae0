"""Which samples go to which injector, in which order, until each subtype has what the recipe asks for. Pure: the same
pool, seed and results give the same shards in the same order, so a run that was cut off asks for the same work
again."""

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from core.errors import ConfigurationError
from core.identity import bytes_hash
from core.recipe import DegradationRecipe, Recipe
from core.records import Decision, FlawedSample
from core.taxonomy import VISUAL_PREMISE_SUBTYPES, Subtype
from filters.deduplication import Contender, make_contender, select
from injectors.mismatch import assign_donors
from injectors.registry import INJECTORS, PROMPT_INJECTORS
from tasks.model_identity import asks_models, injection_identity
from tasks.pools import Pool
from tasks.queues import PromptQueue, Queue, RuleQueue, order_for
from tasks.specs import SHARD_SIZE, Injecting, InjectionShard, PromptShard

_LOWEST_RATE = 0.05


class InjectionPlan:
    """Hands out shards in waves; how many samples are asked for follows from the share of samples kept so far."""

    def __init__(self, pool: Pool, recipe: Recipe) -> None:
        self._targets = {subtype: recipe.targets[subtype] for subtype in Subtype if recipe.targets.get(subtype)}
        donors = _assign_donors(pool, recipe) if Subtype.MISMATCH in self._targets else {}
        self._queues = {subtype: _make_queue(pool, subtype, recipe, donors) for subtype in self._targets}
        self._kept: dict[Subtype, list[Contender]] = {subtype: [] for subtype in self._targets}
        self._decisions: list[Decision] | None = None

    def waves(self) -> Iterator[list[Injecting]]:
        """Shards to run together, until every target is reached or nothing is left to try. Record the results of one
        wave before asking for the next."""
        while wave := self._next_wave():
            yield wave

    def record(self, subtype: Subtype, kept: Sequence[FlawedSample]) -> None:
        """Candidates that passed all filters, in any order of shards."""
        self._kept[subtype] += [make_contender(candidate) for candidate in kept]
        self._decisions = None

    def decide(self) -> list[Decision]:
        """One decision of the stage SELECT for each candidate that passed the filters."""
        if self._decisions is None:
            self._decisions = select(self._in_order(), self._targets)
        return self._decisions

    def selected(self) -> list[FlawedSample]:
        """Those that become part of the build, in order."""
        kept = {decision.item for decision in self.decide() if decision.keep}
        return [found.candidate for found in self._in_order() if found.candidate.id in kept]

    def _next_wave(self) -> list[Injecting]:
        selected = self._counts()
        wave: list[Injecting] = []
        for subtype, target in self._targets.items():
            if target > selected[subtype]:
                wave += self._queues[subtype].take(self._needed(subtype, target - selected[subtype]))
        return wave

    def _in_order(self) -> list[Contender]:
        return [
            contender
            for subtype, contenders in self._kept.items()
            for contender in sorted(contenders, key=lambda found: self._queues[subtype].ranks[found.candidate.parent])
        ]

    def _counts(self) -> dict[Subtype, int]:
        counts = dict.fromkeys(self._targets, 0)
        for decision in self.decide():
            if decision.keep and decision.subtype is not None:
                counts[decision.subtype] += 1
        return counts

    def _needed(self, subtype: Subtype, missing: int) -> int:
        """Samples to try for that many more candidates."""
        tried = self._queues[subtype].handed_out
        rate = max(len(self._kept[subtype]) / tried, _LOWEST_RATE) if tried else 1.0
        return math.ceil(missing / rate)


def _make_queue(pool: Pool, subtype: Subtype, recipe: Recipe, donors: Mapping[str, str]) -> Queue:
    order = order_for([sample.id for sample in pool.samples], recipe.seed, subtype)
    if recipe.models is None or not asks_models(subtype, recipe.models):
        return RuleQueue(_rule_shards(pool, order, subtype, recipe, donors))
    generators = [share.model for share in recipe.models.generators]
    identities = {name: injection_identity(recipe.models, name, subtype) for name in generators}
    template = PromptShard(
        pool=pool.name,
        subtype=subtype,
        injector_version=PROMPT_INJECTORS[subtype].version,
        seed=recipe.seed,
        samples=(),
        degradation=recipe.degradation,
        generator=generators[0],
        identity=identities[generators[0]],
    )
    return PromptQueue(template, order, recipe.models.generators, identities)


def _assign_donors(pool: Pool, recipe: Recipe) -> dict[str, str]:
    donors = assign_donors(pool.samples, pool.samples, pool.hashes, recipe.seed)
    return {sample_id: donor.id for sample_id, donor in donors.items()}


def _rule_shards(
    pool: Pool, order: Sequence[str], subtype: Subtype, recipe: Recipe, donors: Mapping[str, str]
) -> list[InjectionShard]:
    weights = _weights_hash(recipe.degradation)
    return [
        InjectionShard(
            pool=pool.name,
            subtype=subtype,
            injector_version=INJECTORS[subtype].version,
            seed=recipe.seed,
            samples=tuple(part),
            donors=tuple(donors.get(sample, "") for sample in part) if subtype is Subtype.MISMATCH else (),
            degradation=recipe.degradation,
            weights=weights if subtype in VISUAL_PREMISE_SUBTYPES else "",
            missing_instruction=recipe.missing_instruction,
        )
        for part in (order[start : start + SHARD_SIZE] for start in range(0, len(order), SHARD_SIZE))
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
