"""Damage that is to be seen is told by statistics of pictures, what is not is not, and nothing else is looked at."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from core.errors import ExportError
from core.pictures import Pixels, encode_png
from core.records import Picture
from export.blindness import Blindness
from export.composition import describe_blindness
from export.picture_control import MOST_ROWS, control_pictures
from export.rows import ReleaseItem, ReleaseRow, make_flawed_row, make_twin_rows

Damage = Callable[[Pixels], Pixels]


def blur(pixels: Pixels) -> Pixels:
    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), 3), dtype=np.uint8)


def shift(pixels: Pixels) -> Pixels:
    return np.roll(pixels, 8, axis=1)


@pytest.fixture
def parts(items: list[ReleaseItem]) -> tuple[ReleaseRow, ReleaseRow]:
    """A degraded row and its twin."""
    degraded = next(row for row in map(make_flawed_row, items) if row.masks)
    return degraded, next(row for row in make_twin_rows(items) if row.id == degraded.pair_id)


def make_rows(
    parts: tuple[ReleaseRow, ReleaseRow], count: int, damage: Damage
) -> tuple[list[ReleaseRow], list[ReleaseRow], dict[str, bytes]]:
    test: list[ReleaseRow] = []
    twins: list[ReleaseRow] = []
    data: dict[str, bytes] = {}
    for number in range(count):
        pixels = np.random.default_rng(number).integers(0, 256, (40, 48, 3), dtype=np.uint8)
        shown: list[Picture] = []
        for blob in (encode_png(pixels), encode_png(damage(pixels))):
            data[blob.picture.sha256] = blob.data
            shown.append(blob.picture)
        row, twin = parts
        twins.append(twin._replace(id=f"smp_{number}", pair_id=f"smp_{number}", images=(shown[0],)))
        test.append(row._replace(id=f"cnd_{number}", pair_id=f"smp_{number}", images=(shown[1],)))
    return test, twins, data


def test_blurred_pictures_are_told_and_shifted_ones_are_not(parts: tuple[ReleaseRow, ReleaseRow]) -> None:
    found = {}
    for name, damage in (("blur", blur), ("shift", shift)):
        test, twins, data = make_rows(parts, 60, damage)
        control = control_pictures(test, twins, lambda picture, data=data: data[picture.sha256], 1)
        assert control is not None
        assert control.score.rows == 120
        assert [found.subtype for found in control.subtypes] == ["light_missing_visual_premise"]
        found[name] = control.score
    assert found["blur"].interval[0] > 0.9
    assert found["shift"].interval[0] < 0.5


def test_it_is_a_control_and_never_a_gate(parts: tuple[ReleaseRow, ReleaseRow]) -> None:
    test, twins, data = make_rows(parts, 60, blur)
    blindness = Blindness(report=None, pictures=control_pictures(test, twins, lambda found: data[found.sha256], 1))
    assert blindness.passes
    told = describe_blindness(blindness)
    assert "so no limit applies" in told
    assert "| light_missing_visual_premise | 120 | picture statistics | 100.0% |" in told


def test_only_changed_pictures_and_those_in_their_place_are_looked_at(
    items: list[ReleaseItem], parts: tuple[ReleaseRow, ReleaseRow], read_picture: Callable[[Picture], bytes]
) -> None:
    seen: list[str] = []

    def read(picture: Picture) -> bytes:
        seen.append(picture.sha256)
        return read_picture(picture)

    assert control_pictures(list(map(make_flawed_row, items)), make_twin_rows(items), read, 1) is not None
    degraded, twin = parts
    assert sorted(seen) == sorted([degraded.images[0].sha256, twin.images[0].sha256])
    assert control_pictures([degraded], [], read, 1) is None


def test_a_stored_picture_with_other_bytes_is_told(parts: tuple[ReleaseRow, ReleaseRow]) -> None:
    with pytest.raises(ExportError, match="has other bytes in the object store"):
        control_pictures([parts[0]], [parts[1]], lambda _: b"no picture", 1)


def test_more_rows_cost_no_more_and_their_order_does_not_matter(parts: tuple[ReleaseRow, ReleaseRow]) -> None:
    test, twins, data = make_rows(parts, MOST_ROWS + 20, blur)
    first, second = (
        control_pictures(rows, twins, lambda picture: data[picture.sha256], 1) for rows in (test, test[::-1])
    )
    assert first == second
    assert first is not None
    assert first.score.rows == 2 * MOST_ROWS
