"""The region and the chosen pixels, against the definition in docs/degradation.md written with plain sorting."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from injectors.picture_tiles import Tiles, put_tiles
from injectors.salient_region import choose_pixels, count_for_share, find_region, quantise

seeds = st.integers(0, 2**32 - 1)
sides = st.integers(16, 70)


def draw_levels(seed: int, height: int, width: int, distinct: int) -> NDArray[np.uint16]:
    """Few distinct values make many ties."""
    random = np.random.default_rng(seed)
    values = random.integers(0, 65536, distinct)
    return random.choice(values, (height, width)).astype(np.uint16)


def region_by_sorting(levels: NDArray[np.uint16]) -> NDArray[np.bool_]:
    flat = levels.ravel().astype(int)
    order = np.argsort(-flat, kind="stable")
    mass = np.cumsum(flat[order])
    size = 0 if mass[-1] == 0 else int(np.argmax(mass * 100 >= mass[-1] * 80)) + 1
    region = np.zeros(flat.size, bool)
    region[order[: min(size, flat.size * 40 // 100)]] = True
    return region.reshape(levels.shape)


@given(seeds, sides, sides, st.sampled_from([1, 2, 5, 4000]))
def test_the_region_is_the_smallest_set_that_holds_80_percent_within_40_percent_of_the_picture(
    seed: int, height: int, width: int, distinct: int
) -> None:
    levels = draw_levels(seed, height, width, distinct)
    assert np.array_equal(find_region(levels), region_by_sorting(levels))


def test_a_few_strong_pixels_are_a_region_of_their_own() -> None:
    levels = np.ones((20, 20), np.uint16)
    levels[3, 4:9] = 60000
    assert np.argwhere(find_region(levels)).tolist() == [[3, column] for column in range(4, 9)]


def test_nothing_salient_is_an_empty_region() -> None:
    assert not find_region(np.zeros((16, 16), np.uint16)).any()


def test_quantising_keeps_order_and_uses_the_whole_range() -> None:
    levels = quantise(np.array([[0.0, 1e-9, 0.25, 0.5, 1.0]], np.float32))
    assert levels.tolist() == [[0, 0, 16383, 32767, 65535]]


@pytest.mark.parametrize("top", [1e-30, 1.0, 3e9], ids=["tiny", "one", "huge"])
def test_the_scale_of_the_map_does_not_matter(top: float) -> None:
    values = np.arange(16, dtype=np.float32).reshape(4, 4) / 15
    difference = quantise(values * np.float32(top)).astype(int) - quantise(values)
    assert np.abs(difference).max() <= 1


def draw_mask(tiles: Tiles, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    return put_tiles(np.zeros(shape, np.uint8), tiles, tiles.marks) > 0


@given(seeds, sides, sides, st.floats(0.01, 1))
def test_exactly_the_wanted_number_is_chosen_and_all_of_the_region(
    seed: int, height: int, width: int, share: float
) -> None:
    levels = draw_levels(seed, height, width, 500)
    region = find_region(levels)
    count = max(1, int(share * region.sum()))
    chosen = draw_mask(choose_pixels(levels, region, count), levels.shape)
    assert chosen.sum() == count
    assert not (chosen & ~region).any()


@given(seeds, st.integers(200, 300), st.integers(200, 300))
def test_whole_tiles_are_taken_strongest_first_and_only_one_is_cut(seed: int, height: int, width: int) -> None:
    levels = draw_levels(seed, height, width, 500)
    region = find_region(levels)
    chosen = draw_mask(choose_pixels(levels, region, int(region.sum() * 0.45)), levels.shape)
    tile = max(8, min(height, width) // 24)
    kinds: dict[str, list[int]] = {"whole": [], "cut": [], "left": []}
    for top in range(0, height, tile):
        for left in range(0, width, tile):
            place = np.s_[top : top + tile, left : left + tile]
            inside, wanted = region[place], chosen[place]
            kind = "left" if not wanted.any() else "whole" if np.array_equal(inside, wanted) else "cut"
            kinds[kind].append(int(levels[place][inside].sum(dtype=int)))
            if kind == "cut":
                assert levels[place][wanted].min() >= levels[place][inside & ~wanted].max()
    assert len(kinds["cut"]) <= 1
    assert min(kinds["whole"]) >= max(kinds["left"])
    assert all(min(kinds["whole"]) >= mass >= max(kinds["left"]) for mass in kinds["cut"])


@given(st.floats(0.05, 0.9), st.floats(0.005, 0.1), st.integers(1, 5000), st.floats(0, 1))
def test_a_count_lies_in_the_range_or_there_is_none(low: float, width: float, size: int, place: float) -> None:
    high = low + width
    count = count_for_share(low + place * width, (low, high), size)
    possible = [number for number in range(1, size + 1) if low <= number / size <= high]
    assert (count in possible) if possible else (count is None)


def test_seven_pixels_hold_no_share_between_20_and_28_percent() -> None:
    assert count_for_share(0.24, (0.2, 0.28), 7) is None
