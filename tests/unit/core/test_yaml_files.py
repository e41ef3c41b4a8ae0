from pathlib import Path

import pytest

from core.errors import ConfigurationError
from core.yaml_files import read_yaml_mapping


def write(folder: Path, text: str) -> Path:
    path = folder / "recipe.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_mapping_is_read(tmp_path: Path) -> None:
    assert read_yaml_mapping(write(tmp_path, "name: x\nseed: 3\n")) == {"name": "x", "seed": 3}


@pytest.mark.parametrize("text", ["seed: 1\nseed: 2\n", "a:\n  b: 1\n  b: 2\n"], ids=["top", "inside"])
def test_a_key_that_stands_twice_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="stands twice"):
        read_yaml_mapping(write(tmp_path, text))


@pytest.mark.parametrize(
    "text",
    [
        "seed: 2020-99-99",
        "seed: !!int abc",
        "seed: !!timestamp abc",
        "seed: !!bool abc",
        "name: " + "[" * 1000,
        "a: [",
        "- a",
    ],
    ids=["date", "int", "timestamp", "bool", "deep", "syntax", "list"],
)
def test_what_cannot_be_read_is_an_error_of_one_line(text: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_yaml_mapping(write(tmp_path, text))
    assert "\n" not in caught.value.message
