"""The Sobel map: by OpenCV and by plain numpy it is the same map; that of torch is in test_saliency_classifier.py."""

import numpy as np
from numpy.typing import NDArray

from core.pictures import Pixels
from core.recipe import DegradationRecipe
from injectors.saliency import SOBEL, choose_saliency, compute_sobel, window_side


def sobel_by_numpy(pixels: Pixels) -> NDArray[np.int64]:
    """Grey with the weights of ITU-R BT.601, Sobel with mirrored borders, whole magnitude, sum of a square window."""
    red, green, blue = (pixels[..., channel].astype(np.int64) for channel in range(3))
    grey = np.pad((red * 9798 + green * 19235 + blue * 3735 + 16384) >> 15, 1, mode="reflect")
    across = grey[:, 2:] - grey[:, :-2]
    across = across[:-2] + 2 * across[1:-1] + across[2:]
    down = grey[2:] - grey[:-2]
    down = down[:, :-2] + 2 * down[:, 1:-1] + down[:, 2:]
    magnitude = np.sqrt(across**2 + down**2).astype(np.int64)
    side = max(15, min(pixels.shape[:2]) // 24) | 1
    table = np.pad(magnitude, side // 2).cumsum(0).cumsum(1)
    table = np.pad(table, ((1, 0), (1, 0)))
    return table[side:, side:] - table[:-side, side:] - table[side:, :-side] + table[:-side, :-side]


def test_opencv_gives_the_map_of_the_definition(noise: Pixels) -> None:
    assert np.array_equal(compute_sobel(noise), sobel_by_numpy(noise).astype(np.float32))


def test_a_flat_picture_has_no_saliency() -> None:
    assert not compute_sobel(np.full((40, 40, 3), 77, np.uint8)).any()


def test_the_window_is_odd_and_grows_with_the_short_side() -> None:
    assert [window_side(np.zeros((side, 2000))) for side in (16, 300, 768, 1500)] == [15, 15, 33, 63]


def test_the_default_map_is_sobel() -> None:
    assert choose_saliency(DegradationRecipe()).name == SOBEL
