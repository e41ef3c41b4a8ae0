"""Which samples go to which injector, in which order, until each subtype has what the recipe asks for. Pure: the same
pool, seed and results give the same shards in the same order, so a run that was cut off asks for the same work
again."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from core.errors import ConfigurationError
from core.identity import bytes_hash
from core.recipe import DegradationRecipe, Recipe
from core.records import Decision, FlawedSample
from core.taxonomy import VISUAL_PREMISE_SUBTYPES, Subtype
from filters.deduplication import Contender, make_contender, select
from filters.premise_splits import group_pictures
from injectors.mismatch import assign_donors
from injectors.registry import INJECTORS, PROMPT_INJECTORS
from tasks.model_identity import asks_models, injection_identity, panel_identity
from tasks.pools import NOTHING, Pool, Standing
from tasks.queues import PromptQueue, Queue, RuleQueue, order_for
from tasks.specs import Injecting, InjectionShard, PanelShard, PartName, PromptShard, cut

_LOWEST_RATE = 0.05


class _Waiting(NamedTuple):
    """A candidate that no validator has seen, and the part that holds it."""

    contender: Contender
    made: PartName

    @property
    def id(self) -> str:
        return self.contender.candidate.id


class InjectionPlan:
    """Hands out shards in waves, first for injection and then for the panel, where there is one. How many samples are
    asked for follows from the share kept so far; candidates go before the panel in their order of preference, and no
    more of them than are wanted, since each costs money. Of those that are the same input one is asked about, and the
    next one only where it did not pass; about what is the same input as one that is `standing`, nobody is asked."""

    def __init__(self, pool: Pool, recipe: Recipe, standing: Standing = NOTHING) -> None:
        self._pool = pool
        self._recipe = recipe
        self._targets = {subtype: recipe.targets[subtype] for subtype in Subtype if recipe.targets.get(subtype)}
        donors = _assign_donors(pool, recipe) if Subtype.MISMATCH in self._targets else {}
        self._queues = {subtype: _make_queue(pool, subtype, recipe, donors) for subtype in self._targets}
        self._waiting: dict[Subtype, list[_Waiting]] = {subtype: [] for subtype in self._targets}
        self._judged = dict.fromkeys(self._targets, 0)
        self._kept: dict[Subtype, list[Contender]] = {subtype: [] for subtype in self._targets}
        self._decisions: list[Decision] | None = None
        self._looks = group_pictures({**standing.hashes, **pool.hashes})
        self._standing = self._contenders(standing.candidates)

    def waves(self) -> Iterator[list[Injecting]]:
        """Shards to run together, until every target is reached or nothing is left to try. Record the results of one
        wave, and of the panels on them, before asking for the next."""
        while wave := self._next_wave():
            yield wave

    def panels(self) -> Iterator[list[PanelShard]]:
        """Candidates to be judged together, until the targets are reached or nobody waits; nothing without a panel.
        Record the results of one round before asking for the next."""
        while shards := self._next_panel():
            yield shards

    def record(self, shard: Injecting, candidates: Sequence[FlawedSample]) -> None:
        """Candidates that passed the programmatic filters, in any order of shards."""
        if self._recipe.judging:
            made = shard.parts[0]
            self._waiting[shard.subtype] += [_Waiting(found, made) for found in self._contenders(candidates)]
            self._decisions = None
        else:
            self._keep(shard.subtype, self._contenders(candidates))

    def record_judged(self, shard: PanelShard, passed: Collection[str]) -> None:
        """The ids of those that the panel passed."""
        judged = set(shard.candidates)
        own = [found for found in self._waiting[shard.subtype] if found.id in judged]
        self._waiting[shard.subtype] = [found for found in self._waiting[shard.subtype] if found.id not in judged]
        self._judged[shard.subtype] += len(own)
        self._keep(shard.subtype, [found.contender for found in own if found.id in passed])

    def decide(self) -> list[Decision]:
        """One decision of the stage SELECT for each candidate that passed all filters, and for each that was not put
        before the panel because it is the same input as a kept one."""
        if self._decisions is None:
            unjudged = [found.contender for subtype in self._targets for found in self._in_turn(subtype)]
            self._decisions = select(self._in_order(), self._targets, unjudged, self._standing)
        return self._decisions

    def selected(self) -> list[FlawedSample]:
        """Those that become part of the build, in order."""
        kept = {decision.item for decision in self.decide() if decision.keep}
        return [found.candidate for found in self._in_order() if found.candidate.id in kept]

    def _contenders(self, candidates: Iterable[FlawedSample]) -> list[Contender]:
        return [make_contender(candidate, self._looks) for candidate in candidates]

    def _keep(self, subtype: Subtype, contenders: Iterable[Contender]) -> None:
        self._kept[subtype] += contenders
        self._decisions = None

    def _next_wave(self) -> list[Injecting]:
        wave: list[Injecting] = []
        for subtype, missing in self._missing().items():
            tried = self._queues[subtype].handed_out
            wave += self._queues[subtype].take(_needed(missing, len(self._kept[subtype]), tried))
        return wave

    def _next_panel(self) -> list[PanelShard]:
        shards: list[PanelShard] = []
        kept = {decision.item for decision in self.decide() if decision.keep}
        stand = {found.candidate.id for found in self._standing}
        seen = {found.seen for found in self._standing}
        seen |= {found.seen for found in self._in_order() if found.candidate.id in kept}
        for subtype, missing in self._missing().items():
            needed = _needed(missing, len(self._kept[subtype]), self._judged[subtype])
            chosen: list[_Waiting] = []
            for found in self._in_turn(subtype):
                if len(chosen) < needed and (found.contender.seen not in seen or found.id in stand):
                    seen.add(found.contender.seen)
                    chosen.append(found)
            shards += [self._panel_shard(subtype, part) for part in cut(chosen)]
        return shards

    def _in_turn(self, subtype: Subtype) -> list[_Waiting]:
        ranks = self._queues[subtype].ranks
        return sorted(self._waiting[subtype], key=lambda found: ranks[found.contender.candidate.parent])

    def _panel_shard(self, subtype: Subtype, chosen: Sequence[_Waiting]) -> PanelShard:
        assert self._recipe.models is not None
        return PanelShard(
            pool=self._pool.name,
            made=tuple(dict.fromkeys(found.made for found in chosen)),
            subtype=subtype,
            candidates=tuple(found.id for found in chosen),
            identity=panel_identity(self._recipe.models),
            seed=self._recipe.seed,
        )

    def _in_order(self) -> list[Contender]:
        return [
            contender
            for subtype, contenders in self._kept.items()
            for contender in sorted(contenders, key=lambda found: self._queues[subtype].ranks[found.candidate.parent])
        ]

    def _missing(self) -> dict[Subtype, int]:
        """What each subtype lacks, where it lacks any."""
        counts = Counter(decision.subtype for decision in self.decide() if decision.keep)
        return {
            subtype: target - counts[subtype] for subtype, target in self._targets.items() if target > counts[subtype]
        }


def rule_shards(pool: Pool, recipe: Recipe) -> dict[Subtype, list[InjectionShard]]:
    """All shards of each subtype that rules make, in order. Raises ConfigurationError."""
    samples = [sample.id for sample in pool.samples]
    made = [
        subtype
        for subtype, target in recipe.targets.items()
        if target and not (recipe.models and asks_models(subtype, recipe.models))
    ]
    donors = _assign_donors(pool, recipe) if Subtype.MISMATCH in made else {}
    return {
        subtype: _rule_shards(pool, order_for(samples, recipe.seed, subtype), subtype, recipe, donors)
        for subtype in made
    }


def _needed(missing: int, kept: int, tried: int) -> int:
    """How many to try for that many more, at the rate so far."""
    return math.ceil(missing / (max(kept / tried, _LOWEST_RATE) if tried else 1.0))


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
        for part in cut(order)
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
