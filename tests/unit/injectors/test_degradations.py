"""Each operation must really destroy what it is given, and only that."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from core.pictures import Pixels
from injectors.degradations import OPERATIONS, Chosen, find_unchanged, gather_chosen, put_colours
from injectors.saliency import compute_sobel
from injectors.salient_region import find_region, quantise

NAMES = sorted(OPERATIONS)


def draw_text(side: int = 360) -> Pixels:
    page = np.full((side, side, 3), 255, np.uint8)
    for row, words in enumerate(("Answer 42", "x = 7 cm", "ABC 1985", "7 / 3 = ?", "mass 8 kg")):
        cv2.putText(
            page, words, (12, 60 + row * side // 6), cv2.FONT_HERSHEY_SIMPLEX, 1.6, (20, 20, 20), 3, cv2.LINE_AA
        )
    return page


def draw_texture(side: int = 360) -> Pixels:
    small = np.random.default_rng(7).integers(0, 256, (side // 6, side // 6, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(small, (side, side), interpolation=cv2.INTER_CUBIC), dtype=np.uint8)


def choose_middle(pixels: Pixels, seed: int = 5) -> tuple[Chosen, NDArray[np.bool_]]:
    mask = np.zeros(pixels.shape[:2], bool)
    mask[30:-30, 10:-10] = True
    return gather_chosen(pixels, mask, seed), mask


@pytest.mark.parametrize("name", NAMES)
def test_only_the_chosen_pixels_change(name: str) -> None:
    pixels = draw_texture()
    before = pixels.copy()
    chosen, mask = choose_middle(pixels)
    after = put_colours(pixels, chosen.places, OPERATIONS[name](chosen))
    assert np.array_equal(pixels, before)
    assert np.array_equal(after[~mask], pixels[~mask])
    assert (after[mask] != pixels[mask]).any()


@pytest.mark.parametrize("draw", [draw_text, draw_texture], ids=["text", "texture"])
@pytest.mark.parametrize("name", NAMES)
def test_nearly_all_pixels_of_a_salient_region_change_by_more_than_the_threshold(
    name: str, draw: Callable[[], Pixels]
) -> None:
    pixels = draw()
    chosen = gather_chosen(pixels, find_region(quantise(compute_sobel(pixels))), 5)
    assert find_unchanged(chosen.colours, OPERATIONS[name](chosen)).mean() < 0.1


@pytest.mark.parametrize("name", NAMES)
def test_the_old_strokes_cannot_be_found_in_the_new_picture(name: str) -> None:
    """Correlation with the original: 1 for a copy, -1 for its negative, from which one can read as well."""
    chosen, _ = choose_middle(draw_text())
    after = OPERATIONS[name](chosen).mean(axis=1)
    before = chosen.colours.mean(axis=1)
    likeness = 0.0 if after.std() == 0 else float(np.corrcoef(before, after)[0, 1])
    assert abs(likeness) < 0.45


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_colours(name: str) -> None:
    first, _ = choose_middle(draw_texture(), seed=9)
    second, _ = choose_middle(draw_texture(), seed=9)
    assert np.array_equal(OPERATIONS[name](first), OPERATIONS[name](second))


@pytest.mark.parametrize("name", ["warp", "noise"])
def test_another_seed_gives_other_colours(name: str) -> None:
    first, _ = choose_middle(draw_texture(), seed=9)
    second, _ = choose_middle(draw_texture(), seed=10)
    assert not np.array_equal(OPERATIONS[name](first), OPERATIONS[name](second))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", [(16, 16), (16, 700), (900, 17)], ids=["tiny", "wide", "tall"])
def test_odd_shapes_and_single_pixels_work(name: str, shape: tuple[int, int]) -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (*shape, 3), dtype=np.uint8)
    mask = np.zeros(shape, bool)
    mask[-1, -1] = True
    colours = OPERATIONS[name](gather_chosen(pixels, mask, 3))
    assert (colours.shape, colours.dtype) == ((1, 3), np.uint8)


def test_pixels_outside_the_chosen_ones_do_not_show_in_blur_and_pixelation() -> None:
    pixels, other = draw_texture(), draw_texture()
    _, mask = choose_middle(pixels)
    other[~mask] = 0
    for name in ("blur", "pixelate"):
        first = OPERATIONS[name](gather_chosen(pixels, mask, 1))
        assert np.array_equal(first, OPERATIONS[name](gather_chosen(other, mask, 1)))


def test_pixelation_gives_the_mean_of_each_cell() -> None:
    pixels = draw_texture()
    mask = np.ones(pixels.shape[:2], bool)
    after = OPERATIONS["pixelate"](gather_chosen(pixels, mask, 1)).reshape(pixels.shape)
    assert (after[:30, :30] == after[0, 0]).all()
    assert after[0, 0].tolist() == np.floor(pixels[:30, :30].mean(axis=(0, 1)) + 0.5).tolist()


def test_warped_content_stands_elsewhere() -> None:
    """A ramp tells where each pixel came from: at least a fiftieth of the side away on the average."""
    side = 360
    ramp = np.zeros((side, side, 3), np.uint8)
    ramp[..., 0] = (np.arange(side) * 255 // side)[:, None]
    ramp[..., 1] = (np.arange(side) * 255 // side)[None]
    ramp[..., 2] = np.random.default_rng(0).integers(0, 256, (side, side))
    chosen, _ = choose_middle(ramp)
    moved = np.abs(OPERATIONS["warp"](chosen)[:, :2].astype(int) - chosen.colours[:, :2]).mean(axis=0)
    assert (moved > 255 / 50).all()


@pytest.mark.parametrize("shade", [0, 128, 255])
def test_occlusion_takes_a_colour_that_differs(shade: int) -> None:
    chosen, _ = choose_middle(np.full((90, 70, 3), shade, np.uint8))
    assert not find_unchanged(chosen.colours, OPERATIONS["occlusion"](chosen)).any()
