"""Where sentences end, what must stay whole, and where the request begins."""

import pytest

from core.records import Language
from injectors.passages import formulas, goal_start, prose, sentences


def cut(text: str) -> list[str]:
    return [span.of(text) for span in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("It is 2.5 m long. How far?", ["It is 2.5 m long.", "How far?"], id="decimal"),
        pytest.param("See Fig. 3 for it. Find x.", ["See Fig. 3 for it.", "Find x."], id="abbreviation"),
        pytest.param("Let $a. B$ be it. Find it.", ["Let $a. B$ be it.", "Find it."], id="formula"),
        pytest.param("物块静止。求加速度。", ["物块静止。", "求加速度。"], id="chinese"),
        pytest.param("A car.\n<image 1>\nWhich?", ["A car.", "<image 1>", "Which?"], id="lines"),
        pytest.param("", [], id="empty"),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


def test_chinese_prose_in_dollar_signs_is_no_formula() -> None:
    assert formulas("$质量为m的物体向左运动。$") == []
    assert [span.of("长为 $x^2$ 的") for span in formulas("长为 $x^2$ 的")] == ["$x^2$"]


def test_prose_keeps_offsets() -> None:
    assert prose("a $x$ b <image 1> c") == "a     b           c"


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        pytest.param("A car stops. How far does it go?", "en", "How far does it go?", id="question"),
        pytest.param("Given that $AB=AC,$ determine $BC$.", "en", "determine $BC$.", id="order in a sentence"),
        pytest.param(
            "When it stops, by what distance is it moved?", "en", "by what distance is it moved?", id="preposition"
        ),
        pytest.param("When light enters, it bends. What is n?", "en", "What is n?", id="when is no question"),
        pytest.param("M is a midpoint. The area of the region is", "en", "The area of the region is", id="unfinished"),
        pytest.param("AB = 10, the length of NC ()", "en", "the length of NC ()", id="blank"),
        pytest.param("若∠A＝110°，则∠BOC＝（）", "zh", "则∠BOC＝（）", id="chinese blank"),
        pytest.param(
            "若x>0，则x为正.试求m的范围.", "zh", "试求m的范围.", id="chinese order before an earlier conclusion"
        ),
        pytest.param(
            "What is the number of pieces. They may turn.",
            "en",
            "What is the number of pieces. They may turn.",
            id="a question that ends with a full stop",
        ),
    ],
)
def test_the_request_begins_at_its_asking_words(text: str, language: str, expected: str) -> None:
    assert text[goal_start(text, Language(language)) :] == expected
