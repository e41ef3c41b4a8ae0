"""Which pictures are asked for which premises, in which order, until each subtype and label has what the recipe asks
for (J-2: a NO leads to the next picture). Pure, as `tasks.planning`: a run that was cut off asks for the same work
again."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from core.model_specs import GeneratorShare
from core.premises import Pairing, Split
from core.recipe import PremisesRecipe, Recipe
from core.taxonomy import PremiseSubtype
from filters.premise_splits import PremiseItem, Selection, Shares, group_pictures, kind_of, select_premises
from injectors.premise.questioning import VERSION
from tasks.pools import Pool
from tasks.premise_identity import premise_identity, rules_identity
from tasks.premise_specs import PremiseShard
from tasks.queues import PromptQueue, order_for

_LOWEST_RATE = 0.05
_BY_RULES = (GeneratorShare(model="", share=1.0),)

Kind = tuple[PremiseSubtype, bool | None]


class PremisePlan:
    """Hands out shards in waves. How many pictures are asked follows from the share that gave something so far, since
    each costs money."""

    def __init__(self, pool: Pool, recipe: Recipe) -> None:
        assert recipe.premises is not None
        self._shares = shares_of(recipe.premises)
        self._targets = _targets(recipe.premises)
        alike = group_pictures(pool.hashes)
        asked = _choose_pictures(pool)
        self._groups = {sample: alike[sha256] for sha256, sample in asked.items()}
        self._queues = {kind: _make_queue(pool, list(asked.values()), kind, recipe) for kind in self._targets}
        self._items: dict[Kind, list[PremiseItem]] = {kind: [] for kind in self._targets}
        self._selection: Selection | None = None

    def waves(self) -> Iterator[list[PremiseShard]]:
        """Shards to run together, until every target is reached or no picture is left. Record the results of one wave
        before asking for the next."""
        while wave := self._next_wave():
            yield wave

    def record(self, items: Sequence[PremiseItem]) -> None:
        """Those that were verified, in any order of shards."""
        for item in items:
            self._items[kind_of(item)].append(item)
        self._selection = None

    def select(self) -> Selection:
        """A decision on each item that was recorded."""
        if self._selection is None:
            self._selection = select_premises(self._in_order(), self._groups, self._targets, self._shares)
        return self._selection

    def selected(self) -> list[PremiseItem]:
        splits = self.select().splits
        return [item for item in self._in_order() if item[0].id in splits]

    def _next_wave(self) -> list[PremiseShard]:
        wave: list[PremiseShard] = []
        for kind, missing in self._missing().items():
            queue, kept = self._queues[kind], len(self._items[kind])
            rate = max(kept / queue.handed_out, _LOWEST_RATE) if queue.handed_out else 1.0
            wave += queue.take(math.ceil(missing / rate))
        return wave

    def _in_order(self) -> list[PremiseItem]:
        """By subtype, then in the order in which pictures were asked; of one picture by id."""
        return [
            item
            for kind, items in self._items.items()
            for item in sorted(items, key=lambda found: (self._queues[kind].ranks[found[0].sample], found[0].item))
        ]

    def _missing(self) -> dict[Kind, int]:
        """What each lacks, where it lacks any."""
        counts = Counter(map(kind_of, self.selected()))
        return {kind: target - counts[kind] for kind, target in self._targets.items() if target > counts[kind]}


def shares_of(premises: PremisesRecipe) -> Shares:
    training = 1 - premises.test_share
    return Shares(premises.test_share, training * (1 - premises.grpo_share), training * premises.grpo_share)


def _targets(premises: PremisesRecipe) -> dict[Kind, int]:
    labels = (None,) if premises.pairing is Pairing.MATCHED else (True, False)
    return {
        (subtype, label): premises.targets[subtype]
        for subtype in PremiseSubtype
        for label in labels
        if premises.targets.get(subtype)
    }


def _choose_pictures(pool: Pool) -> dict[str, str]:
    """The first sample by id of each picture, of those that show no other one beside it."""
    single = [sample for sample in pool.samples if len(sample.pictures) == 1]
    return {
        sample.pictures[0].sha256: sample.id for sample in sorted(single, key=lambda sample: sample.id, reverse=True)
    }


def _make_queue(pool: Pool, samples: Sequence[str], kind: Kind, recipe: Recipe) -> PromptQueue[PremiseShard]:
    """Where each label has pictures of its own, they are dealt in turn."""
    subtype, label = kind
    order = order_for(samples, recipe.seed, subtype)
    if label is not None:
        order = order[0 if label else 1 :: 2]
    models = recipe.models
    shares = models.generators if models else _BY_RULES
    identities: Mapping[str, str] = (
        {share.model: premise_identity(models, share.model, subtype) for share in shares}
        if models
        else {"": rules_identity()}
    )
    template = PremiseShard(
        pool=pool.name,
        subtype=subtype,
        label=label,
        version=VERSION,
        seed=recipe.seed,
        samples=(),
        generator="",
        identity="",
    )
    return PromptQueue(template, order, shares, identities)


def training_questions(selection: Selection) -> list[str]:
    """Those that get an answer, in order."""
    return [question for question, split in selection.splits.items() if split is Split.SFT]
