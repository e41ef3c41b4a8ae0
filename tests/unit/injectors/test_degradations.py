"""Each operation must really destroy what it is given, and only that."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from core.pictures import Pixels
from injectors.degradations import OPERATIONS, Chosen, find_unchanged, gather_chosen
from injectors.picture_tiles import Tiles, put_tiles, take_tiles
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


def choose(pixels: Pixels, mask: NDArray[np.bool_], seed: int) -> Chosen:
    """All pixels of the mask, in the tiles that hold any."""
    side = max(8, min(mask.shape) // 24)
    down, across = (np.arange(0, length, side) for length in mask.shape)
    rows, columns = np.nonzero(np.logical_or.reduceat(np.logical_or.reduceat(mask, down, axis=0), across, axis=1))
    return gather_chosen(pixels, Tiles(side, rows, columns, take_tiles(mask.view(np.uint8), side, rows, columns)), seed)


def degrade(chosen: Chosen, name: str) -> Pixels:
    """The whole picture, its chosen pixels changed by the operation."""
    marked = chosen.tiles.marks[..., None] > 0
    return put_tiles(chosen.pixels, chosen.tiles, np.where(marked, OPERATIONS[name](chosen), chosen.colours))


def choose_middle(pixels: Pixels, seed: int = 5) -> tuple[Chosen, NDArray[np.bool_]]:
    mask = np.zeros(pixels.shape[:2], bool)
    mask[30:-30, 10:-10] = True
    return choose(pixels, mask, seed), mask


@pytest.mark.parametrize("name", NAMES)
def test_only_the_chosen_pixels_change(name: str) -> None:
    pixels = draw_texture()
    before = pixels.copy()
    chosen, mask = choose_middle(pixels)
    after = degrade(chosen, name)
    assert np.array_equal(pixels, before)
    assert np.array_equal(after[~mask], pixels[~mask])
    assert (after[mask] != pixels[mask]).any()


@pytest.mark.parametrize("draw", [draw_text, draw_texture], ids=["text", "texture"])
@pytest.mark.parametrize("name", NAMES)
def test_nearly_all_pixels_of_a_salient_region_change_by_more_than_the_threshold(
    name: str, draw: Callable[[], Pixels]
) -> None:
    pixels = draw()
    chosen = choose(pixels, find_region(quantise(compute_sobel(pixels))), 5)
    assert find_unchanged(chosen, OPERATIONS[name](chosen)).sum() < 0.1 * chosen.count


@pytest.mark.parametrize("name", NAMES)
def test_the_old_strokes_cannot_be_found_in_the_new_picture(name: str) -> None:
    """Correlation with the original: 1 for a copy, -1 for its negative, from which one can read as well."""
    chosen, mask = choose_middle(draw_text())
    after = degrade(chosen, name)[mask].mean(axis=1)
    before = chosen.pixels[mask].mean(axis=1)
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
    after = degrade(choose(pixels, mask, 3), name)
    assert np.array_equal(after[~mask], pixels[~mask])
    assert (after.shape, after.dtype) == (pixels.shape, np.uint8)


def test_pixels_outside_the_chosen_ones_do_not_show_in_blur_and_pixelation() -> None:
    pixels, other = draw_texture(), draw_texture()
    _, mask = choose_middle(pixels)
    other[~mask] = 0
    for name in ("blur", "pixelate"):
        first, second = degrade(choose(pixels, mask, 1), name), degrade(choose(other, mask, 1), name)
        assert np.array_equal(first[mask], second[mask])


def test_pixelation_gives_the_mean_of_each_cell() -> None:
    pixels = draw_texture()
    mask = np.ones(pixels.shape[:2], bool)
    after = degrade(choose(pixels, mask, 1), "pixelate")
    assert (after[:30, :30] == after[0, 0]).all()
    assert after[0, 0].tolist() == np.floor(pixels[:30, :30].mean(axis=(0, 1)) + 0.5).tolist()


def test_warped_content_stands_elsewhere() -> None:
    """A ramp tells where each pixel came from: at least a fiftieth of the side away on the average."""
    side = 360
    ramp = np.zeros((side, side, 3), np.uint8)
    ramp[..., 0] = (np.arange(side) * 255 // side)[:, None]
    ramp[..., 1] = (np.arange(side) * 255 // side)[None]
    ramp[..., 2] = np.random.default_rng(0).integers(0, 256, (side, side))
    chosen, mask = choose_middle(ramp)
    moved = np.abs(degrade(chosen, "warp")[mask][:, :2].astype(int) - ramp[mask][:, :2]).mean(axis=0)
    assert (moved > 255 / 50).all()


@pytest.mark.parametrize("shade", [0, 128, 255])
def test_occlusion_takes_a_colour_that_differs(shade: int) -> None:
    chosen, _ = choose_middle(np.full((90, 70, 3), shade, np.uint8))
    assert not find_unchanged(chosen, OPERATIONS["occlusion"](chosen)).any()
