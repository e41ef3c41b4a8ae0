import pytest

from sources.base import QuarantineReason
from sources.rows import PictureCell, UnusableRowError
from sources.tokens import attach, in_order_of_appearance, label_parts, numbers_named

FIRST, SECOND, THIRD = (PictureCell(data, None) for data in (b"1", b"2", b"3"))


@pytest.mark.parametrize("spelling", ["<image 1>", "<image_1>", "<image1>", "<img_1>", "<IMAGE 1>"])
def test_every_spelling_becomes_the_one_spelling(spelling: str) -> None:
    assert attach((f"See {spelling}.",), (), {1: FIRST}).texts == ("See <image 1>.",)


@pytest.mark.parametrize("text", ["<0', 'q = 0, w >", "<L(a);l(b)>", "a<b and c>d", "<image>", "<image one>"])
def test_other_words_in_angle_brackets_are_no_tokens(text: str) -> None:
    """test_Energy_and_Power_231, validation_Geography_10."""
    assert numbers_named(text) == []
    assert attach((text,), (), {1: FIRST}).texts == (text,)


def test_tokens_are_renumbered_to_the_pictures_that_are_attached() -> None:
    attached = attach(("<image 3> or <image 1>?",), ("<image 3>",), {1: FIRST, 2: SECOND, 3: THIRD})
    assert attached.texts == ("<image 2> or <image 1>?",)
    assert attached.options == ("<image 2>",)
    assert attached.pictures == (FIRST, THIRD)


def test_many_tokens_for_few_pictures_are_all_kept() -> None:
    """test_Geography_252 names seven pictures 35 times."""
    text = "<image 1>, <image 2>; <image 2>, <image 1>"
    assert attach((text,), (text, text), {1: FIRST, 2: SECOND}).options == (text, text)


def test_a_token_repeated_at_once_is_written_once() -> None:
    assert attach(("<image_1>\n<image_1> which?",), (), {1: FIRST}).texts == ("<image 1> which?",)


@pytest.mark.parametrize(
    ("columns", "reason"),
    [({1: FIRST}, QuarantineReason.TOKEN_WITHOUT_COLUMN), ({1: FIRST, 2: None}, QuarantineReason.PICTURE_MISSING)],
    ids=["no column", "empty column"],
)
def test_a_token_without_its_picture_makes_the_row_unusable(
    columns: dict[int, PictureCell | None], reason: QuarantineReason
) -> None:
    with pytest.raises(UnusableRowError) as raised:
        attach(("<image 2>",), (), columns)
    assert raised.value.reason is reason


def test_file_numbers_count_in_the_order_in_which_they_appear() -> None:
    assert in_order_of_appearance(("<img_1206> <img_918>", None)) == ("<image 1> <image 2>", None)
    assert in_order_of_appearance(("<img_9>", "<img_3> <img_9>")) == ("<image 1>", "<image 2> <image 1>")


def test_one_number_means_the_one_picture() -> None:
    assert label_parts(("Look:\n<image1>",), ()) == (("Look:\n<image 1>",), ())


def test_several_numbers_are_labels_of_parts_of_the_one_picture() -> None:
    """MATH-Vision 33: the labels are printed in the picture."""
    texts, options = label_parts(("The ant <image1> walks home <image2>.\n<image6>",), ("A",))
    assert texts == ("<image 1>\nThe ant [image1] walks home [image2].\n[image6]",)
    assert options == ("A",)


def test_options_that_are_parts_stay_different_options() -> None:
    """MATH-Vision 2673."""
    texts, options = label_parts(("What should it look like?",), ("<image1>", "<image2>"))
    assert texts == ("<image 1>\nWhat should it look like?",)
    assert options == ("[image1]", "[image2]")
