"""Large arrays are read item by item, and nothing of a file is passed over in silence."""

from pathlib import Path

import pytest

from core.errors import SourceError
from sources.json_arrays import read_array


def _read(folder: Path, text: str) -> list[object]:
    (folder / "data.json").write_text(text, encoding="utf-8")
    return list(read_array(folder / "data.json"))


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("[]", []),
        (" [\n] \n", []),
        ("\ufeff[{}, 1.5e3 , [2]\n]\n", [{}, 1500.0, [2]]),
        ('["a,]"]', ["a,]"]),
    ],
)
def test_an_array_gives_its_items(tmp_path: Path, text: str, items: list[object]) -> None:
    assert _read(tmp_path, text) == items


def test_numbers_and_texts_over_the_border_of_what_is_read_at_once_stay_whole(tmp_path: Path) -> None:
    for blanks in range((1 << 20) - 12, 1 << 20):
        assert _read(tmp_path, "[" + " " * blanks + '12345.678, "abc"]') == [12345.678, "abc"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[{}][{}]", "more behind its `]`, from character 5"),
        ("[{}] junk", "more behind its `]`, from character 6"),
        ("[{} {}]", r"neither a comma nor `]` follows \(character 5\)"),
        ("[,{}]", r"Expecting value \(character 2\)"),
        ("[{},,{}]", r"Expecting value \(character 5\)"),
        ("[{}, ]", "no item behind the last comma, before character 6"),
        ("[{}", r"neither a comma nor `]` follows \(character 4\)"),
        ("[{},", r"Expecting value \(character 5\)"),
        ("[1, 2", r"follows \(character 6\)"),
        ("[" + " " * (1 << 20) + "{} {}]", r"follows \(character 1048581\)"),
        ("{}", "does not begin with"),
        ("", "does not begin with"),
        ('[{"a": 1, "a": 2}]', "'a' stands twice"),
        ("[" * 100_000 + "]" * 100_000, "recursion"),
    ],
    ids=lambda value: value[:12].strip(),
)
def test_what_is_no_whole_array_says_where(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(SourceError, match=told):
        _read(tmp_path, text)
