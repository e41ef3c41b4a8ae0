"""Records to store: one question with one picture, and what can be made of it."""

import hashlib
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

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
from storage.parts import PartInfo

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
def make_decision() -> Callable[..., Decision]:
    def make(
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


@pytest.fixture
def start_python(root: Path) -> Callable[..., subprocess.Popen[str]]:
    """Runs code in a process of its own, with the project importable."""

    def start(code: str, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", code, *arguments],
            cwd=root,
            env={"PYTHONPATH": str(root), "PATH": "/usr/bin:/bin"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return start


def _flaw(subtype: Subtype, edit: TextEdit | PictureDegradation | PictureReplacement) -> Flaw:
    return Flaw(
        subtype=subtype,
        generator="rules",
        injector_version=1,
        edits=(edit,),
        explanation="Nothing says which thing is meant.",
    )
