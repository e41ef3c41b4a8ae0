"""An instruction, then a picture: both are held against the only picture of the sample."""

import random
from collections.abc import Callable

import cv2
import numpy as np
import pytest

from core.calls import Answer, AnswerStatus, Proposal, Role
from core.pictures import Pixels, decode_rgb, encode_png, read_picture
from core.recipe import DegradationRecipe
from core.records import Blob, Language, PictureAddition, Record, Sample, Subject
from core.taxonomy import Subtype
from filters.integrity import check
from injectors.base import Injection, PromptContext, Rejection, RejectionReason
from injectors.prompted.inter_visual_contradiction import INTER_VISUAL_CONTRADICTION
from injectors.prompted.replies import PictureEditReply

R = RejectionReason


def _draw(number: str) -> Pixels:
    pixels = np.full((240, 320, 3), 255, np.uint8)
    cv2.rectangle(pixels, (30, 60), (150, 200), (60, 120, 200), -1)
    cv2.putText(pixels, number, (200, 60), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (0, 0, 0), 3, cv2.LINE_AA)
    return pixels


ORIGINAL = encode_png(_draw("12"))
SAMPLE = Sample(
    source="test", source_id="1", context="<image 1> shows a wall and its length.", query="How long is it?",
    pictures=(ORIGINAL.picture,), subject=Subject.ENGINEERING, language=Language.ENGLISH, licence="CC0-1.0",
    attribution="test",
)  # fmt: skip
BOX = {"left": 0.6, "top": 0.1, "right": 0.8, "bottom": 0.3}
REPLY: dict[str, object] = {
    "premise": "p", "possible": True, "instruction": "Change 12 to 45.", "changes_from": "the length is 12",
    "changes_to": "the length is 45", "box": BOX, "why_unanswerable": "w", "answerability_argument": "a",
}  # fmt: skip


def _instruction(**changed: object) -> Answer:
    value: Record = PictureEditReply.model_validate({**REPLY, **changed})
    return Answer(AnswerStatus.OK, "", "openai:writer", "openai", "cal_1", value=value)


def _picture(data: bytes) -> Answer:
    blob = Blob(ORIGINAL.picture, data)
    return Answer(AnswerStatus.OK, "", "gemini:editor", "google", "cal_2", pictures=(blob,))


def _accept(*answers: Answer, sample: Sample = SAMPLE) -> Injection | Rejection | Proposal:
    context = PromptContext(random.Random(1), lambda picture: ORIGINAL.data)
    return INTER_VISUAL_CONTRADICTION.accept(sample, answers, context)


def _png(pixels: Pixels) -> bytes:
    return encode_png(pixels).data


def _jpeg(pixels: Pixels, quality: int = 80) -> bytes:
    return cv2.imencode(".jpg", cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, quality])[
        1
    ].tobytes()


def _scaled(width: int, height: int) -> bytes:
    return _png(np.asarray(cv2.resize(_draw("45"), (width, height), interpolation=cv2.INTER_CUBIC), np.uint8))


def test_an_instruction_is_followed_by_a_question_to_the_editor() -> None:
    proposal = _accept(_instruction())
    assert isinstance(proposal, Proposal)
    assert (proposal.role, proposal.wants_picture, proposal.reply) == (Role.IMAGE_EDITOR, True, None)
    assert proposal.prompt == "inter_visual_contradiction_edit@1"
    assert proposal.parts[-1] == ORIGINAL.picture
    assert isinstance(proposal.parts[0], str)
    for words in ("Change 12 to 45.", "between 60 % and 80 % of the width", "between 10 % and 30 % of the height"):
        assert words in proposal.parts[0]


GOOD: dict[str, Callable[[], bytes]] = {
    "clean": lambda: _png(_draw("45")),
    "jpeg": lambda: _jpeg(_draw("45")),
    "moved_by_two_pixels": lambda: _jpeg(np.roll(_draw("45"), 2, axis=1)),
    "larger": lambda: _scaled(640, 480),
    "nearly_the_same_shape": lambda: _scaled(322, 240),
}


@pytest.mark.parametrize("name", GOOD)
def test_a_good_edit_is_shown_beside_the_original(name: str) -> None:
    accepted = _accept(_instruction(), _picture(GOOD[name]()))
    assert isinstance(accepted, Injection), accepted
    candidate, flaw = accepted.candidate, accepted.candidate.flaws[0]
    assert candidate.context == "<image 1> <image 2> shows a wall and its length."
    assert (flaw.generator, flaw.families) == ("openai:writer+gemini:editor", ("openai", "google"))
    addition = flaw.edits[-1]
    assert isinstance(addition, PictureAddition)
    assert candidate.pictures == (ORIGINAL.picture, addition.after)
    assert (addition.after.width, addition.after.height) == (320, 240)
    stored = {ORIGINAL.picture.sha256: ORIGINAL.data} | {blob.picture.sha256: blob.data for blob in accepted.blobs}
    decision = check(candidate, SAMPLE, lambda picture: decode_rgb(stored[picture.sha256]), DegradationRecipe())
    assert decision.keep, decision


