"""What the two sides of the screen show of a change."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.screen.diff import Change, compare, find_moved, show_changes

_PIECES = st.lists(st.sampled_from(["red", "ball", " ", "\n", "<b>", "3.5", "红", "球", "$x^2$", "<image 1>", "."]))


@given(_PIECES, _PIECES)
def test_the_pieces_of_a_comparison_make_both_texts(before: list[str], after: list[str]) -> None:
    changes = compare("".join(before), "".join(after))
    assert "".join(change.before for change in changes) == "".join(before)
    assert "".join(change.after for change in changes) == "".join(after)


@given(_PIECES)
def test_equal_texts_have_no_mark(pieces: list[str]) -> None:
    sides = show_changes(compare("".join(pieces), "".join(pieces)))
    assert "<del" not in sides.modified
    assert "<ins" not in sides.modified
    assert sides.original == sides.modified


def test_a_word_is_marked_as_a_whole_and_a_chinese_letter_by_itself() -> None:
    assert show_changes(compare("a red ball", "a reed ball")).modified == "a <ins>reed</ins> ball"
    assert show_changes(compare("红球重两千克", "蓝球重两千克")).modified == "<ins>蓝</ins>球重两千克"


def test_numbers_change_as_a_whole() -> None:
    assert compare("It costs 3.50 now.", "It costs 3.75 now.")[1] == Change("3.50", "3.75")


def test_a_pure_removal_and_a_pure_addition_leave_a_mark_on_the_other_side() -> None:
    removed = show_changes(compare("the red ball", "the ball"))
    assert removed.original == "the <del>red </del>ball"
    assert removed.modified == 'the <del class="mark">[…]</del>ball'
    assert 'class="mark"' in show_changes(compare("the ball", "the red ball")).original


def test_changes_with_only_blanks_between_are_one() -> None:
    assert [change for change in compare("a b c", "x y z") if not change.is_equal] == [Change("a b c", "x y z")]


def test_a_formula_that_stays_is_shown_as_one_and_a_changed_one_shows_what_changed() -> None:
    sides = show_changes(compare(r"Let $\frac{1}{2}$ be $x^2$.", r"Let $\frac{1}{3}$ be $x^2$."))
    assert "<del>2</del>" in sides.original
    assert "<ins>3</ins>" in sides.modified
    assert sides.original.endswith(sides.modified[-20:])


def test_a_passage_that_stands_elsewhere_now_is_marked_as_moved() -> None:
    parts = [compare("The train is late. It rains.", "It rains."), compare("When?", "When? The train is late.")]
    moved = find_moved(parts)
    assert moved == {"The train is late."}
    assert 'class="moved"' in show_changes(parts[0], moved).original
    assert 'class="moved"' in show_changes(parts[1], moved).modified


@pytest.mark.parametrize("text", ["<script>x</script>", "</ins><b>", '" onload="x', "&lt;", "$<i>$", "\\(<u>\\)"])
def test_no_text_becomes_a_tag(text: str) -> None:
    for sides in (show_changes(compare(text, "")), show_changes(compare("", text)), show_changes(compare(text, text))):
        for side in sides:
            assert set(re.findall(r"</?(\w+)", side)) <= {"del", "ins", "code", "math", "mrow", "mo", "mi"}
            assert not re.search(r"<[^>]*onload", side)
