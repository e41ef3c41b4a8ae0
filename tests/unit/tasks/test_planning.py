"""Which samples go where: the same shards whatever the order of results, and no more of them than needed."""

import random
from typing import NamedTuple

import pytest

from core.model_specs import load_models
from core.recipe import Recipe, SourceRecipe
from core.records import Flaw, FlawedSample, Language, Picture, Sample, Stage, Subject, TextEdit, TextPart, TextRemoval
from core.taxonomy import Subtype
from filters.base import DropReason
from tasks.planning import InjectionPlan
from tasks.pools import Pool, Standing
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


SEEN = {number: Picture(sha256=f"{number:064x}", media_type="image/png", width=9, height=9) for number in range(3)}
HASHES = {SEEN[0].sha256: 0, SEEN[1].sha256: 0b101, SEEN[2].sha256: 2**32 - 1}


class Verdicts(NamedTuple):
    """`made` by picture; `judged` in the order in which they went before the panel, which passed all."""

    made: dict[str, Picture]
    judged: list[str]


def judge_pictures(plan: InjectionPlan) -> Verdicts:
    """Candidates without a text, each with one of the first three pictures."""
    made: dict[str, Picture] = {}
    judged: list[str] = []
    for wave in plan.waves():
        for shard in wave:
            shown = [
                found.model_copy(update={"context": None, "query": None, "pictures": (SEEN[number % 3],)})
                for number, found in enumerate(accept(shard))
            ]
            made |= {found.id: found.pictures[0] for found in shown}
            plan.record(shard, shown)
        for panel in plan.panels():
            for shard in panel:
                judged += shard.candidates
                plan.record_judged(shard, shard.candidates)
    return Verdicts(made, judged)


PICTURES_ONLY = make_recipe(20).model_copy(
    update={"models": load_models("mmpcbench"), "targets": {Subtype.MISSING_INSTRUCTION: 20}}
)


def test_the_panel_sees_one_of_the_candidates_whose_pictures_look_alike_and_all_others_are_decided() -> None:
    plan = InjectionPlan(Pool(PartName(Stage.SAMPLE, "pool"), POOL[:30], HASHES), PICTURES_ONLY)
    made, judged = judge_pictures(plan)
    assert {made[name] == SEEN[2] for name in judged} == {True, False}
    assert len(judged) == 2
    decisions = {decision.item: decision for decision in plan.decide()}
    assert decisions.keys() == made.keys()
    (shown,) = (made[name] for name in judged if made[name] != SEEN[2])
    near = [name for name, picture in made.items() if picture not in (shown, SEEN[2])]
    assert {decisions[name].reason for name in near} == {DropReason.NEAR_DUPLICATE}


def test_nobody_is_asked_about_what_looks_like_a_row_that_stands_in_the_build() -> None:
    flaw = Flaw(
        subtype=Subtype.MISSING_INSTRUCTION,
        generator="rules",
        injector_version=1,
        edits=(TextRemoval(part=TextPart.QUERY),),
        explanation="No text.",
    )
    row = FlawedSample(parent="elsewhere", context=None, query=None, pictures=(SEEN[1],), flaws=(flaw,))
    pool = Pool(PartName(Stage.SAMPLE, "pool"), POOL[:30], {SEEN[0].sha256: HASHES[SEEN[0].sha256]})
    plan = InjectionPlan(pool, PICTURES_ONLY, Standing((), (row,), {SEEN[1].sha256: HASHES[SEEN[1].sha256]}))
    made, judged = judge_pictures(plan)
    assert [made[name] for name in judged] == [SEEN[2]]
    found = {decision.reason for decision in plan.decide() if made[decision.item] == SEEN[0]}
    assert found == {DropReason.NEAR_DUPLICATE}


def test_rows_that_stand_in_the_build_go_before_the_panel_again_whose_replies_are_stored() -> None:
    pool = Pool(PartName(Stage.SAMPLE, "pool"), POOL[:30], HASHES)
    first = InjectionPlan(pool, PICTURES_ONLY)
    judged = judge_pictures(first).judged
    again = InjectionPlan(pool, PICTURES_ONLY, Standing((), tuple(first.selected()), HASHES))
    assert judge_pictures(again).judged == judged
    assert [found.id for found in again.selected()] == [found.id for found in first.selected()]
