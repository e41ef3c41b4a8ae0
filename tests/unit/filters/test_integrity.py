"""The filter keeps sound candidates, and for every reason drops one that is wrong in exactly that way."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from core.pictures import encode_png, pixels_from
from core.recipe import DegradationRecipe
from core.records import (
    FlawedSample,
    Language,
    PictureAddition,
    PictureRemoval,
    PictureReplacement,
    Stage,
    TextEdit,
    TextPart,
    TextRemoval,
)
from core.taxonomy import Subtype
from filters.base import DropReason
from filters.claims import check_claims
from filters.integrity import check

Bench = Any
AFTER = "The ladder in <image 1> is 5 m or so long."
WORDING = TextEdit(part=TextPart.CONTEXT, start=30, before="", after=" or so")


def decide(bench: Bench, candidate: FlawedSample) -> DropReason | None:
    decision = check(candidate, bench.parent, pixels_from(bench.read), DegradationRecipe())
    assert decision.stage is Stage.FILTER
    assert decision.decided_by == "integrity@2"
    assert decision.item == candidate.id
    assert decision.keep is (decision.reason is None)
    assert decision.keep or decision.evidence
    return None if decision.reason is None else DropReason(decision.reason)


def reworded(bench: Bench, before: str, after: str) -> FlawedSample:
    """An ambiguity that puts `after` in place of `before` in the context."""
    start = bench.parent.context.index(before)
    text = bench.parent.context.replace(before, after, 1)
    edit = TextEdit(part=TextPart.CONTEXT, start=start, before=before, after=after)
    return bench.candidate(Subtype.AMBIGUITY, (edit,), context=text)


def without_text(bench: Bench) -> FlawedSample:
    edits = tuple(TextRemoval(part=part) for part in TextPart)
    return bench.candidate(Subtype.MISSING_INSTRUCTION, edits, context=None, query=None, options=())


def without_picture(bench: Bench, **changes: Any) -> FlawedSample:
    token = TextEdit(part=TextPart.CONTEXT, start=14, before="<image 1>", after="the image")
    removal = PictureRemoval(before=bench.parent.pictures)
    values = {"context": "The ladder in the image is 5 m long.", "pictures": ()} | changes
    return bench.candidate(Subtype.MISSING_IMAGE, (token, removal), **values)


def with_donor(bench: Bench, donor: str = "smp_other", **changes: Any) -> FlawedSample:
    after = bench.store(np.full((50, 60, 3), 200, np.uint8))
    edit = PictureReplacement(index=0, before=bench.parent.pictures[0], after=after, donor=donor)
    return bench.candidate(Subtype.MISMATCH, (edit,), pictures=(after,), **changes)


def with_copy(bench: Bench, pixels: Callable[[int], Any], **changes: Any) -> FlawedSample:
    copy = pixels(1)
    copy[10:30, 10:30] = 255
    mask = np.zeros(copy.shape[:2], np.uint8)
    mask[10:30, 10:30] = 255
    addition = PictureAddition(index=1, of=0, after=bench.store(copy), mask=bench.store(mask), change="a white square")
    token = TextEdit(part=TextPart.CONTEXT, start=23, before="", after=" <image 2>")
    values: dict[str, Any] = {
        "context": "The ladder in <image 1> <image 2> is 5 m long.",
        "pictures": (*bench.parent.pictures, addition.after),
    }
    return bench.candidate(Subtype.INTER_VISUAL_CONTRADICTION, (token, addition), **(values | changes))


def test_sound_candidates_of_every_kind_are_kept(bench: Bench, pixels: Callable[[int], Any]) -> None:
    sound = [
        reworded(bench, "5 m", "some 5 m"),
        without_text(bench),
        without_picture(bench),
        with_donor(bench),
        with_copy(bench, pixels),
        bench.degrade(500),
    ]
    assert [decide(bench, candidate) for candidate in sound] == [None] * len(sound)


@pytest.mark.parametrize(("changed", "kept"), [(399, True), (398, False), (500, True), (600, True), (602, False)])
def test_the_degraded_share_is_measured_anew_and_must_lie_in_its_range(bench: Bench, changed: int, kept: bool) -> None:
    """20 to 30 % of 2,000 pixels are 400 to 600; a pixel more or less is rounding."""
    assert decide(bench, bench.degrade(changed)) is (None if kept else DropReason.SHARE_OUT_OF_RANGE)


def test_the_range_is_that_of_the_recipe(bench: Bench) -> None:
    decision = check(bench.degrade(500), bench.parent, pixels_from(bench.read), DegradationRecipe(light=(0.1, 0.2)))
    assert decision.reason == DropReason.SHARE_OUT_OF_RANGE


def test_a_share_that_is_not_the_recorded_one_is_another_change(bench: Bench) -> None:
    assert decide(bench, bench.degrade(500, share=0.28)) is DropReason.OTHER_CHANGE


def test_a_pixel_outside_the_mask_is_another_change(bench: Bench, pixels: Callable[[int], Any]) -> None:
    assert decide(bench, bench.degrade(500, outside=True)) is DropReason.OTHER_CHANGE
    candidate = with_copy(bench, pixels)
    mask = candidate.flaws[0].edits[1].mask  # pyright: ignore[reportAttributeAccessIssue]
    bench.blobs[mask.sha256] = encode_png(np.zeros((100, 100), np.uint8)).data
    assert decide(bench, candidate) is DropReason.OTHER_CHANGE


def test_a_new_file_with_the_old_pixels_changes_nothing(bench: Bench) -> None:
    bench.parent = bench.sample(pictures=(bench.store(np.full((100, 100, 3), 7, np.uint8)),))
    candidate = bench.degrade(500, same_pixels=True)
    bench.blobs[bench.parent.pictures[0].sha256] = bench.read(candidate.pictures[0])
    assert decide(bench, candidate) is DropReason.NOTHING_CHANGED


def test_new_pictures_and_masks_must_decode(bench: Bench, pixels: Callable[[int], Any]) -> None:
    for candidate in (bench.degrade(500), with_donor(bench), with_copy(bench, pixels)):
        new = candidate.pictures[-1]
        good = bench.read(new)
        for bad in (b"", b"no picture", good[: len(good) // 2]):
            bench.blobs[new.sha256] = bad
            assert decide(bench, candidate) is DropReason.UNDECODABLE_PICTURE
        bench.blobs[new.sha256] = good


def test_a_mask_of_another_size_is_another_change(bench: Bench) -> None:
    candidate = bench.degrade(500)
    mask = candidate.flaws[0].edits[0].mask  # pyright: ignore[reportAttributeAccessIssue]
    bench.blobs[mask.sha256] = encode_png(np.full((50, 50), 255, np.uint8)).data
    assert decide(bench, candidate) is DropReason.OTHER_CHANGE


def test_an_untouched_copy_of_the_source_changes_nothing(bench: Bench) -> None:
    assert decide(bench, bench.candidate(Subtype.AMBIGUITY, (WORDING,))) is DropReason.NOTHING_CHANGED


def test_an_edit_without_effect_changes_nothing(bench: Bench) -> None:
    idle = TextEdit(part=TextPart.QUERY, start=0, before="How", after="How")
    candidate = bench.candidate(Subtype.AMBIGUITY, (WORDING, idle), context=AFTER)
    assert decide(bench, candidate) is DropReason.NOTHING_CHANGED


@pytest.mark.parametrize(
    "changes",
    [
        {"query": "How far does it reach?"},
        {"context": "The ladder in <image 1> is 9 m or so long."},
        {"options": ("2 m", "4 m")},
    ],
    ids=["query", "number in the same text", "option"],
)
def test_what_is_not_on_record_is_another_change(bench: Bench, changes: dict[str, Any]) -> None:
    candidate = bench.candidate(Subtype.AMBIGUITY, (WORDING,), **({"context": AFTER} | changes))
    assert decide(bench, candidate) is DropReason.OTHER_CHANGE


def test_pictures_that_went_without_record_are_another_change(bench: Bench) -> None:
    bench.parent = bench.sample(context=None)
    edit = TextEdit(part=TextPart.QUERY, start=0, before="How", after="About how")
    candidate = bench.candidate(Subtype.AMBIGUITY, (edit,), query="About how high does it reach?", pictures=())
    assert decide(bench, candidate) is DropReason.OTHER_CHANGE


def test_a_candidate_of_another_source_is_another_change(bench: Bench) -> None:
    candidate = reworded(bench, "5 m", "some 5 m").model_copy(update={"parent": "smp_other"})
    assert decide(bench, candidate) is DropReason.OTHER_CHANGE


def test_an_edit_that_the_subtype_does_not_claim_is_another_change(bench: Bench) -> None:
    good = bench.degrade(500)
    candidate = bench.candidate(Subtype.AMBIGUITY, good.flaws[0].edits, pictures=good.pictures)
    assert decide(bench, candidate) is DropReason.OTHER_CHANGE


@pytest.mark.parametrize("subtype", [Subtype.MISSING_IMAGE, Subtype.INTER_VISUAL_CONTRADICTION, Subtype.MISMATCH])
def test_a_claim_without_its_edit_is_another_change(bench: Bench, subtype: Subtype) -> None:
    assert decide(bench, bench.candidate(subtype, (WORDING,), context=AFTER)) is DropReason.OTHER_CHANGE


def test_a_missing_instruction_that_still_asks_is_another_change(bench: Bench) -> None:
    removal = TextRemoval(part=TextPart.OPTIONS)
    candidate = bench.candidate(Subtype.MISSING_INSTRUCTION, (removal,), options=())
    assert decide(bench, candidate) is DropReason.OTHER_CHANGE


def test_a_mismatch_must_replace_every_picture(bench: Bench, pixels: Callable[[int], Any]) -> None:
    bench.parent = bench.sample(pictures=(bench.store(pixels(1)), bench.store(pixels(2))))
    after = bench.store(pixels(3))
    edit = PictureReplacement(index=0, before=bench.parent.pictures[0], after=after, donor="smp_other")
    candidate = bench.candidate(Subtype.MISMATCH, (edit,), pictures=(after, bench.parent.pictures[1]))
    assert decide(bench, candidate) is DropReason.OTHER_CHANGE


def test_a_mismatch_may_not_use_its_own_pictures(bench: Bench, pixels: Callable[[int], Any]) -> None:
    pictures = (bench.store(pixels(1)), bench.store(pixels(2)))
    bench.parent = bench.sample(pictures=pictures)
    swapped = pictures[::-1]
    edits = tuple(
        PictureReplacement(index=index, before=before, after=after, donor="smp_other")
        for index, (before, after) in enumerate(zip(pictures, swapped, strict=True))
    )
    assert decide(bench, bench.candidate(Subtype.MISMATCH, edits, pictures=swapped)) is DropReason.OTHER_CHANGE


def test_a_donor_must_be_another_sample(bench: Bench) -> None:
    assert decide(bench, with_donor(bench, donor=bench.parent.id)) is DropReason.OTHER_CHANGE


@pytest.mark.parametrize("token", ["<image 2>", "<image 0>"])
def test_a_token_needs_its_picture(bench: Bench, token: str) -> None:
    assert decide(bench, reworded(bench, "5 m", f"5 m {token}")) is DropReason.TOKENS_WITHOUT_PICTURES


def test_no_token_may_stay_when_the_pictures_go(bench: Bench) -> None:
    removal = PictureRemoval(before=bench.parent.pictures)
    candidate = bench.candidate(Subtype.MISSING_IMAGE, (removal,), pictures=())
    assert decide(bench, candidate) is DropReason.TOKENS_WITHOUT_PICTURES


@pytest.mark.parametrize(
    "options",
    [("3 m",), ("3 m", ""), ("3 m", "3 m"), ("3 m", "5 m"), ()],
    ids=["one", "empty", "twice", "wrong", "none"],
)
def test_options_must_stay_a_choice_with_the_right_answer(bench: Bench, options: tuple[str, ...]) -> None:
    candidate = bench.candidate(Subtype.AMBIGUITY, (WORDING,), context=AFTER, options=options)
    assert decide(bench, candidate) is DropReason.OPTIONS_INCONSISTENT


def test_options_that_were_equal_before_may_stay_equal(bench: Bench) -> None:
    bench.parent = bench.sample(options=("4 m", "4 m", "3 m"), correct_options=(0, 1))
    assert decide(bench, bench.candidate(Subtype.AMBIGUITY, (WORDING,), context=AFTER)) is None


def test_an_input_without_anything_is_empty(bench: Bench) -> None:
    candidate = without_text(bench).model_copy(update={"pictures": (), "context": " \n"})
    assert decide(bench, candidate) is DropReason.EMPTY_INPUT


@pytest.mark.parametrize(
    "leak",
    [
        "5 m (ambiguous)",
        "5 m, which contradicts the picture,",
        "5 m. The image is missing. It is",
        "5 m, but the height is not given,",
        "5 m. This cannot be determined. It is",
        "blurred 5 m",
    ],
)
def test_a_word_that_gives_the_flaw_away_is_a_leak(bench: Bench, leak: str) -> None:
    assert decide(bench, reworded(bench, "5 m", leak)) is DropReason.FLAW_LEAKED


@pytest.mark.parametrize("leak", ["模糊的", "（与图矛盾）", "无法确定", "缺少图片的"])
def test_a_chinese_word_that_gives_the_flaw_away_is_a_leak(bench: Bench, leak: str) -> None:
    bench.parent = bench.sample(language=Language.CHINESE, context="如<image 1>所示，梯子长5米。", query="求高度。")
    assert decide(bench, reworded(bench, "5米", f"{leak}5米")) is DropReason.FLAW_LEAKED


def test_a_word_that_the_source_had_is_no_leak(bench: Bench) -> None:
    bench.parent = bench.sample(
        context="The blurred ladder in <image 1> is 5 m long.", options=("cannot be determined", "4 m")
    )
    assert decide(bench, reworded(bench, "5 m", "some 5 m")) is None
    assert decide(bench, reworded(bench, "5 m", "blurred 5 m")) is DropReason.FLAW_LEAKED


@pytest.mark.parametrize(
    ("parent", "before", "after"),
    [
        ({}, "5 m long", "5米长"),
        (
            {"language": Language.CHINESE, "context": "如<image 1>所示，梯子长5米，靠在墙上。", "query": "求高度。"},
            "5米",
            "five metres or so",
        ),
        (
            {
                "language": Language.CHINESE,
                "context": "如<image 1>所示，梯子靠在墙上。",
                "query": "高度？",
                "options": (),
            },
            "所示，梯子靠在墙上。",
            " a ladder leans on the wall of the old house.",
        ),
    ],
    ids=["Chinese in English", "English words in Chinese", "all English"],
)
def test_the_language_must_stay(bench: Bench, parent: dict[str, Any], before: str, after: str) -> None:
    bench.parent = bench.sample(**parent, **({"correct_options": ()} if parent.get("options") == () else {}))
    assert decide(bench, reworded(bench, before, after)) is DropReason.LANGUAGE_CHANGED


def test_formulas_and_units_are_no_other_language(bench: Bench) -> None:
    bench.parent = bench.sample(
        language=Language.CHINESE, context="如<image 1>所示，梯子长5米，靠在墙上。", query="求高度。"
    )
    assert decide(bench, reworded(bench, "5米", "$\\mathrm{about} \\frac{a}{b} \\approx 5$ cm 左右")) is None


LISTED = "<image 1> and <image 2>"


@pytest.mark.parametrize(
    ("before", "after", "claimed"),
    [
        (LISTED, "the two images", True),
        (f": {LISTED}", "", True),
        ("<image 1>、<image 2>和<image 3>", "这三张图片", True),
        (f"the ladder in {LISTED}", "the two images", False),
        (LISTED, "the two images, which show a ladder of 5 metres", False),
    ],
    ids=["phrase", "with its colon", "chinese", "a word of the text goes", "a word of the text comes"],
)
def test_listed_tokens_may_go_as_one_phrase_and_nothing_else(
    bench: Bench, before: str, after: str, claimed: bool
) -> None:
    edit = TextEdit(part=TextPart.CONTEXT, start=0, before=before, after=after)
    removal = PictureRemoval(before=bench.parent.pictures)
    candidate = bench.candidate(Subtype.MISSING_IMAGE, (edit, removal), pictures=())
    fault = check_claims(candidate, bench.parent)
    assert (fault is None) is claimed
