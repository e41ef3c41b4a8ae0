"""A copy of the only picture contradicts it in what the text leans on; everything else is refused (M-12)."""

import io
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from core.pictures import Pixels, decode_rgb, encode_png, pixels_from
from core.records import Language, Picture, PictureAddition, Sample, Subject, TextEdit
from injectors.base import Injection, InjectionContext, Rejection, RejectionReason
from injectors.inter_visual_contradiction import INTER_VISUAL_CONTRADICTION

Draw = Callable[[ImageDraw.ImageDraw], None]
SIZE = (480, 360)
FONT = ImageFont.load_default(24)
BLUE, RED = (40, 90, 200), (200, 40, 40)


def draw_triangle(draw: ImageDraw.ImageDraw) -> None:
    draw.polygon(((100, 300), (380, 300), (200, 60)), outline="black", width=3)
    for name, place in (("A", (70, 300)), ("B", (392, 300)), ("C", (195, 24))):
        draw.text(place, name, fill="black", font=FONT)


def draw_options(draw: ImageDraw.ImageDraw) -> None:
    for index, name in enumerate("ABCDE"):
        draw.text((40 + 85 * index, 60), name, fill="black", font=FONT)
        draw.polygon([(30 + 85 * index + x, 120 + y) for x, y in ((0, 60), (60, 60), (10 * index, 0))], outline="black")


def draw_bars(draw: ImageDraw.ImageDraw) -> None:
    for y in range(60, 300, 48):
        draw.line((60, y, 440, y), fill=(210, 210, 210))
    draw.line((60, 300, 440, 300), fill="black", width=2)
    for index, length in enumerate((120, 200, 80, 160)):
        draw.rectangle((90 + index * 85, 299 - length, 130 + index * 85, 299), fill=(70, 120, 190))


def draw_triangles(draw: ImageDraw.ImageDraw) -> None:
    for index in range(7):
        draw.polygon(((40 + index * 60, 200), (60 + index * 60, 150), (80 + index * 60, 200)), outline="black", width=2)


def draw_squares(draw: ImageDraw.ImageDraw) -> None:
    for column in range(3):
        for row in range(3):
            corner = (100 + column * 80, 60 + row * 80)
            fill = (170, 170, 170) if (column, row) in ((0, 0), (1, 2)) else "white"
            draw.rectangle((*corner, corner[0] + 80, corner[1] + 80), outline="black", width=2, fill=fill)


def draw_balls(draw: ImageDraw.ImageDraw) -> None:
    for index, colour in enumerate((RED, RED, BLUE, RED)):
        draw.ellipse((40 + index * 100, 120, 110 + index * 100, 190), fill=colour, outline="black")


def draw_numbers(draw: ImageDraw.ImageDraw) -> None:
    for index, (number, place) in enumerate(((7, (60, 80)), (12, (350, 60)), (34, (220, 150)), (5, (90, 280)))):
        draw.text(place, str(number), fill="black", font=FONT)
        draw.ellipse((place[0] - 20, place[1] - 12, place[0] + 46, place[1] + 44 + index), outline="black", width=2)


def draw_axis(draw: ImageDraw.ImageDraw) -> None:
    draw.line((60, 300, 440, 300), fill="black", width=2)
    for index in range(6):
        draw.text((60 + index * 70, 310), str(10 * index), fill="black", font=FONT)
    draw.line((60, 280, 200, 100, 440, 60), fill="black", width=2)


def render(draw: Draw) -> Pixels:
    image = Image.new("RGB", SIZE, "white")
    draw(ImageDraw.Draw(image))
    return np.asarray(image)


def photograph() -> Pixels:
    noise = np.random.default_rng(1).integers(0, 60, (*SIZE[::-1], 3), dtype=np.uint8)
    noise[:, :, 1] += np.linspace(60, 180, SIZE[0], dtype=np.uint8)
    return noise


