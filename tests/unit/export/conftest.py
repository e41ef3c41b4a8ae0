"""Release items of every shape: no, one and several pictures, no text, an added and a borrowed picture."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.pictures import encode_png
from core.recipe import Recipe
from core.records import (
    Blob,
    DegradationMeasure,
    Flaw,
    FlawedSample,
    Language,
    Picture,
    PictureDegradation,
    PictureRemoval,
    PictureReplacement,
    Sample,
    Subject,
    TextEdit,
    TextPart,
    TextRemoval,
)
from core.taxonomy import Subtype
from export.facts import FunnelLine, ReleaseFacts
from export.rows import ReleaseItem

Store = dict[str, bytes]


@pytest.fixture
def blobs() -> list[Blob]:
    """Eight different pictures of 24x20 pixels."""
    stream = np.random.default_rng(7)
    return [encode_png(stream.integers(0, 256, (20, 24, 3), dtype=np.uint8)) for _ in range(8)]


@pytest.fixture
def pictures(blobs: list[Blob]) -> list[Picture]:
    return [blob.picture for blob in blobs]


@pytest.fixture
def read_picture(blobs: list[Blob]) -> Callable[[Picture], bytes]:
    stored = {blob.picture.sha256: blob.data for blob in blobs}
    return lambda picture: stored[picture.sha256]


@pytest.fixture
def parents(pictures: list[Picture]) -> dict[str, Sample]:
    algebra = Sample(
        source="starter",
        source_id="algebra-1",
        context="A shop sells pens at 2 euros each.",
        query="What do 3 pens cost?",
        options=("4", "6", "8"),
        answer="6",
        correct_options=(1,),
        subject=Subject.MATHEMATICS,
        language=Language.ENGLISH,
        licence="cc0-1.0",
        attribution="The project",
    )
    circuit = algebra.model_copy(
        update={
            "source_id": "circuit-1",
            "context": "图中 <image 1> 和 <image 2> 为两个电路。",
            "query": "哪个电路的电流更大？",
            "options": (),
            "correct_options": (),
            "answer": "图一",
            "pictures": tuple(pictures[:2]),
            "subject": Subject.PHYSICS,
            "language": Language.CHINESE,
        }
    )
    cells = algebra.model_copy(
        update={
            "source": "emma",
            "source_id": "bio | 7",
            "pictures": (pictures[2],),
            "subject": Subject.BIOLOGY_MEDICINE,
            "licence": "mit",
            "attribution": "EMMA | authors\n2025",
        }
    )
    return {"algebra": algebra, "circuit": circuit, "cells": cells}


@pytest.fixture
def items(parents: dict[str, Sample], pictures: list[Picture]) -> list[ReleaseItem]:
    algebra, circuit, cells = parents["algebra"], parents["circuit"], parents["cells"]
    contradiction = FlawedSample(
        parent=algebra.id,
        context="A shop sells pens at 2 euros each. A pen costs 5 euros.",
        query=algebra.query,
        options=algebra.options,
        flaws=(
            Flaw(
                subtype=Subtype.INTRA_TEXTUAL_CONTRADICTION,
                generator="rules",
                injector_version=1,
                edits=(TextEdit(part=TextPart.CONTEXT, start=34, before="", after=" A pen costs 5 euros."),),
                explanation="The price of a pen is given as 2 and as 5 euros.",
            ),
        ),
    )
    no_image = FlawedSample(
        parent=circuit.id,
        context="图中为两个电路。",
        query=circuit.query,
        flaws=(
            Flaw(
                subtype=Subtype.MISSING_IMAGE,
                generator="rules",
                injector_version=1,
                edits=(PictureRemoval(before=circuit.pictures),),
                explanation="The two circuits were taken away.",
            ),
        ),
    )
    no_text = FlawedSample(
        parent=circuit.id,
        context=None,
        query=None,
        pictures=circuit.pictures,
        flaws=(
            Flaw(
                subtype=Subtype.MISSING_INSTRUCTION,
                generator="rules",
                injector_version=1,
                edits=(TextRemoval(part=TextPart.CONTEXT), TextRemoval(part=TextPart.QUERY)),
                explanation="Nothing says what to do with the pictures.",
            ),
        ),
    )
    measure = DegradationMeasure(
        operation="blur",
        saliency="sobel",
        target=0.25,
        share=0.25,
        mass_share=0.3,
        image_share=0.1,
        region_share=0.4,
        leak=0.0,
        pushed_share=0.0,
        mean_change=40.0,
        threshold=8,
    )
    degraded = FlawedSample(
        parent=cells.id,
        context=cells.context,
        query=cells.query,
        options=cells.options,
        pictures=(pictures[4],),
        flaws=(
            Flaw(
                subtype=Subtype.LIGHT_MISSING_VISUAL_PREMISE,
                generator="rules",
                injector_version=1,
                edits=(
                    PictureDegradation(
                        index=0, before=pictures[2], after=pictures[4], mask=pictures[5], measure=measure
                    ),
                ),
                explanation="A part of the salient region was blurred.",
            ),
        ),
    )
    mismatched = FlawedSample(
        parent=cells.id,
        context=cells.context,
        query=cells.query,
        options=cells.options,
        pictures=(pictures[0],),
        flaws=(
            Flaw(
                subtype=Subtype.MISMATCH,
                generator="rules",
                injector_version=1,
                edits=(PictureReplacement(index=0, before=pictures[2], after=pictures[0], donor=circuit.id),),
                explanation="The picture belongs to a question about circuits.",
            ),
        ),
    )
    return [
        ReleaseItem(contradiction, algebra),
        ReleaseItem(no_image, circuit),
        ReleaseItem(no_text, circuit),
        ReleaseItem(degraded, cells),
        ReleaseItem(mismatched, cells, (circuit,)),
    ]


@pytest.fixture
def facts() -> ReleaseFacts:
    recipe = Recipe.model_validate(
        {
            "name": "tiny",
            "sources": [{"reader": "starter"}],
            "targets": {"mismatch": 1},
            "export": {"licence": "other", "rows_per_file": 2},
        }
    )
    funnel = (FunnelLine("read", 9, 8, (("no_text", 1),)), FunnelLine("filter", 8, 5, (("duplicate", 3),)))
    return ReleaseFacts(build="tiny", recipe=recipe, code_commit="0" * 40, funnel=funnel)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "releases" / "tiny"
