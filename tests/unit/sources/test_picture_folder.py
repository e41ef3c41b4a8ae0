from pathlib import Path

import pytest
from PIL import Image

from core.errors import SourceError
from core.recipe import SourceRecipe
from sources.base import Quarantined, SourceItem
from sources.picture_folder import PICTURE_FOLDER


def draw(path: Path, colour: str = "red") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (64, 48), colour).save(path)


def read(folder: Path, take: int | None = None) -> list[SourceItem | Quarantined]:
    return list(PICTURE_FOLDER.read(SourceRecipe(reader="picture_folder", location=str(folder), take=take)))


def test_every_picture_is_a_sample_without_text_named_by_its_path(tmp_path: Path) -> None:
    draw(tmp_path / "b.png")
    draw(tmp_path / "inside" / "a.JPG")
    (tmp_path / "notes.txt").write_text("no picture")
    items = [item for item in read(tmp_path) if isinstance(item, SourceItem)]
    assert [item.sample.source_id for item in items] == ["b.png", "inside/a.JPG"]
    assert {(item.sample.context, item.sample.query, len(item.sample.pictures)) for item in items} == {(None, None, 1)}
    assert read(tmp_path, take=1) == items[:1]


def test_side_files_of_other_systems_are_no_pictures(tmp_path: Path) -> None:
    draw(tmp_path / "a.png")
    (tmp_path / "._a.png").write_bytes(b"\0")
    (tmp_path / ".cache").mkdir()
    draw(tmp_path / ".cache" / "b.png")
    assert len(read(tmp_path)) == 1


def test_what_cannot_be_decoded_is_set_aside_with_a_reason(tmp_path: Path) -> None:
    draw(tmp_path / "a.png")
    (tmp_path / "b.jpg").write_bytes(b"\xff\xd8\xff no picture")
    faults = [item for item in read(tmp_path) if isinstance(item, Quarantined)]
    assert [(fault.source_id, fault.reason.value) for fault in faults] == [("b.jpg", "not_a_picture")]


def test_broken_files_of_visual_genome_are_known_by_their_official_place(tmp_path: Path) -> None:
    draw(tmp_path / "VG_100K" / "1592.jpg")
    draw(tmp_path / "mine" / "1592.jpg", "blue")
    items = read(tmp_path)
    assert [(item.source_id, item.reason.value) for item in items if isinstance(item, Quarantined)] == [
        ("VG_100K/1592.jpg", "known_bad_row")
    ]
    assert [item.sample.source_id for item in items if isinstance(item, SourceItem)] == ["mine/1592.jpg"]


@pytest.mark.parametrize("make", [True, False], ids=["empty", "absent"])
def test_a_folder_without_pictures_is_an_error_that_names_the_key(tmp_path: Path, make: bool) -> None:
    if make:
        (tmp_path / "folder").mkdir()
    with pytest.raises(SourceError, match=r"sources\[\]\.location"):
        read(tmp_path / "folder")
