"""What shapes a sample with two flaws names its shard, so that a part is never taken for another."""

import random

import pytest

from core.recipe import Recipe, SourceRecipe
from core.records import Flaw, FlawedSample, Language, Picture, Sample, Subject, TextEdit, TextPart
from core.taxonomy import DUAL_KINDS, Subtype
from injectors.registry import INJECTORS
from tasks.combining import dual_recipe, plan_duals
from tasks.specs import DualShard

RECIPE = Recipe(name="dual", sources=(SourceRecipe(reader="starter"),), targets={Subtype.MISSING_INSTRUCTION: 16})
HASHES = {f"{number:064x}": 0xFFFF << (16 * number) for number in range(4)}
"""Any two of which are far enough from each other."""


def make_sample(number: int, subject: Subject) -> Sample:
    return Sample(
        source="test",
        source_id=str(number),
        context=None,
        query="What does the picture show?",
        pictures=(Picture(sha256=f"{number:064x}", media_type="image/png", width=40, height=30),),
        subject=subject,
        language=Language.ENGLISH,
        licence="CC0-1.0",
        attribution="test",
    )


PHYSICS, ART, BIOLOGY = (
    make_sample(number, subject)
    for number, subject in enumerate((Subject.PHYSICS, Subject.ART_DESIGN, Subject.BIOLOGY_MEDICINE))
)


def with_first(subtype: Subtype) -> FlawedSample:
    edit = TextEdit(part=TextPart.QUERY, start=0, before=PHYSICS.query or "", after="")
    flaw = Flaw(subtype=subtype, generator="rules", injector_version=1, edits=(edit,), explanation="Nothing is asked.")
    return FlawedSample(parent=PHYSICS.id, context=None, query=None, pictures=PHYSICS.pictures, flaws=(flaw,))


def plan(subtype: Subtype, *samples: Sample) -> DualShard:
    (shard,) = plan_duals("tested", [with_first(subtype)], samples, HASHES, RECIPE)
    return shard


def test_another_donor_is_new_work() -> None:
    one, other = (plan(Subtype.MISSING_INSTRUCTION, PHYSICS, donor) for donor in (ART, BIOLOGY))
    assert (one.donors, other.donors) == ((ART.id,), (BIOLOGY.id,))
    assert one.key != other.key


def test_a_pool_in_another_order_is_the_same_work() -> None:
    samples = [PHYSICS, ART, BIOLOGY]
    there = plan(Subtype.MISSING_INSTRUCTION, *samples)
    assert there.key == plan(Subtype.MISSING_INSTRUCTION, *reversed(samples)).key


def test_a_grown_pool_is_no_new_work_for_a_flaw_that_takes_from_no_other_sample() -> None:
    small, grown = (plan(Subtype.CROSS_MODAL_CONTRADICTION, PHYSICS, *others) for others in ([], [ART]))
    assert small.key == grown.key


def test_another_version_of_the_rule_that_makes_a_first_flaw_anew_is_new_work(monkeypatch: pytest.MonkeyPatch) -> None:
    before = plan(Subtype.MISSING_INSTRUCTION, PHYSICS, ART)
    monkeypatch.setattr(type(INJECTORS[Subtype.MISSING_INSTRUCTION]), "version", 99)
    assert plan(Subtype.MISSING_INSTRUCTION, PHYSICS, ART).key != before.key


def test_as_many_of_each_kind_are_wanted_as_the_paper_has() -> None:
    dual = dual_recipe(RECIPE)
    wanted = {
        name: [dual.targets[subtype] for subtype in Subtype if subtype in kind.first]
        for name, kind in DUAL_KINDS.items()
    }
    assert wanted == {
        "missing_visual_premise+ambiguity": [6, 6, 5],
        "cross_modal_contradiction+unclear_intent": [17],
        "missing_instruction+mismatch": [16],
    }
    assert sum(dual.targets.values()) == 50
    assert dual.name == "dual-dual"


def test_samples_with_two_flaws_take_each_donor_once_in_the_order_they_are_made() -> None:
    takers = [make_sample(number, Subject.PHYSICS) for number in range(20)]
    givers = [make_sample(100 + number, Subject.ART_DESIGN) for number in range(8)]
    others = [make_sample(200 + number, Subject.PHYSICS) for number in range(60)]
    samples = [*takers, *givers, *others]
    hashes = {
        picture.sha256: random.Random(picture.sha256).getrandbits(64) for one in samples for picture in one.pictures
    }
    firsts = [with_first(Subtype.MISSING_INSTRUCTION).model_copy(update={"parent": one.id}) for one in takers]
    (shard,) = plan_duals("tested", firsts, samples, hashes, RECIPE)
    assert len(set(shard.donors[:8])) == 8
