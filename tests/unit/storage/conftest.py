"""Records to store: one question with one picture, and what can be made of it."""

import hashlib
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.recipe import Recipe, SourceRecipe
from core.records import (
    Blob,
    Decision,
    DegradationMeasure,
    Flaw,
    FlawedSample,
    Language,
    Picture,
    PictureDegradation,
    PictureReplacement,
    Sample,
    Stage,
    Subject,
    TextEdit,
    TextPart,
)
from core.taxonomy import Subtype
from storage.database import Database
from storage.lineage import Lineage
from storage.membership import ItemKind, Member
from storage.parts import Part, PartInfo, make_part
from storage.rows import candidate_rows, decision_rows, sample_rows
from storage.runs import Outcome, ReleaseInfo, RunInfo

STARTED = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def _picture(name: str) -> Picture:
    return Picture(sha256=hashlib.sha256(name.encode()).hexdigest(), media_type="image/png", width=64, height=48)


@pytest.fixture(scope="session")
def make_picture() -> Callable[[str], Picture]:
    return _picture


@pytest.fixture(scope="session")
def make_blob() -> Callable[[bytes], Blob]:
    def make(data: bytes) -> Blob:
        sha256 = hashlib.sha256(data).hexdigest()
        return Blob(Picture(sha256=sha256, media_type="image/png", width=64, height=48), data)

    return make


@pytest.fixture(scope="session")
def make_sample() -> Callable[[int], Sample]:
    def make(number: int) -> Sample:
        return Sample(
            source="emma",
            source_id=f"row-{number}",
            context=f"A block of {number} kg lies on a table.",
            query="Which force acts on it? <image 1>",
            pictures=(_picture(f"sample {number}"),),
            answer="weight",
            subject=Subject.PHYSICS,
            language=Language.ENGLISH,
            licence="CC-BY-4.0",
            attribution="EMMA",
        )

    return make


@pytest.fixture(scope="session")
def make_candidate() -> Callable[[Sample], FlawedSample]:
    def make(sample: Sample) -> FlawedSample:
        edit = TextEdit(part=TextPart.QUERY, start=6, before="force", after="thing")
        return FlawedSample(
            parent=sample.id,
            context=sample.context,
            query="Which thing acts on it? <image 1>",
            pictures=sample.pictures,
            flaws=(_flaw(Subtype.AMBIGUITY, edit),),
        )

    return make


@pytest.fixture(scope="session")
def make_degraded() -> Callable[[Sample], FlawedSample]:
    def make(sample: Sample) -> FlawedSample:
        after, mask = _picture(f"after {sample.id}"), _picture(f"mask {sample.id}")
        measure = DegradationMeasure(
            operation="warp",
            saliency="sobel",
            target=0.25,
            share=0.251,
            mass_share=0.4,
            image_share=0.1,
            region_share=0.3,
            leak=0.0,
            pushed_share=0.02,
            mean_change=31.5,
            threshold=8,
        )
        edit = PictureDegradation(index=0, before=sample.pictures[0], after=after, mask=mask, measure=measure)
        return FlawedSample(
            parent=sample.id,
            context=sample.context,
            query=sample.query,
            pictures=(after,),
            flaws=(_flaw(Subtype.LIGHT_MISSING_VISUAL_PREMISE, edit),),
        )

    return make


@pytest.fixture(scope="session")
def make_mismatch() -> Callable[[Sample, Sample], FlawedSample]:
    def make(sample: Sample, donor: Sample) -> FlawedSample:
        edit = PictureReplacement(index=0, before=sample.pictures[0], after=donor.pictures[0], donor=donor.id)
        return FlawedSample(
            parent=sample.id,
            context=sample.context,
            query=sample.query,
            pictures=donor.pictures,
            flaws=(_flaw(Subtype.MISMATCH, edit),),
        )

    return make


@pytest.fixture(scope="session")
def make_info() -> Callable[[Stage, str], PartInfo]:
    def make(stage: Stage, name: str) -> PartInfo:
        return PartInfo(
            key=hashlib.sha256(name.encode()).hexdigest(),
            stage=stage,
            seed=42,
            run_id="run_of_the_test",
            code_commit="c0ffee",
            started=STARTED,
            seconds=1.5,
        )

    return make


@pytest.fixture(scope="session")
def recipe() -> Recipe:
    return Recipe(name="small", sources=(SourceRecipe(reader="emma"),), targets={Subtype.AMBIGUITY: 2})


@pytest.fixture(scope="session")
def run(recipe: Recipe) -> RunInfo:
    return RunInfo(
        build="small",
        flow="build-benchmark",
        recipe_id=recipe.id,
        code_commit="c0ffee",
        seed=42,
        parameters='{"limit":5}',
        started=STARTED,
    )


@pytest.fixture(scope="session")
def release(recipe: Recipe, run: RunInfo) -> ReleaseInfo:
    return ReleaseInfo(
        name="small-1",
        build="small",
        recipe_id=recipe.id,
        run_id=run.id,
        code_commit="c0ffee",
        manifest_sha256="ab" * 32,
        created=STARTED,
    )


@pytest.fixture(scope="session")
def samples(make_sample: Callable[[int], Sample]) -> list[Sample]:
    """Of the small build: six rows were read, one of them quarantined; the last of these five is a duplicate."""
    return [make_sample(number) for number in range(5)]


