"""Which samples go where: the same shards whatever the order of results, and no more of them than needed."""

import random
from typing import NamedTuple

import pytest

from core.model_specs import load_models
from core.recipe import Recipe, SourceRecipe
from core.records import Flaw, FlawedSample, Language, Sample, Stage, Subject, TextEdit, TextPart
from core.taxonomy import Subtype
from filters.base import DropReason
from tasks.planning import InjectionPlan
from tasks.pools import Pool
from tasks.specs import SHARD_SIZE, Injecting, PartName


def make_sample(number: int) -> Sample:
    return Sample(
        source="test",
        source_id=str(number),
        context=f"A block has a mass of {number} kg.",
        query="What is its weight?",
        subject=Subject.PHYSICS,
        language=Language.ENGLISH,
        licence="CC0-1.0",
        attribution="test",
    )


POOL = [make_sample(number) for number in range(230)]


def make_recipe(target: int) -> Recipe:
    return Recipe(name="plan", sources=(SourceRecipe(reader="starter"),), targets={Subtype.AMBIGUITY: target})


def make_pool(key: str, samples: list[Sample]) -> Pool:
    return Pool(PartName(Stage.SAMPLE, key), samples, {})


def make_plan(pool: list[Sample], target: int, seed: int = 42) -> InjectionPlan:
    return InjectionPlan(make_pool("pool", pool), make_recipe(target).model_copy(update={"seed": seed}))


def accept(shard: Injecting, every: int = 1) -> list[FlawedSample]:
    """A candidate of every n-th sample, told by its id."""
    edit = TextEdit(part=TextPart.QUERY, start=0, before="What", after="Which")
    flaw = Flaw(
        subtype=shard.subtype, generator="rules", injector_version=1, edits=(edit,), explanation="Two readings fit."
    )
    return [
        FlawedSample(parent=sample, context=sample, query="Which is it?", flaws=(flaw,))
        for sample in shard.samples
        if int(sample[4:12], 16) % every == 0
    ]


class Outcome(NamedTuple):
    kept: list[str]
    shards: list[Injecting]


def run(plan: InjectionPlan, every: int = 1, shuffled: random.Random | None = None) -> Outcome:
    shards: list[Injecting] = []
    for wave in plan.waves():
        if shuffled:
            shuffled.shuffle(wave)
        for shard in wave:
            plan.record(shard, accept(shard, every))
        shards += wave
    return Outcome([decision.item for decision in plan.decide() if decision.keep], shards)


def test_only_as_many_shards_run_as_the_target_needs() -> None:
    outcome = run(make_plan(POOL, 60))
    assert len(outcome.kept) == 60
    assert len(outcome.shards) == 2


def test_refusals_bring_further_shards_until_the_pool_is_used_up() -> None:
    kept, shards = run(make_plan(POOL, 100), every=4)
    everything = sum(len(accept(shard, 4)) for shard in shards)
    assert len(shards) == 5
    assert len(kept) == everything < 100


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_neither_the_order_of_the_pool_nor_of_the_results_matters(seed: int) -> None:
    shuffled = list(POOL)
    random.Random(seed).shuffle(shuffled)
    assert run(make_plan(shuffled, 90), 2, random.Random(seed)).kept == run(make_plan(POOL, 90), 2).kept


def test_a_larger_target_uses_the_same_shards_and_more() -> None:
    small, large = run(make_plan(POOL, 60)), run(make_plan(POOL, 160))
    assert {shard.key for shard in small.shards} < {shard.key for shard in large.shards}
    assert large.kept[: len(small.kept)] == small.kept


def test_another_seed_gives_another_choice() -> None:
    assert set(run(make_plan(POOL, 60, seed=1)).kept) != set(run(make_plan(POOL, 60, seed=2)).kept)


def test_shards_hold_every_sample_once() -> None:
    shards = run(make_plan(POOL, len(POOL))).shards
    samples = [sample for shard in shards for sample in shard.samples]
    assert sorted(samples) == sorted(sample.id for sample in POOL)
    assert max(len(shard.samples) for shard in shards) == SHARD_SIZE


