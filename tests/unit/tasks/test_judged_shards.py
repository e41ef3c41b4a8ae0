"""What is dropped before any validator is asked."""

import asyncio
from collections.abc import Generator
from pathlib import Path

import numpy as np
import pytest

from core.model_specs import GeneratorShare, ModelSpec, ModelsRecipe, PanelRecipe
from core.pictures import encode_png
from core.records import Flaw, FlawedSample, Language, Picture, PictureReplacement, Sample, Subject
from core.settings import Settings
from core.taxonomy import Subtype
from filters.base import DropReason
from storage.objects import ObjectStore
from tasks.desk import Desk
from tasks.judged_shards import judge_candidate

NOBODY = "http://127.0.0.1:9"
MODELS = ModelsRecipe(
    name="test",
    models={
        "one": ModelSpec(provider="openai", name="one", family="f1", base_url=NOBODY),
        "two": ModelSpec(provider="anthropic", name="two", family="f2", base_url=NOBODY),
    },
    generators=(GeneratorShare(model="one", share=1),),
    panel=PanelRecipe(validators=("one", "two")),
)
LONG = encode_png(np.zeros((8001, 1, 3), np.uint8))
SHORT = encode_png(np.zeros((10, 10, 3), np.uint8))


@pytest.fixture
def desk(tmp_path: Path) -> Generator[Desk]:
    settings = Settings(data=tmp_path)
    desk = Desk(MODELS, settings, "build", ObjectStore(settings.objects_url), retry_failed=False)
    for blob in (LONG, SHORT):
        desk.store_picture(blob)
    yield desk
    desk.close()


def make_sample(picture: Picture) -> Sample:
    return Sample(
        source="test",
        source_id="1",
        context=None,
        query="What does the picture show?",
        pictures=(picture,),
        subject=Subject.PHYSICS,
        language=Language.ENGLISH,
        licence="CC0-1.0",
        attribution="test",
    )


def test_a_made_picture_that_a_validator_cannot_be_shown_is_dropped_before_anything_is_asked(desk: Desk) -> None:
    sample = make_sample(SHORT.picture)
    edit = PictureReplacement(index=0, before=SHORT.picture, after=LONG.picture, donor=sample.id)
    flaw = Flaw(subtype=Subtype.MISMATCH, generator="rules", injector_version=1, edits=(edit,), explanation="Another.")
    candidate = FlawedSample(
        parent=sample.id, context=None, query=sample.query, pictures=(LONG.picture,), flaws=(flaw,)
    )
    judged = asyncio.run(judge_candidate(candidate, sample, 1, desk))
    assert (judged.rows, judged.decision.reason) == ([], DropReason.PICTURE_REFUSED)
    assert "8001 pixels" in judged.decision.evidence
    assert "`models.two.scale_pictures_to`" in judged.decision.evidence
