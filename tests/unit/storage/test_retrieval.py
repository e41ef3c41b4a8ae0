from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.recipe import Recipe, SourceRecipe
from core.records import Flaw, FlawedSample, Language, Picture, Sample, Stage, Subject, TextPart, TextRemoval
from core.taxonomy import Subtype
from storage.lineage import Lineage
from storage.membership import ItemKind, Member
from storage.parts import PartInfo, make_part
from storage.retrieval import BuildRecipes
from storage.rows import candidate_rows, sample_rows


@pytest.fixture
def lineage(tmp_path: Path) -> Lineage:
    return Lineage(tmp_path / "lineage.duckdb", 5)


def make_sample(number: int) -> Sample:
    return Sample(
        source="test",
        source_id=str(number),
        context=None,
        query=f"What is {number}?",
        subject=Subject.PHYSICS,
        language=Language.ENGLISH,
        licence="CC0-1.0",
        attribution="test",
        pictures=(Picture(sha256=f"{number:064x}", media_type="image/png", width=20, height=20),),
    )


def make_candidate(sample: Sample) -> FlawedSample:
    flaw = Flaw(
        subtype=Subtype.MISSING_INSTRUCTION,
        generator="rules",
        injector_version=1,
        edits=(TextRemoval(part=TextPart.QUERY),),
        explanation="Nothing says what to do.",
    )
    return FlawedSample(parent=sample.id, context=None, query=None, pictures=sample.pictures, flaws=(flaw,))


def store(lineage: Lineage, samples: list[Sample], candidates: list[FlawedSample]) -> None:
    rows = [row for sample in samples for row in sample_rows(sample, [])]
    rows += [row for candidate in candidates for row in candidate_rows(candidate)]
    info = PartInfo(
        key="0" * 64, stage=Stage.INJECT, run_id="run_x", code_commit="x", started=datetime.now(UTC), seconds=0
    )
    lineage.ingest([make_part(info, rows)])


def test_candidates_come_back_in_the_order_of_the_build(lineage: Lineage) -> None:
    samples = [make_sample(number) for number in range(5)]
    candidates = [make_candidate(sample) for sample in samples]
    store(lineage, samples, candidates)
    wanted = [candidates[3], candidates[0], candidates[4]]
    members = [Member(item.id, item.subtype, rank) for rank, item in enumerate(wanted)]
    lineage.set_members("mine", ItemKind.CANDIDATE, members, replace=True)
    assert lineage.candidates("mine") == wanted
    assert lineage.candidates("another") == []


def test_samples_come_back_by_id_and_unknown_ids_are_left_out(lineage: Lineage) -> None:
    samples = [make_sample(number) for number in range(3)]
    store(lineage, samples, [])
    assert lineage.samples([samples[1].id, "smp_unknown"]) == {samples[1].id: samples[1]}


def test_a_build_has_the_recipes_of_the_runs_whose_rows_it_holds_in_their_order(lineage: Lineage) -> None:
    first, added, origin, unused = (
        Recipe(name="mine", seed=seed, sources=(SourceRecipe(reader="starter"),), targets={Subtype.AMBIGUITY: 1})
        for seed in (4, 3, 2, 1)
    )
    ids = [lineage.add_recipe(recipe) for recipe in (unused, origin, added, first)]
    own = [Member(recipe, None, rank) for rank, recipe in enumerate((ids[3], ids[2]))]
    lineage.set_members("mine", ItemKind.RECIPE, own, replace=True)
    lineage.set_members("mine", ItemKind.ORIGIN, [Member(ids[1], None, 0)], replace=True)
    assert lineage.recipes("mine") == BuildRecipes((first, added), (origin,))
    assert lineage.recipes("another") == BuildRecipes()