class Shelf:
    """Blobs by hash, and samples of one picture."""

    def __init__(self) -> None:
        self.blobs: dict[str, bytes] = {}

    def sample(self, pixels: Pixels, question: str, **changes: Any) -> Sample:
        blob = encode_png(pixels)
        self.blobs[blob.picture.sha256] = blob.data
        values: dict[str, Any] = {
            "source": "test",
            "source_id": "1",
            "context": None,
            "query": question,
            "pictures": (blob.picture,),
            "subject": Subject.MATHEMATICS,
            "language": Language.ENGLISH,
            "licence": "CC0",
            "attribution": "test",
        }
        return Sample.model_validate(values | changes)

    def read(self, picture: Picture) -> bytes:
        return self.blobs[picture.sha256]

    def apply(self, sample: Sample, seed: int = 1) -> Injection | Rejection:
        return INTER_VISUAL_CONTRADICTION.apply(sample, InjectionContext(random.Random(seed), pixels_from(self.read)))

    def copy_of(self, pixels: Pixels, query: str, **changes: Any) -> tuple[Pixels, PictureAddition]:
        result = self.apply(self.sample(pixels, query, **changes))
        assert isinstance(result, Injection), result
        addition = result.candidate.flaws[0].edits[-1]
        assert isinstance(addition, PictureAddition)
        return decode_rgb(result.blobs[0].data), addition


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


def window(pixels: Pixels, left: int, top: int, right: int, bottom: int) -> Pixels:
    return pixels[top:bottom, left:right]


@pytest.mark.parametrize(
    "query", ["In triangle $ABC$, how large is angle $A$?", "如图，在三角形ABC中，角A是多少度？"], ids=["en", "zh"]
)
def test_every_named_point_gets_the_name_of_another(shelf: Shelf, query: str) -> None:
    original = render(draw_triangle)
    copy, addition = shelf.copy_of(original, query)
    for corner in ((66, 298, 94, 330), (388, 298, 416, 330), (190, 22, 220, 52)):
        assert (window(copy, *corner) != window(original, *corner)).any()
    assert (window(copy, 100, 60, 380, 296) == window(original, 100, 60, 380, 296)).all()
    assert addition.change.startswith("3 of the letters have changed: ")


def test_the_letter_of_the_right_option_moves_too(shelf: Shelf) -> None:
    original = render(draw_options)
    copy, _ = shelf.copy_of(original, "Which figure fits?", options=tuple("ABCDE"), answer="D", correct_options=(3,))
    for index in range(5):
        label = (36 + 85 * index, 58, 64 + 85 * index, 92)
        assert (window(copy, *label) != window(original, *label)).any()
    assert (copy[100:] == original[100:]).all()


def test_option_letters_that_are_not_all_found_are_left_alone(shelf: Shelf) -> None:
    result = shelf.apply(shelf.sample(render(draw_options), "Which figure fits?", options=tuple("ABCDEF")))
    assert isinstance(result, Rejection)


@pytest.mark.parametrize("query", ["The bar chart shows sales. Which is best?", "柱状图表示销量，哪个最高？"])
def test_the_bars_of_a_chart_get_other_lengths(shelf: Shelf, query: str) -> None:
    copy, _ = shelf.copy_of(render(draw_bars), query)
    blue = copy[:, :, 2].astype(int) - copy[:, :, 0] > 60
    lengths = [int(np.count_nonzero(blue[:300, 110 + 85 * index])) for index in range(4)]
    assert lengths == pytest.approx([160, 80, 200, 120], abs=3)


def test_grid_lines_come_back_where_a_bar_has_shrunk(shelf: Shelf) -> None:
    copy, _ = shelf.copy_of(render(draw_bars), "The bar chart shows sales. Which is best?")
    assert (copy[108, 180:210] == 210).all()


