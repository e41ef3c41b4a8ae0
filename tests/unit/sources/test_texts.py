import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.texts import tidy, tidy_option, unwrap_prose


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\r\nb\rc", "a\nb\nc"),
        ("\ufeffA lampshade", "A lampshade"),
        ("KC\u00a0150", "KC 150"),
        ("a   \n\n\n\n b", "a\n\n b"),
        ("single number $1$.\\nThe second", "single number $1$.\nThe second"),
        ("rotated.\\n<image1>", "rotated.\n<image1>"),
        ("rotated.\\n \\nThe", "rotated.\n\nThe"),
        ("$\\nabla f$ and $\\nRightarrow$", "$\\nabla f$ and $\\nRightarrow$"),
        ("Straße “here”", "Straße “here”"),
    ],
    ids=[
        "line ends",
        "byte order mark",
        "no-break space",
        "blank lines",
        "written",
        "before token",
        "twice",
        "LaTeX",
        "kept",
    ],
)
def test_a_text_is_brought_to_its_normal_form(text: str, expected: str) -> None:
    assert tidy(text) == expected


@pytest.mark.parametrize("text", [None, "", " \r\n\u00a0\ufeff"])
def test_a_text_of_blanks_is_none(text: str | None) -> None:
    assert tidy(text) is None


def test_an_empty_option_keeps_its_place() -> None:
    assert tidy_option(" ") == ""


def test_an_option_of_backslash_and_n_is_one() -> None:
    assert tidy_option("\\n") == "\\n"


@given(st.text() | st.text(alphabet="\\n$A< \n\u2028a"))
def test_tidying_twice_changes_nothing_more(text: str) -> None:
    once = tidy(text)
    assert tidy(once) == once


def test_chinese_prose_leaves_its_dollars_and_the_formulas_inside_get_theirs() -> None:
    assert (
        unwrap_prose("$容积 V_0 为25 L，压强为\\frac{1}{2}p。$\n求V。")
        == "容积 $V_0$ 为25 L，压强为$\\frac{1}{2}p$。\n求V。"
    )


@pytest.mark.parametrize(
    "text",
    [
        "在$[2，3)，[3，4)$内",
        "$\\text{速度}v$",
        "costs $5 and 中文说明",
        "$\\left\\{当x 时 y\\right.中文$",
        "$a_{甲乙}b_{丙}$",
    ],
    ids=["interval", "one word in text", "odd dollar", "unbalanced", "indices"],
)
def test_formulas_with_few_chinese_signs_stay_formulas(text: str) -> None:
    assert unwrap_prose(text) == text


@given(st.text(alphabet="$中文，。x_1{}\\a "))
def test_only_dollars_are_moved(text: str) -> None:
    assert re.sub(r"\$", "", unwrap_prose(text)) == re.sub(r"\$", "", text)
