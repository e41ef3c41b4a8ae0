import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.base import QuarantineReason
from sources.options import answer_by_letter, answer_by_text, parse_options, resolve_answer
from sources.rows import UnusableRowError

OPTIONS = ("red", "green", "red")


@pytest.mark.parametrize("written", ["B", "b", " B ", "(B)", "B.", "b)"])
def test_a_label_is_read_in_every_way_it_is_written(written: str) -> None:
    assert answer_by_letter(written, OPTIONS) == ("green", (1,))


def test_an_answer_that_is_no_label_is_looked_up_as_text() -> None:
    assert answer_by_letter("green", OPTIONS) == ("green", (1,))


@pytest.mark.parametrize("answer", ["A", "red", " red\r\n"])
def test_all_equal_options_are_right(answer: str) -> None:
    by = answer_by_letter if answer == "A" else answer_by_text
    assert by(answer, OPTIONS) == ("red", (0, 2))


def test_a_free_answer_that_is_a_letter_stays_one() -> None:
    """MATH-Vision 59: five options drawn in the picture and none in the row."""
    assert resolve_answer("C", (), answer_by_letter) == ("C", ())


@pytest.mark.parametrize("answer", [None, "", "  "])
def test_a_row_without_answer_is_refused(answer: str | None) -> None:
    with pytest.raises(UnusableRowError) as raised:
        resolve_answer(answer, OPTIONS, answer_by_letter)
    assert raised.value.reason is QuarantineReason.NO_ANSWER


@given(st.lists(st.text(alphabet=st.characters(exclude_categories=("Cs", "Cc", "Zs", "Zl", "Zp", "Cf"))), min_size=2))
def test_options_written_as_text_come_back(options: list[str]) -> None:
    assert parse_options(str(options)) == tuple(options)
