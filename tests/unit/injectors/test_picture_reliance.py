"""A text that never points at its picture would stay answerable without it (A7)."""

import pytest

from core.records import Language, Picture, Sample, Subject
from injectors.picture_reliance import options_are_drawn, relies_on_pictures


def ask(query: str, *options: str, language: Language = Language.ENGLISH) -> Sample:
    return Sample(
        source="test",
        source_id="1",
        context=None,
        query=query,
        options=options,
        pictures=(Picture(sha256="0" * 64, media_type="image/png", width=20, height=20),),
        subject=Subject.MATHEMATICS,
        language=language,
        licence="CC0",
        attribution="test",
    )


@pytest.mark.parametrize(
    "query",
    [
        "What is the area of the triangle shown?",
        "In the figure, AB = 3. Find BC.",
        "What is the maximum number of pieces? <image 1> The shaded part is lost.",
        "Based on <image 1>, what is the diagnosis?",
        "In the drawing $VWX$ is a triangle. What is $XZ$?",
        "Angle $ABC$ equals angle $BCD$. What is it? <image 1>",
        "如图，求阴影部分的面积。",
        "下表是某班的成绩，求平均分。",
    ],
)
def test_a_text_that_points_at_its_picture_relies_on_it(query: str) -> None:
    assert relies_on_pictures(ask(query))


@pytest.mark.parametrize(
    "query",
    [
        "Two equal triangles with perimeter 18 overlap. What is the perimeter of the hexagon?\n<image 1>",
        "A prism has a height of 3 feet and edges of 6 inches. What is its volume?\n\n<image 1>",
        "一个长方形的长是5，宽是3，面积是多少？<image 1>",
        "What is 2 + 2?",
    ],
)
def test_a_text_that_says_all_itself_does_not_rely_on_its_picture(query: str) -> None:
    assert not relies_on_pictures(ask(query))


@pytest.mark.parametrize(
    ("options", "expected"),
    [(("A", "B", "C"), True), (("(A)", "(B)"), True), (("<image 1>", "B"), True), (("12", "B"), False), ((), False)],
    ids=["letters", "letters in brackets", "token", "a number", "none"],
)
def test_options_that_are_only_letters_are_drawn_in_the_picture(options: tuple[str, ...], expected: bool) -> None:
    assert options_are_drawn(ask("Which one?", *options)) is expected
    assert relies_on_pictures(ask("Which one?", *options)) is expected
