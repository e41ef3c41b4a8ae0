"""Which pictures are asked: as many as the yield so far asks for, each once, up to the target or the last one."""

import random
from collections.abc import Callable

from core.premises import Pairing, Premise, PremiseQuestion
from core.recipe import PremisesRecipe, Recipe, SourceRecipe
from core.records import Language, Picture, Sample, Stage, Subject
from core.taxonomy import PremiseSubtype
from filters.premise_splits import PremiseItem
from tasks.pools import Pool
from tasks.premise_planning import PremisePlan
from tasks.premise_specs import PremiseShard
from tasks.specs import PartName

KIND = PremiseSubtype.EMOTIONAL_STATE
Yields = Callable[[str], bool]


def make_sample(number: int, pictures: int = 1) -> Sample:
    return Sample(
        source="test",
        source_id=str(number),
        context=None,
        query=None,
        pictures=tuple(
            Picture(sha256=f"{number * 10 + at:064x}", media_type="image/png", width=64, height=48)
            for at in range(pictures)
        ),
        subject=Subject.ART_DESIGN,
        language=Language.ENGLISH,
        licence="CC0-1.0",
        attribution="test",
    )


def make_pool(samples: list[Sample]) -> Pool:
    shown = [picture.sha256 for sample in samples for picture in sample.pictures]
    hashes = {sha256: random.Random(sha256).getrandbits(64) for sha256 in shown}
    return Pool(PartName(Stage.SAMPLE, "pool"), samples, hashes)


POOL = [make_sample(number) for number in range(300)]


def make_plan(target: int, pairing: Pairing = Pairing.MATCHED, samples: list[Sample] = POOL) -> PremisePlan:
    recipe = Recipe(
        name="plan",
        sources=(SourceRecipe(reader="starter"),),
        premises=PremisesRecipe(targets={KIND: target}, pairing=pairing),
    )
    return PremisePlan(make_pool(samples), recipe)


def make_item(sample: str, label: bool | None) -> PremiseItem:
    premise = Premise(subtype=KIND, text=f"glad {sample}", caption=f"Somebody glad {sample} sits.", start=9)
    return tuple(
        PremiseQuestion(
            sample=sample,
            premise=premise,
            label=one,
            question=f"Who sits beside the {one} {sample}?",
            stated=str(one),
            start=19,
            pair=f"prp_{sample}" if label is None else None,
            language=Language.ENGLISH,
            generator="rules",
            injector_version=1,
        )
        for one in ((True, False) if label is None else (label,))
    )


def run(plan: PremisePlan, shows: Yields, order: random.Random | None = None) -> list[PremiseShard]:
    done: list[PremiseShard] = []
    for wave in plan.waves():
        done += wave
        shards = order.sample(wave, len(wave)) if order else wave
        for shard in shards:
            plan.record([make_item(sample, shard.label) for sample in shard.samples if shows(sample)])
    return done


def one_in(many: int) -> Yields:
    return lambda sample: int(sample[4:12], 16) % many == 0


def test_no_leads_to_the_next_picture_until_the_target_is_reached() -> None:
    plan = make_plan(20)
    asked = [sample for shard in run(plan, one_in(7)) for sample in shard.samples]
    assert len(plan.selected()) == 20
    assert len(set(asked)) == len(asked)
    assert 100 <= len(asked) < 250


def test_where_all_show_it_no_more_are_asked_than_wanted() -> None:
    assert [len(shard.samples) for shard in run(make_plan(20), one_in(1))] == [20]


def test_it_ends_when_every_picture_was_asked() -> None:
    plan = make_plan(20)
    asked = [sample for shard in run(plan, one_in(60)) for sample in shard.samples]
    assert sorted(asked) == sorted(sample.id for sample in POOL)
    assert 0 < len(plan.selected()) < 20


def test_the_order_in_which_shards_end_changes_nothing() -> None:
    first, second = make_plan(30), make_plan(30)
    assert run(first, one_in(4)) == run(second, one_in(4), random.Random(1))
    assert first.select() == second.select()


def test_independent_questions_of_the_two_labels_are_about_other_pictures() -> None:
    plan = make_plan(20, Pairing.INDEPENDENT)
    shards = run(plan, one_in(3))
    asked = {
        label: {name for shard in shards if shard.label is label for name in shard.samples} for label in (True, False)
    }
    assert asked[True] and asked[False] and not asked[True] & asked[False]
    assert {item[0].label for item in plan.selected()} == {True, False}
    assert len(plan.selected()) == 40


def test_a_picture_is_asked_once_and_samples_with_several_or_none_are_not() -> None:
    twin = make_sample(1).model_copy(update={"source_id": "again"})
    samples = [make_sample(1), twin, make_sample(2, pictures=2), make_sample(3, pictures=0)]
    asked = [sample for shard in run(make_plan(5, samples=samples), one_in(1)) for sample in shard.samples]
    assert asked == [min(make_sample(1).id, twin.id)]


def test_the_key_of_a_shard_hangs_on_what_shapes_its_result() -> None:
    (shard,) = run(make_plan(5), one_in(1))
    other_pool = shard.model_copy(update={"pool": PartName(Stage.REWRITE, "other")})
    assert other_pool.key == shard.key
    changes = ({"label": True}, {"identity": "x"}, {"seed": 1}, {"version": 9}, {"samples": shard.samples[1:]})
    keys = {shard.model_copy(update=change).key for change in changes}
    assert len(keys | {shard.key}) == 6
