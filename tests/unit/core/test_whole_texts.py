"""What can be written as UTF-8."""

import pytest

from core.whole_texts import is_text


@pytest.mark.parametrize("text", ["", "a\0", "ü角🙂"], ids=["empty", "NUL", "beyond 16 bits"])
def test_what_utf8_can_write_is_text(text: str) -> None:
    assert is_text(text)


@pytest.mark.parametrize("text", ["a\ud800", "\udc00b", "\udcff"], ids=["first half", "second half", "a lone byte"])
def test_half_a_surrogate_pair_is_none(text: str) -> None:
    assert not is_text(text)
