"""The largest pictures that questions have: 40 megapixels take seconds and 0.8 GB, too much for a unit test."""

import cv2
import numpy as np
import pytest

from core.recipe import DegradationRecipe, ShareRange
from core.seeding import stream
from injectors.degraded_region import DegradedPicture, degrade_picture, draw_order
from injectors.saliency import choose_saliency

pytestmark = pytest.mark.integration


@pytest.mark.parametrize("share", [(0.20, 0.30), (0.70, 0.80)], ids=["light", "severe"])
def test_forty_megapixels_are_degraded_within_the_range(share: ShareRange) -> None:
    recipe = DegradationRecipe()
    tile = np.full((1000, 1000, 3), 250, np.uint8)
    cv2.circle(tile, (500, 333), 200, (0, 0, 120), 40)
    cv2.putText(tile, "n = 3", (40, 800), cv2.FONT_HERSHEY_SIMPLEX, 6, (0, 0, 0), 12)
    pixels = np.tile(tile, (5, 8, 1))
    assert pixels.shape[0] * pixels.shape[1] == 40_000_000 > 2**24  # float32 cannot count them

    done = degrade_picture(pixels, choose_saliency(recipe), draw_order(stream(1, "large"), share, recipe.operations))

    assert isinstance(done, DegradedPicture)
    assert share[0] <= done.measure.share <= share[1]
    assert done.measure.leak == 0
    assert (done.picture.picture.width, done.picture.picture.height) == (8000, 5000)