def test_bytes_of_the_same_size_are_kept_and_scaling_is_on_record() -> None:
    data = _jpeg(_draw("45"))
    same, larger = _accept(_instruction(), _picture(data)), _accept(_instruction(), _picture(_scaled(640, 480)))
    assert isinstance(same, Injection)
    assert isinstance(larger, Injection)
    assert same.blobs[0] == read_picture(data)
    changes = [one.candidate.flaws[0].edits[-1] for one in (same, larger)]
    assert [change.change for change in changes if isinstance(change, PictureAddition)] == [
        "the length is 12 became the length is 45",
        "the length is 12 became the length is 45 (scaled from 640x480)",
    ]


def test_the_mask_is_where_the_pixels_differ() -> None:
    accepted = _accept(_instruction(), _picture(_png(_draw("45"))))
    assert isinstance(accepted, Injection)
    differs = (_draw("12") != _draw("45")).any(axis=2)
    assert np.array_equal(decode_rgb(accepted.blobs[1].data)[:, :, 0] > 0, differs)


def _with_blot() -> Pixels:
    pixels = _draw("45")
    cv2.circle(pixels, (250, 180), 30, (200, 40, 40), -1)
    return pixels


BAD: dict[str, tuple[Callable[[], bytes], RejectionReason]] = {
    "unchanged": (lambda: ORIGINAL.data, R.PICTURE_UNCHANGED),
    "only_noise": (lambda: _jpeg(_draw("12")), R.PICTURE_UNCHANGED),
    "only_moved": (lambda: _png(np.roll(_draw("12"), 3, axis=0)), R.PICTURE_UNCHANGED),
    "elsewhere": (lambda: _png(_with_blot()), R.OTHER_PART_CHANGED),
    "another_picture": (lambda: _png(255 - _draw("45")), R.PICTURE_REPLACED),
    "another_shape": (lambda: _scaled(240, 240), R.PICTURE_SIZE_CHANGED),
    "no_picture": (lambda: b"I cannot edit this.", R.UNDECODABLE_PICTURE),
    "cut": (lambda: _png(_draw("45"))[:400], R.UNDECODABLE_PICTURE),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_picture_that_is_no_such_edit_is_refused(name: str) -> None:
    make, reason = BAD[name]
    refused = _accept(_instruction(), _picture(make()))
    assert isinstance(refused, Rejection), refused
    assert refused.reason is reason, refused


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"possible": False}, R.MODEL_DECLINED),
        ({"instruction": " "}, R.TOO_WEAK),
        ({"changes_to": "The length is 12 "}, R.NOTHING_CHANGED),
        ({"box": {"left": 0.8, "top": 0.1, "right": 0.6, "bottom": 0.3}}, R.OUT_OF_RANGE),
        ({"box": {"left": 0, "top": 0, "right": 1, "bottom": 1}}, R.OUT_OF_RANGE),
    ],
    ids=["declined", "no_instruction", "same", "empty_box", "whole_picture"],
)
def test_an_instruction_that_cannot_be_used_is_refused(changed: dict[str, object], reason: RejectionReason) -> None:
    refused = _accept(_instruction(**changed))
    assert isinstance(refused, Rejection)
    assert refused.reason is reason


def test_after_a_bad_picture_the_next_one_counts() -> None:
    bad, good = _picture(ORIGINAL.data), _picture(_png(_draw("45")))
    assert isinstance(_accept(_instruction(), bad, good), Injection)
    assert isinstance(_accept(_instruction(instruction=""), _instruction(), bad, good), Injection)


def test_answers_without_instruction_or_picture_are_no_errors() -> None:
    words = Answer(AnswerStatus.OK, "Here you are.", "gemini:editor", "google", "cal_3")
    assert isinstance(empty := _accept(_instruction(), words), Rejection)
    assert empty.reason is R.REPLY_EMPTY
    for answers in ((), (words,), (_picture(ORIGINAL.data),)):
        assert isinstance(refused := _accept(*answers), Rejection)
        assert refused.reason is R.REPLY_UNPARSABLE


@pytest.mark.parametrize("count", [0, 2, 5])
def test_only_samples_with_one_picture_are_asked_about(count: int) -> None:
    sample = SAMPLE.model_copy(update={"pictures": (ORIGINAL.picture,) * count})
    refused = INTER_VISUAL_CONTRADICTION.propose(sample, PromptContext(random.Random(1), lambda picture: b""))
    assert isinstance(refused, Rejection)
    assert INTER_VISUAL_CONTRADICTION.subtype is Subtype.INTER_VISUAL_CONTRADICTION
    assert refused.reason is (R.NOT_ONE_PICTURE if count else R.NO_PICTURE)


def test_two_flat_pictures_can_be_compared() -> None:
    flat = encode_png(np.full((64, 64, 3), 255, np.uint8))
    sample = SAMPLE.model_copy(update={"pictures": (flat.picture,)})
    context = PromptContext(random.Random(1), lambda picture: flat.data)
    refused = INTER_VISUAL_CONTRADICTION.accept(sample, (_instruction(), _picture(flat.data)), context)
    assert isinstance(refused, Rejection)
    assert refused.reason is R.PICTURE_UNCHANGED
