"""Hand-made candidates: a sound one for every way of changing, which the tests then break in one place."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from core.pictures import Pixels, encode_png
from core.records import (
    DegradationMeasure,
    Edit,
    Flaw,
    FlawedSample,
    Language,
    Picture,
    PictureDegradation,
    Sample,
    Subject,
)
from core.taxonomy import Subtype

REGION = 2000
SIDE = 100


class Bench:
    """A source sample, its stored pictures, and candidates made from it."""

    def __init__(self) -> None:
        self.blobs: dict[str, bytes] = {}
        self.parent = self.sample()

    def store(self, pixels: Pixels) -> Picture:
        blob = encode_png(pixels)
        self.blobs[blob.picture.sha256] = blob.data
        return blob.picture

    def read(self, picture: Picture) -> bytes:
        return self.blobs[picture.sha256]

    def sample(self, **changes: Any) -> Sample:
        values: dict[str, Any] = {
            "source": "test",
            "source_id": "1",
            "context": "The ladder in <image 1> is 5 m long.",
            "query": "How high does it reach?",
            "options": ("3 m", "4 m"),
            "pictures": (self.store(noise(1)),),
            "answer": "4 m",
            "correct_options": (1,),
            "subject": Subject.PHYSICS,
            "language": Language.ENGLISH,
            "licence": "CC0",
            "attribution": "test",
        }
        return Sample.model_validate(values | changes)

    def candidate(self, subtype: Subtype, edits: tuple[Edit, ...], **changes: Any) -> FlawedSample:
        flaw = Flaw(subtype=subtype, generator="rules", injector_version=1, edits=edits, explanation="test")
        values: dict[str, Any] = {
            "parent": self.parent.id,
            "context": self.parent.context,
            "query": self.parent.query,
            "options": self.parent.options,
            "pictures": self.parent.pictures,
            "flaws": (flaw,),
        }
        return FlawedSample.model_validate(values | changes)

    def degrade(
        self, changed: int, share: float | None = None, *, outside: bool = False, same_pixels: bool = False
    ) -> FlawedSample:
        """`changed` pixels of a region of 2,000 are inverted; the mask covers them, and one more changes if
        `outside`."""
        before = noise(1)
        mask = np.zeros(SIDE * SIDE, np.uint8)
        mask[:changed] = 255
        mask = mask.reshape(SIDE, SIDE)
        after = np.where(mask[:, :, None] > 0, 255 - before, before)
        if outside:
            after[-1, -1] = 255 - after[-1, -1]
        if same_pixels:
            after = before
        measure = DegradationMeasure(
            operation="blur",
            saliency="sobel",
            target=0.25,
            share=changed / REGION if share is None else share,
            mass_share=0.3,
            image_share=changed / mask.size,
            region_share=REGION / mask.size,
            leak=0.0,
            pushed_share=0.0,
            mean_change=100.0,
            threshold=8,
        )
        edit = PictureDegradation(
            index=0,
            before=self.parent.pictures[0],
            after=self.store(after),
            mask=self.store(mask),
            measure=measure,
        )
        return self.candidate(Subtype.LIGHT_MISSING_VISUAL_PREMISE, (edit,), pictures=(edit.after,))


def noise(seed: int) -> Pixels:
    """Every pixel differs from its inverse by at least 55."""
    return np.random.default_rng(seed).integers(0, 100, (SIDE, SIDE, 3), dtype=np.uint8)


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.fixture
def pixels() -> Callable[[int], Pixels]:
    return noise
