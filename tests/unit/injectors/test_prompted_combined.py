"""Two flaws in one sample: what the integrity filter wants of one it wants of both, taken back one after the other."""

import random
from collections.abc import Callable

import cv2
import numpy as np
import pytest

from core.pictures import decode_rgb, encode_png
from core.recipe import DegradationRecipe, MissingInstructionRecipe
from core.records import Blob, Language, Sample, Subject, TextEdit, TextPart
from core.taxonomy import DUAL_KINDS, Subtype
from filters.integrity import check
from injectors.base import Injection, InjectionContext, Rejection, RejectionReason
from injectors.prompted.combined import combine, join, left_by
from injectors.registry import INJECTORS
from injectors.rewriting import Change, MadeBy, Rewriting, make_injection

C, Q = TextPart.CONTEXT, TextPart.QUERY


def _blob(red: int, corner: int) -> Blob:
    pixels = np.full((120, 160, 3), 255, np.uint8)
    cv2.rectangle(pixels, (corner, 30), (corner + 70, 90), (red, 90, 180), 5)
    cv2.circle(pixels, (150 - corner, 60), corner // 2, (red, 40, 10), -1)
    return encode_png(pixels)


PICTURE, DONOR = _blob(40, 20), _blob(200, 80)
SAMPLE = Sample(
    source="test", source_id="1", context="As shown in <image 1>, the red block has a mass of 2 kg. It rests.",
    query="In the figure, how large is the weight of the red block?", options=("10 N", "20 N"),
    pictures=(PICTURE.picture,), answer="20 N",
    correct_options=(1,), subject=Subject.PHYSICS, language=Language.ENGLISH, licence="CC0-1.0",
    attribution="test", families=("bytedance",),
)  # fmt: skip
OTHER = SAMPLE.model_copy(update={"source_id": "2", "pictures": (DONOR.picture,), "subject": Subject.ART_DESIGN})


def _rewrite(subtype: Subtype, part: TextPart, old: str, new: str, drop: bool = False) -> Callable[[Sample], Injection]:
    def apply(sample: Sample) -> Injection:
        start = ((sample.context if part is C else sample.query) or "").index(old)
        change = Change(part, start, start + len(old), new)
        families = tuple(dict.fromkeys((*sample.families, "openai")))
        return make_injection(sample, subtype, 1, Rewriting((change,), "why", drop), MadeBy("openai:x", families))

    return apply


def _rule(subtype: Subtype) -> Callable[[Sample], Injection | Rejection]:
    stored = {PICTURE.picture.sha256: PICTURE.data, DONOR.picture.sha256: DONOR.data}
    context = InjectionContext(
        stream=random.Random(5),
        read_pixels=lambda picture: decode_rgb(stored[picture.sha256]),
        missing_instruction=MissingInstructionRecipe(mode="query_only"),
        donor=OTHER,
    )
    return lambda sample: INJECTORS[subtype].apply(sample, context)


ambiguous = _rewrite(Subtype.AMBIGUITY, Q, "the red block", "it")
cross_modal = _rewrite(Subtype.CROSS_MODAL_CONTRADICTION, C, "red", "green")
REQUEST = "how large is the weight of the red block?"
unclear = _rewrite(Subtype.UNCLEAR_INTENT, Q, REQUEST, "please handle it.", drop=True)
shorter = _rewrite(Subtype.UNCLEAR_INTENT, Q, "is the weight of the thing?", "is it?")
KINDS: dict[str, tuple[Callable[[Sample], Injection | Rejection], Callable[[Sample], Injection | Rejection]]] = {
    "missing_visual_premise+ambiguity": (_rule(Subtype.MEDIUM_MISSING_VISUAL_PREMISE), ambiguous),
    "cross_modal_contradiction+unclear_intent": (cross_modal, unclear),
    "missing_instruction+mismatch": (_rule(Subtype.MISSING_INSTRUCTION), _rule(Subtype.MISMATCH)),
}


def _combine(kind: str) -> Injection:
    first_by, second_by = KINDS[kind]
    first = first_by(SAMPLE)
    assert isinstance(first, Injection), first
    both = combine(SAMPLE, first, second_by)
    assert isinstance(both, Injection), both
    return both


def test_all_dual_kinds_of_the_paper_are_tried() -> None:
    assert KINDS.keys() == DUAL_KINDS.keys()


@pytest.mark.parametrize("kind", KINDS)
def test_both_flaws_are_on_record_and_taking_them_back_gives_the_source(kind: str) -> None:
    both = _combine(kind)
    first, second = both.candidate.flaws
    assert first.subtype in DUAL_KINDS[kind].first
    assert second.subtype is DUAL_KINDS[kind].second
    assert both.candidate.parent == SAMPLE.id
    blobs = {blob.picture.sha256: blob.data for blob in (PICTURE, DONOR, *both.blobs)}

    decision = check(both.candidate, SAMPLE, lambda picture: decode_rgb(blobs[picture.sha256]), DegradationRecipe())
    assert decision.keep, decision


@pytest.mark.parametrize("kind", KINDS)
def test_every_text_edit_stands_where_the_final_text_has_it(kind: str) -> None:
    candidate = _combine(kind).candidate
    for edit in (edit for flaw in candidate.flaws for edit in flaw.edits if isinstance(edit, TextEdit)):
        assert (getattr(candidate, edit.part) or "")[edit.start :].startswith(edit.after)


def test_the_second_injector_sees_the_sample_as_the_first_left_it() -> None:
    first = unclear(SAMPLE)
    left = left_by(SAMPLE, first)
    assert (left.query, left.options, left.correct_options) == ("In the figure, please handle it.", (), ())
    assert (left.answer, left.licence, left.families) == (SAMPLE.answer, SAMPLE.licence, ("bytedance", "openai"))


def test_two_changes_of_one_text_are_joined_when_the_second_stands_behind() -> None:
    first = _rewrite(Subtype.CROSS_MODAL_CONTRADICTION, Q, "figure", "left picture")(SAMPLE)
    both = combine(SAMPLE, first, unclear)
    assert isinstance(both, Injection)
    assert both.candidate.query == "In the left picture, please handle it."
    assert check(both.candidate, SAMPLE, lambda picture: decode_rgb(PICTURE.data), DegradationRecipe()).keep


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param(_rewrite(Subtype.AMBIGUITY, Q, "red block", "thing"), shorter, id="overwritten"),
        pytest.param(ambiguous, _rewrite(Subtype.UNCLEAR_INTENT, Q, "figure", "long picture"), id="in_front"),
        pytest.param(ambiguous, _rule(Subtype.MISSING_INSTRUCTION), id="query_removed"),
        pytest.param(_rule(Subtype.MEDIUM_MISSING_VISUAL_PREMISE), _rule(Subtype.MISMATCH), id="both_pictures"),
    ],
)
def test_a_second_flaw_that_undoes_the_first_is_refused(
    first: Callable[[Sample], Injection], second: Callable[[Sample], Injection | Rejection]
) -> None:
    refused = combine(SAMPLE, first(SAMPLE), second)
    assert isinstance(refused, Rejection), refused
    assert refused.reason is RejectionReason.OTHER_PART_CHANGED


def test_a_refusal_of_the_second_injector_is_the_result() -> None:
    refusal = Rejection(RejectionReason.TOO_WEAK, "no")
    assert combine(SAMPLE, ambiguous(SAMPLE), lambda sample: refusal) is refusal
    joined = join(SAMPLE, cross_modal(SAMPLE), unclear(left_by(SAMPLE, cross_modal(SAMPLE))))
    assert joined == _combine("cross_modal_contradiction+unclear_intent")