@pytest.mark.parametrize("query", ["How many triangles are there?", "图中有多少个三角形？"], ids=["en", "zh"])
def test_one_of_the_counted_things_is_gone(shelf: Shelf, query: str) -> None:
    copy, addition = shelf.copy_of(render(draw_triangles), query)
    shown = [bool((copy[150:201, 40 + index * 60 : 81 + index * 60] < 128).any()) for index in range(7)]
    assert sum(shown) == 6
    assert "6 are left" in addition.change


@pytest.mark.parametrize("query", ["What fraction is shaded?", "求阴影部分占几分之几。"], ids=["en", "zh"])
def test_shading_moves_and_lines_stay(shelf: Shelf, query: str) -> None:
    original = render(draw_squares)
    copy, _ = shelf.copy_of(original, query)
    grey = [
        tuple(copy[100 + 80 * row, 140 + 80 * column]) != (255, 255, 255) for column in range(3) for row in range(3)
    ]
    before = [(column, row) in ((0, 0), (1, 2)) for column in range(3) for row in range(3)]
    assert sum(grey) == 2
    assert grey != before
    assert (copy[(original < 40).all(axis=2)] < 60).all()


def test_a_colour_by_which_the_query_asks_changes_places_with_another_named_one(shelf: Shelf) -> None:
    copy, _ = shelf.copy_of(render(draw_balls), "How far is the blue ball from the first red ball?")
    red = [int(copy[155, 75 + 100 * index, 0]) > int(copy[155, 75 + 100 * index, 2]) for index in range(4)]
    assert red == [False, False, True, False]


def test_a_colour_that_alone_is_asked_for_is_gone(shelf: Shelf) -> None:
    copy, addition = shelf.copy_of(render(draw_balls), "How many red balls are there?")
    assert addition.change.startswith("what is red in the original is ")
    assert tuple(copy[155, 275]) == BLUE
    red = [int(copy[155, 75 + 100 * index, 0]) > 1.5 * copy[155, 75 + 100 * index, 1:].max() for index in (0, 1, 3)]
    assert not any(red)


def test_numbers_change_places(shelf: Shelf) -> None:
    _, addition = shelf.copy_of(render(draw_numbers), "Which number is missing?")
    assert addition.change.startswith("4 of the numbers have changed")


def test_for_a_sum_some_number_is_there_twice(shelf: Shelf) -> None:
    original = render(draw_numbers)
    copy, _ = shelf.copy_of(original, "What is the sum of the numbers?")
    ink = int(np.count_nonzero(copy < 128)), int(np.count_nonzero(original < 128))
    assert ink[0] != ink[1]


def test_the_scale_of_an_axis_is_never_shuffled(shelf: Shelf) -> None:
    result = shelf.apply(shelf.sample(render(draw_axis), "Which value belongs to 30?"))
    assert isinstance(result, Rejection)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"pictures": ()}, RejectionReason.NO_PICTURE),
        ({"question_in_picture": True}, RejectionReason.QUESTION_IN_PICTURE),
        ({"query": " "}, RejectionReason.NO_TEXT),
        ({"options": ("<image 1>", "2")}, RejectionReason.OPTION_IS_PICTURE),
        ({"query": "What is this?"}, RejectionReason.NOTHING_TO_CHANGE),
    ],
    ids=["no picture", "question in picture", "no text", "picture as option", "nothing named"],
)
def test_what_cannot_be_contradicted_is_refused(shelf: Shelf, changes: dict[str, Any], reason: RejectionReason) -> None:
    result = shelf.apply(shelf.sample(render(draw_triangle), "In triangle $ABC$, how large is $A$?", **changes))
    assert isinstance(result, Rejection)
    assert result.reason is reason


def test_two_pictures_are_refused(shelf: Shelf) -> None:
    first, second = shelf.sample(render(draw_balls), "red?"), shelf.sample(render(draw_bars), "red?")
    result = shelf.apply(shelf.sample(render(draw_balls), "red?", pictures=(*first.pictures, *second.pictures)))
    assert isinstance(result, Rejection)
    assert result.reason is RejectionReason.NOT_ONE_PICTURE


