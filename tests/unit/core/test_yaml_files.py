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


@pytest.mark.parametrize("key", ["on", "no", "~", "5", "1.5", "2020-01-01"])
def test_a_key_that_is_no_text_is_named_as_it_was_written(key: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=rf"line 2: the key '{key}' is no text .* in quotes"):
        read_yaml_mapping(write(tmp_path, f"a: 1\n{key}: 3\n"))
    assert read_yaml_mapping(write(tmp_path, f"'{key}': 3\n")) == {key: 3}


@pytest.mark.parametrize("number", ["010", "-017", "1:30", "1:30.5", "!!int 010"])
def test_a_number_that_is_another_one_in_other_versions_of_yaml_is_refused(number: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"line 1: .* not the same number in all versions"):
        read_yaml_mapping(write(tmp_path, f"a: {number}\n"))
    assert read_yaml_mapping(write(tmp_path, f"a: '{number}'\n")) == {"a": number}


@pytest.mark.parametrize(("text", "number"), [("1e3", 1000.0), ("1e-05", 0.00001), ("0", 0), ("0.5", 0.5), ("-3", -3)])
def test_other_numbers_are_numbers(text: str, number: float, tmp_path: Path) -> None:
    assert read_yaml_mapping(write(tmp_path, f"a: {text}\n")) == {"a": number}


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
