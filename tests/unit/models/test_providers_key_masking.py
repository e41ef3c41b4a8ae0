import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.providers.faults import clean_message
from models.providers.key_masking import MASK, mask_key

KEY = "sk-planted-0123456789-XYZ"
LETTERS = st.text(alphabet="abAB01-", max_size=60)


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        (f"got {KEY}!", "got [key]!"),
        (f"{KEY[:12]}...{KEY[-4:]}", "[key]...-XYZ"),
        (f"x{KEY[5:13]}x{KEY[3:10]}x", f"x[key]x{KEY[3:10]}x"),
        (f"{KEY}{KEY}", "[key]"),
        (f'{{"a": "{KEY[2:]}", "b": "{KEY[:-2]}"}}', '{"a": "[key]", "b": "[key]"}'),
        ("no key here", "no key here"),
    ],
    ids=["whole", "half and end", "8 and 7", "twice", "json", "none"],
)
def test_stretches_of_eight_are_masked_and_shorter_ones_are_not(text: str, masked: str) -> None:
    assert mask_key(text, KEY) == masked


@given(st.text(alphabet="abAB01-", min_size=8, max_size=30), LETTERS, LETTERS, st.data())
def test_no_stretch_is_left_whatever_stands_around_it(key: str, before: str, after: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(key) - 8))
    masked = mask_key(before + key[start : start + 8] + after, key)
    assert MASK in masked
    assert not any(key[at : at + 8] in masked for at in range(len(key) - 7))


@pytest.mark.parametrize("key", [None, "", "k", "secret7"])
def test_a_short_key_leaves_replies_as_they_are(key: str | None) -> None:
    assert mask_key("k and secret7 stay", key) == "k and secret7 stay"


def test_a_short_key_still_stands_in_no_error() -> None:
    assert clean_message("denied: secret7", "secret7") == "denied: [key]"


def test_half_of_a_key_stands_in_no_error() -> None:
    assert clean_message(f"You sent {KEY[8:20]}.", KEY) == "You sent [key]."


def test_an_error_holds_no_sequence_for_terminals() -> None:
    assert clean_message("\x1b[2Jgone\x9b1m", None) == r"\u001b[2Jgone\u009b1m"


def test_a_large_reply_costs_little() -> None:
    body = "All of it is harmless text about a triangle. " * 50_000
    started = time.process_time()
    mask_key(body, KEY)
    assert time.process_time() - started < 0.2
