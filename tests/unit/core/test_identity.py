import hashlib
import json
import math
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from core.identity import bytes_hash, canonical_json, content_hash, make_id

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda children: st.lists(children, max_size=4) | st.dictionaries(st.text(), children, max_size=4),
    max_leaves=12,
)


class Colour(StrEnum):
    RED = "red"


class Box(BaseModel):
    width: int
    colour: Colour
    note: str | None = None


@given(JSON_VALUES)
def test_canonical_json_reads_back_as_the_same_value(value: object) -> None:
    assert json.loads(canonical_json(value)) == value


@given(st.dictionaries(st.text(), st.integers(), max_size=6))
def test_order_of_keys_does_not_matter(value: dict[str, int]) -> None:
    assert content_hash(value) == content_hash(dict(reversed(value.items())))


def test_hash_is_sha256_of_sorted_compact_json() -> None:
    value = {"b": [1, 2.5, None, True], "a": '图 "x"'}
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert content_hash(value) == hashlib.sha256(text.encode()).hexdigest()


def test_hash_of_a_known_text_does_not_change() -> None:
    assert content_hash("flawbench") == hashlib.sha256(b'"flawbench"').hexdigest()
    assert canonical_json({"b": 1, "a": ["é"]}) == '{"a":["é"],"b":1}'


@pytest.mark.parametrize(
    ("left", "right"),
    [
        pytest.param((1, 2), [1, 2], id="tuple and list"),
        pytest.param(Colour.RED, "red", id="enum and value"),
        pytest.param(Box(width=3, colour=Colour.RED), {"width": 3, "colour": "red", "note": None}, id="record"),
        pytest.param({Colour.RED: 1}, {"red": 1}, id="enum as key"),
    ],
)
def test_equal_content_has_equal_hash(left: object, right: object) -> None:
    assert content_hash(left) == content_hash(right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        pytest.param(1, True, id="number and truth"),
        pytest.param(1, "1", id="number and text"),
        pytest.param(1, 1.0, id="integer and float"),
        pytest.param(None, "", id="absent and empty"),
        pytest.param([], None, id="empty list and absent"),
        pytest.param(["ab", "c"], ["a", "bc"], id="borders of texts"),
        pytest.param("é", "e\u0301", id="two spellings of one letter"),
    ],
)
def test_different_content_has_different_hash(left: object, right: object) -> None:
    assert content_hash(left) != content_hash(right)


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: {1, 2}, id="set"),
        pytest.param(lambda: Path("data"), id="path"),
        pytest.param(lambda: print, id="function"),
        pytest.param(lambda: b"bytes", id="bytes"),
        pytest.param(object, id="object"),
        pytest.param(lambda: {"a": [{"b": {3}}]}, id="deep inside"),
        pytest.param(lambda: {1: "a"}, id="key that is no text"),
    ],
)
def test_value_without_a_stable_form_raises(make: Callable[[], object]) -> None:
    with pytest.raises(TypeError):
        canonical_json(make())


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_number_without_a_form_raises(number: float) -> None:
    with pytest.raises(ValueError, match="no canonical form"):
        canonical_json([number])


def test_id_is_prefix_and_half_of_the_hash() -> None:
    digest = hashlib.sha256(b'{"a":1}').hexdigest()
    assert make_id("smp", {"a": 1}) == f"smp_{digest[:32]}"


def test_bytes_hash_is_sha256_of_the_bytes() -> None:
    assert bytes_hash(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
