"""Tokens leave a text so that what stays reads like a text written without a picture."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.records import Language, Picture, Sample, Subject, TextEdit, TextPart
from injectors.token_edits import EditedText, follow_token, has_token_as_noun, take_tokens_out


def sample_with(pictures: int, language: Language = Language.ENGLISH) -> Sample:
    return Sample(
        source="test",
        source_id="1",
        context=None,
        query="unused",
        pictures=tuple(
            Picture(sha256=f"{number:064x}", media_type="image/png", width=20, height=20) for number in range(pictures)
        ),
        subject=Subject.MATHEMATICS,
        language=language,
        licence="CC0",
        attribution="test",
    )


def put_back(text: str, edits: tuple[TextEdit, ...]) -> str:
    for edit in reversed(edits):
        stop = edit.start + len(edit.after)
        assert text[edit.start : stop] == edit.after
        text = text[: edit.start] + edit.before + text[stop:]
    return text


ENGLISH_TEXTS = {
    "end of a line": ("Which crossing is missed?\n<image 1>", "Which crossing is missed?"),
    "own line": ("He has these pieces:\n<image 1>\nWhich one is left?", "He has these pieces:\nWhich one is left?"),
    "own paragraph": ("See Fig. A.\n<image 1>\n\nWhat is n?", "See Fig. A.\n\nWhat is n?"),
    "glued start": ("<image 1>The sketch shows a gate.", "The sketch shows a gate."),
    "after an article": ("The conflict in the <image 1> is old.", "The conflict in the image is old."),
    "after a preposition": ("Based on <image 1>, what is wrong?", "Based on the image, what is wrong?"),
    "subject of a sentence": ("<image 1> of a man was painted by whom?", "The image of a man was painted by whom?"),
    "apposition": ("He plants tulips <image 1> in a bed.", "He plants tulips in a bed."),
    "before a full stop": ("Find h for the gate <image 1>.", "Find h for the gate."),
    "nothing to do": ("What is 2 + 2?", "What is 2 + 2?"),
}


@pytest.mark.parametrize(("text", "expected"), ENGLISH_TEXTS.values(), ids=ENGLISH_TEXTS.keys())
def test_an_english_text_reads_on_without_its_token(text: str, expected: str) -> None:
    assert take_tokens_out(text, sample_with(1), TextPart.QUERY).text == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("如<image 1>所示，求角A。", "如图片所示，求角A。"),
        ("<image 1>中有几个圆？", "图片中有几个圆？"),
        ("求阴影部分的面积。<image 1>", "求阴影部分的面积。"),
        ("<image 1>\n求面积。", "求面积。"),
    ],
    ids=["as shown in", "inside", "at the end", "own line"],
)
def test_a_chinese_text_reads_on_without_its_token(text: str, expected: str) -> None:
    assert take_tokens_out(text, sample_with(1, Language.CHINESE), TextPart.QUERY).text == expected


def test_several_pictures_keep_their_numbers_as_words() -> None:
    edited = take_tokens_out("Compare <image 1> with <image 2>.", sample_with(2), TextPart.QUERY)
    assert "image 2" in edited.text
    assert "<image" not in edited.text


@pytest.mark.parametrize(
    ("text", "pictures", "expected"),
    [
        ("He has patterns: <image 1>, <image 2> and <image 3>. All fold.", 3, "He has patterns. All fold."),
        ("<image 1> and <image 2> show a cube.", 2, "The two images show a cube."),
        ("Compare <image 1>, <image 2>, and <image 3>.", 3, "Compare the three images."),
        ("In the <image 1> and <image 2>, what differs?", 2, "In the two images, what differs?"),
        ("<image 1> and <image 2> agree, <image 3> does not.", 3, "Images 1 and 2 agree, image 3 does not."),
        ("See here:\n<image 1>, <image 2>\nWhat differs?", 2, "See here:\nThe two images\nWhat differs?"),
        ("<image 1> shows x, and <image 2> shows y.", 2, "Image 1 shows x, and image 2 shows y."),
        ("<image 1>、<image 2>和<image 3>分别是主视图和左视图。", 3, "这三张图片分别是主视图和左视图。"),
        ("如<image 1>和<image 2>所示，求面积。", 2, "如这两张图片所示，求面积。"),
        ("<image 1>和<image 2>是圆，<image 3>是方。", 3, "图片1、图片2是圆，图片3是方。"),
    ],
    ids=[
        "behind a colon", "subject", "object", "after an article", "some of them", "own line", "apart",
        "chinese subject", "chinese as shown", "chinese, some of them",
    ],
)  # fmt: skip
def test_listed_tokens_become_one_phrase(text: str, pictures: int, expected: str) -> None:
    language = Language.CHINESE if "。" in text else Language.ENGLISH
    edited = take_tokens_out(text, sample_with(pictures, language), TextPart.CONTEXT)
    assert edited.text == expected
    assert put_back(edited.text, edited.edits) == text


@given(
    st.lists(
        st.sampled_from(["<image 1>", "<image 2>", " ", "\n", "in", "Foo.", "图", "，", "x y", "and", "、", ": "]),
        max_size=12,
    )
)
def test_edits_taken_back_give_the_source_text(pieces: list[str]) -> None:
    text = "".join(pieces)
    edited = take_tokens_out(text, sample_with(2), TextPart.CONTEXT)
    assert "<image" not in edited.text
    assert put_back(edited.text, edited.edits) == text


def test_the_copy_is_named_right_behind_the_original_and_only_once() -> None:
    edited = follow_token("In <image 1> we see a cube. <image 1> is grey.", 1, " <image 2>", TextPart.QUERY)
    assert edited.text == "In <image 1> <image 2> we see a cube. <image 1> is grey."
    assert put_back(edited.text, edited.edits) == "In <image 1> we see a cube. <image 1> is grey."


def test_a_text_without_that_token_stays_as_it_is() -> None:
    assert follow_token("No picture here.", 1, " <image 2>", TextPart.QUERY) == EditedText("No picture here.", ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What does <image 1> show?", True),
        ("He has tulips <image 1> here.", False),
        ("Look at <image 1>.", True),
        ("How many? <image 1>", False),
    ],
    ids=["after a verb", "apposition", "after a preposition", "set off"],
)
def test_a_token_counts_as_a_word_only_inside_its_sentence(text: str, expected: bool) -> None:
    assert has_token_as_noun(text) is expected