def test_a_photograph_is_left_alone(shelf: Shelf) -> None:
    result = shelf.apply(shelf.sample(photograph(), "How many of the green things at A and B are there?"))
    assert isinstance(result, Rejection)
    assert result.reason is RejectionReason.NOTHING_TO_CHANGE


def test_bytes_that_are_no_picture_are_refused(shelf: Shelf) -> None:
    sample = shelf.sample(render(draw_balls), "How many red balls are there?")
    shelf.blobs[sample.pictures[0].sha256] = b"not a picture"
    result = shelf.apply(sample)
    assert isinstance(result, Rejection)
    assert result.reason is RejectionReason.UNDECODABLE_PICTURE


def test_a_change_too_small_to_see_is_refused(shelf: Shelf) -> None:
    pixels = np.full((3000, 3000, 3), 255, np.uint8)
    pixels[:360, :480] = render(draw_triangle)
    result = shelf.apply(shelf.sample(pixels, "In triangle $ABC$, how large is angle $A$?"))
    assert isinstance(result, Rejection)


def test_the_copy_stands_second_with_a_mask_of_exactly_what_differs(shelf: Shelf) -> None:
    sample = shelf.sample(render(draw_balls), "How many red balls are there?")
    result = shelf.apply(sample)
    assert isinstance(result, Injection)
    copy, mask = (decode_rgb(blob.data) for blob in result.blobs)
    original = decode_rgb(shelf.read(sample.pictures[0]))
    assert result.candidate.pictures == (sample.pictures[0], result.blobs[0].picture)
    assert ((mask[:, :, 0] == 255) == (copy != original).any(axis=2)).all()
    assert "cannot both be right" in result.candidate.flaws[0].explanation


def test_the_text_only_gains_the_token_of_the_copy(shelf: Shelf) -> None:
    sample = shelf.sample(render(draw_balls), "How many balls?", context="See <image 1>. Some balls are red.")
    sample = sample.model_copy(update={"query": "How many red balls are in <image 1>?"})
    result = shelf.apply(sample)
    assert isinstance(result, Injection)
    candidate = result.candidate
    assert candidate.context == "See <image 1> <image 2>. Some balls are red."
    assert candidate.query == sample.query
    edits = [edit for edit in candidate.flaws[0].edits if isinstance(edit, TextEdit)]
    assert [(edit.before, edit.after) for edit in edits] == [("", " <image 2>")]


def test_a_text_without_tokens_does_not_change(shelf: Shelf) -> None:
    result = shelf.apply(shelf.sample(render(draw_balls), "How many red balls are there?"))
    assert isinstance(result, Injection)
    assert (result.candidate.context, result.candidate.query) == (None, "How many red balls are there?")


@pytest.mark.parametrize("mode", ["RGBA", "L", "P", "CMYK"])
def test_any_picture_mode_is_read(shelf: Shelf, mode: str) -> None:
    buffer = io.BytesIO()
    Image.fromarray(render(draw_triangle)).convert(mode).save(buffer, "TIFF")
    sample = shelf.sample(render(draw_triangle), "In triangle $ABC$, how large is angle $A$?")
    shelf.blobs[sample.pictures[0].sha256] = buffer.getvalue()
    assert isinstance(shelf.apply(sample), Injection)


@settings(max_examples=8)
@given(
    draw=st.sampled_from([draw_triangle, draw_bars, draw_squares, draw_balls, draw_numbers, draw_triangles]),
    seed=st.integers(0, 1000),
)
def test_the_same_sample_and_stream_give_the_same_bytes(draw: Draw, seed: int) -> None:
    shelf = Shelf()
    query = "How many shaded or red parts and triangles ABC does the chart show?"
    sample = shelf.sample(render(draw), query)
    assert shelf.apply(sample, seed) == shelf.apply(sample, seed)