def test_the_key_of_a_shard_does_not_depend_on_where_its_samples_are_stored() -> None:
    one = InjectionPlan(make_pool("pool one", POOL), make_recipe(10))
    two = InjectionPlan(make_pool("pool two", POOL), make_recipe(10))
    assert [shard.key for shard in next(one.waves())] == [shard.key for shard in next(two.waves())]


def test_the_panel_sees_no_more_candidates_than_are_wanted_and_the_best_ranked_first() -> None:
    """Half pass: of 100 candidates, 20 wanted need 20 judged, then 20 for the 10 that lack."""
    recipe = make_recipe(20).model_copy(update={"models": load_models("mmpcbench"), "targets": {Subtype.MISMATCH: 20}})
    plan = InjectionPlan(make_pool("pool", POOL), recipe)
    judged: list[str] = []
    for wave in plan.waves():
        for shard in wave:
            plan.record(shard, accept(shard))
        for panel in plan.panels():
            for shard in panel:
                passed = [name for number, name in enumerate(shard.candidates) if number % 2]
                plan.record_judged(shard, passed)
                judged += shard.candidates
    assert len(plan.selected()) == 20
    assert len(judged) == len(set(judged)) == 40


def test_without_a_panel_no_candidate_waits() -> None:
    plan = make_plan(POOL, 60)
    for shard in next(plan.waves()):
        plan.record(shard, accept(shard))
    assert list(plan.panels()) == []
    assert len(plan.selected()) == 60


def test_a_duplicate_of_what_the_panel_passed_is_decided_though_it_comes_last_and_nobody_is_asked() -> None:
    recipe = make_recipe(20).model_copy(update={"models": load_models("mmpcbench"), "targets": {Subtype.MISMATCH: 20}})
    plan = InjectionPlan(make_pool("pool", POOL), recipe)
    made: list[FlawedSample] = []
    judged: list[str] = []
    for wave in plan.waves():
        for shard in wave:
            alike = [found.model_copy(update={"context": "one word"}) for found in accept(shard)]
            made += alike
            plan.record(shard, alike)
        for panel in plan.panels():
            for shard in panel:
                judged += shard.candidates
                plan.record_judged(shard, shard.candidates)
    assert len(judged) == 1
    assert {decision.item for decision in plan.decide()} == {found.id for found in made}


def test_of_candidates_that_are_the_same_input_the_panel_sees_one_and_the_next_only_when_it_fails() -> None:
    """Pictures in common, texts removed: here what all candidates show is one of three words."""
    recipe = make_recipe(20).model_copy(update={"models": load_models("mmpcbench"), "targets": {Subtype.MISMATCH: 20}})
    plan = InjectionPlan(make_pool("pool", POOL[:30]), recipe)
    words: dict[str, str] = {}
    made: list[FlawedSample] = []
    judged: list[str] = []
    for wave in plan.waves():
        for shard in wave:
            alike = [
                found.model_copy(update={"context": f"word {number % 3}"})
                for number, found in enumerate(accept(shard), len(made))
            ]
            made += alike
            words |= {found.id: found.context or "" for found in alike}
            plan.record(shard, alike)
        for panel in plan.panels():
            for shard in panel:
                judged += shard.candidates
                seen = [words[name] for name in judged]
                plan.record_judged(shard, [name for name in shard.candidates if seen.count(words[name]) > 1])
    assert sorted(words[name] for name in judged) == ["word 0", "word 0", "word 1", "word 1", "word 2", "word 2"]
    decisions = {decision.item: decision for decision in plan.decide()}
    failed = {name for number, name in enumerate(judged) if words[name] not in [words[it] for it in judged[:number]]}
    assert decisions.keys() == {found.id for found in made} - failed
    assert sum(decision.keep for decision in decisions.values()) == 3
    assert {decision.reason for decision in decisions.values() if not decision.keep} == {DropReason.DUPLICATE}