@pytest.fixture(scope="session")
def candidates(
    samples: list[Sample],
    make_candidate: Callable[[Sample], FlawedSample],
    make_mismatch: Callable[[Sample, Sample], FlawedSample],
) -> list[FlawedSample]:
    """Three of ambiguity (dropped, over the target, selected) and one of mismatch (selected)."""
    return [*(make_candidate(sample) for sample in samples[:3]), make_mismatch(samples[3], samples[0])]


@pytest.fixture(scope="session")
def decisions(samples: list[Sample], candidates: list[FlawedSample]) -> list[Decision]:
    """One for each item and stage of the small build: 23."""
    ambiguity, mismatch = Subtype.AMBIGUITY, Subtype.MISMATCH
    vague, mismatched = candidates[:3], candidates[3]
    return [
        _decision(Stage.READ, "emma:row-99", None, None, "no_text"),
        *(_decision(Stage.READ, f"emma:{sample.source_id}", sample.id) for sample in samples),
        _decision(Stage.SAMPLE, samples[4].id, None, None, "duplicate"),
        *(_decision(Stage.SAMPLE, sample.id, sample.id) for sample in samples[:4]),
        _decision(Stage.INJECT, samples[3].id, None, ambiguity, "no_context"),
        *(_decision(Stage.INJECT, found.parent, found.id, ambiguity) for found in vague),
        _decision(Stage.INJECT, mismatched.parent, mismatched.id, mismatch),
        _decision(Stage.FILTER, vague[0].id, None, ambiguity, "flaw_leaked_in_text"),
        *(_decision(Stage.FILTER, found.id, found.id, ambiguity) for found in vague[1:]),
        _decision(Stage.FILTER, mismatched.id, mismatched.id, mismatch),
        _decision(Stage.SELECT, vague[1].id, None, ambiguity, "over_target"),
        _decision(Stage.SELECT, vague[2].id, vague[2].id, ambiguity),
        _decision(Stage.SELECT, mismatched.id, mismatched.id, mismatch),
    ]


@pytest.fixture(scope="session")
def parts(
    samples: list[Sample],
    candidates: list[FlawedSample],
    decisions: list[Decision],
    run: RunInfo,
    make_info: Callable[[Stage, str], PartInfo],
) -> list[Part]:
    """The small build in three parts."""
    read = [row for sample in samples for row in sample_rows(sample, [(sample.pictures[0].sha256, 2**64 - 1)])]
    made = [row for found in candidates for row in candidate_rows(found)]
    decided = [row for decision in decisions for row in decision_rows(decision)]
    return [
        make_part(make_info(stage, stage.value).model_copy(update={"run_id": run.id}), rows)
        for stage, rows in ((Stage.READ, read), (Stage.INJECT, made), (Stage.SELECT, decided))
    ]


@pytest.fixture(scope="session")
def new_file(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    """Each a lineage file with all tables and no rows, copied: making the tables anew takes longer than most tests."""
    empty = tmp_path_factory.mktemp("empty") / "lineage.duckdb"
    with Database(empty, 20.0).writing():
        pass
    return lambda: Path(shutil.copyfile(empty, tmp_path_factory.mktemp("new") / empty.name))


@pytest.fixture
def lineage(new_file: Callable[[], Path]) -> Lineage:
    return Lineage(new_file(), 20.0)


@pytest.fixture(scope="session")
def filled(
    tmp_path_factory: pytest.TempPathFactory,
    samples: list[Sample],
    candidates: list[FlawedSample],
    decisions: list[Decision],
    parts: list[Part],
    recipe: Recipe,
    run: RunInfo,
    release: ReleaseInfo,
) -> Lineage:
    """The small build, stored and published: for reading only."""
    lineage = Lineage(tmp_path_factory.mktemp("filled") / "lineage.duckdb", 20.0)
    lineage.add_recipe(recipe)
    lineage.start_run(run)
    lineage.ingest(parts)
    for kind, items in (
        (ItemKind.SAMPLE, [Member(sample.id, None, rank) for rank, sample in enumerate(samples[:4])]),
        (ItemKind.CANDIDATE, [Member(found.id, found.subtype, rank) for rank, found in enumerate(candidates[2:])]),
        (ItemKind.DECISION, [Member(found.id, found.subtype, rank) for rank, found in enumerate(decisions)]),
    ):
        lineage.set_members("small", kind, items, replace=True)
    lineage.add_release(release, [candidate.id for candidate in candidates[2:]])
    lineage.finish_run(run.id, Outcome.COMPLETED, STARTED)
    return lineage


def _decision(
    stage: Stage, item: str, output: str | None, subtype: Subtype | None = None, reason: str | None = None
) -> Decision:
    return Decision(
        stage=stage,
        item=item,
        output=output,
        subtype=subtype,
        keep=reason is None,
        reason=reason,
        evidence="" if reason is None else f"because {reason}",
        decided_by="rules",
    )


def _flaw(subtype: Subtype, edit: TextEdit | PictureDegradation | PictureReplacement) -> Flaw:
    return Flaw(
        subtype=subtype,
        generator="rules",
        injector_version=1,
        edits=(edit,),
        explanation="Nothing says which thing is meant.",
    )
