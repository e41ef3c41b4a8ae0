"""What a reply has to show for each subtype, what is asked about a sample, and what is not."""

from collections.abc import Callable

import pytest

from core.calls import Answer, AnswerStatus, Proposal, Role
from core.image_tokens import token
from core.records import Picture, Record, Sample
from core.taxonomy import Subtype
from injectors.base import Injection, PromptContext, Rejection, RejectionReason
from injectors.prompted.ambiguity import AMBIGUITY
from injectors.prompted.cross_modal_contradiction import CROSS_MODAL_CONTRADICTION
from injectors.prompted.replies import AmbiguityReply, TextFlawReply, UnclearIntentReply
from injectors.prompted.text_flaws import TextFlaw
from injectors.prompted.unclear_intent import UNCLEAR_INTENT
from injectors.registry import PROMPT_INJECTORS

Fields = dict[str, object]
Accept = Callable[[Subtype, Fields, Sample], Injection | Rejection]
R, S = RejectionReason, Subtype
QUERY = "How fast does the blue wheel turn?"
READINGS = [{"meaning": "red", "answer": "30 Hz"}, {"meaning": "blue", "answer": "20 Hz"}]


def _edit(original: str, new: str, part: str = "context") -> dict[str, str]:
    return {"part": part, "original_span": original, "new_span": new}


def _answer(value: Record | None) -> Answer:
    return Answer(AnswerStatus.OK, "", "gemini:writer", "google", "cal_1", value=value)


SPECIAL: list[tuple[str, Subtype, Fields, RejectionReason, str]] = [
    ("one_reading", S.AMBIGUITY, {"readings": READINGS[:1]}, R.TOO_WEAK, "two readings"),
    (
        "same_answers",
        S.AMBIGUITY,
        {"readings": [READINGS[0], {"meaning": "x", "answer": "30 hz."}]},
        R.TOO_WEAK,
        "two readings",
    ),
    (
        "answers_no_options",
        S.AMBIGUITY,
        {"readings": [READINGS[0], {"meaning": "x", "answer": "7 Hz"}]},
        R.TOO_WEAK,
        "drop them",
    ),
    ("goal_not_quoted", S.UNCLEAR_INTENT, {"goal": "the speed"}, R.SPAN_NOT_FOUND, "source query"),
    ("goal_still_there", S.UNCLEAR_INTENT, {"goal": "the blue wheel"}, R.TOO_WEAK, "still names"),
    ("options_tell", S.UNCLEAR_INTENT, {"drop_options": False}, R.TOO_WEAK, "drop_options"),
    ("picture_number", S.CROSS_MODAL_CONTRADICTION, {"picture": 2}, R.TOO_WEAK, "of 1 pictures"),
    ("unchanged_quote", S.CROSS_MODAL_CONTRADICTION, {"text_states": "$r_1 = 4$ cm"}, R.SPAN_NOT_FOUND, "text_states"),
    ("picture_agrees", S.CROSS_MODAL_CONTRADICTION, {"picture_shows": "$R_2 = 8$ cm"}, R.TOO_WEAK, "picture_shows"),
    ("options_dropped", S.CROSS_MODAL_CONTRADICTION, {"drop_options": True}, R.OTHER_PART_CHANGED, "options stay"),
    (
        "supposition",
        S.CROSS_MODAL_CONTRADICTION,
        {
            "edits": [_edit("The red wheel turns", "If the red wheel turns")],
            "text_states": "If the red wheel turns at 30 Hz",
        },
        R.TOO_WEAK,
        "supposition",
    ),
    (
        "kept_is_new",
        S.INTRA_TEXTUAL_CONTRADICTION,
        {"statement_kept": "Every second it turns 45 times"},
        R.SPAN_NOT_FOUND,
        "statement_kept",
    ),
    (
        "new_is_old",
        S.INTRA_TEXTUAL_CONTRADICTION,
        {"statement_new": "In <image 1> a red wheel"},
        R.SPAN_NOT_FOUND,
        "statement_new",
    ),
    (
        "precedence",
        S.INTRA_TEXTUAL_CONTRADICTION,
        {"edits": [_edit("at 30 Hz.", "at 30 Hz. In fact it turns at 45 Hz.")], "statement_new": "it turns at 45 Hz."},
        R.TOO_WEAK,
        "which statement holds",
    ),
    (
        "context_edited",
        S.BEYOND_CAPABILITY,
        {"edits": [_edit("30 Hz", "a rate of its own")]},
        R.OTHER_PART_CHANGED,
        "the context changed",
    ),
    (
        "old_question_stays",
        S.BEYOND_CAPABILITY,
        {"edits": [_edit("wheel turn?", "wheel turn? On which day will it break?", "query")]},
        R.TOO_WEAK,
        "still stands",
    ),
    (
        "guess",
        S.BEYOND_CAPABILITY,
        {"edits": [_edit(QUERY, "Estimate the day on which the wheel breaks.", "query")]},
        R.TOO_WEAK,
        "guess",
    ),
    ("old_options", S.BEYOND_CAPABILITY, {"drop_options": False}, R.TOO_WEAK, "old query"),
    ("unnamed", S.BEYOND_CAPABILITY, {"unknowable": ""}, R.TOO_WEAK, "unknowable"),
]


@pytest.mark.parametrize(
    ("subtype", "spoilt", "reason", "words"), [pytest.param(*case[1:], id=case[0]) for case in SPECIAL]
)
def test_what_is_no_flaw_of_the_subtype_is_refused(
    subtype: Subtype,
    spoilt: Fields,
    reason: RejectionReason,
    words: str,
    wheels: Sample,
    good_replies: dict[Subtype, Fields],
    accept: Accept,
) -> None:
    refused = accept(subtype, {**good_replies[subtype], **spoilt}, wheels)
    assert isinstance(refused, Rejection), refused
    assert refused.reason is reason, refused
    assert words in refused.detail


def test_options_that_are_drawn_cannot_be_dropped(
    wheels: Sample, good_replies: dict[Subtype, Fields], accept: Accept
) -> None:
    drawn = wheels.model_copy(update={"options": ("A", "B", "C")})
    refused = accept(S.AMBIGUITY, {**good_replies[S.AMBIGUITY], "drop_options": True}, drawn)
    assert isinstance(refused, Rejection)
    assert refused.reason is R.OPTION_IS_PICTURE


def test_a_date_in_front_of_the_old_question_asks_for_something_else(
    balls: Sample, good_replies: dict[Subtype, Fields], accept: Accept
) -> None:
    later = {"edits": [_edit("红色小球受到", "2071 年 5 月 1 日，红色小球受到", "query")]}
    accepted = accept(S.BEYOND_CAPABILITY, {**good_replies[S.BEYOND_CAPABILITY], **later}, balls)
    assert isinstance(accepted, Injection), accepted
    assert accepted.candidate.query == "2071 年 5 月 1 日，红色小球受到的重力是多少？"


def test_the_unit_may_change_where_it_is_the_very_thing(
    wheels: Sample, good_replies: dict[Subtype, Fields], accept: Accept
) -> None:
    smaller = {"edits": [_edit("$r_2 = 6$ cm", "$r_2 = 6$ mm")], "text_states": "$r_2 = 6$ mm"}
    accepted = accept(S.CROSS_MODAL_CONTRADICTION, {**good_replies[S.CROSS_MODAL_CONTRADICTION], **smaller}, wheels)
    assert isinstance(accepted, Injection), accepted
    assert "$r_2 = 6$ mm" in (accepted.candidate.context or "")


@pytest.mark.parametrize(
    ("subtype", "change", "reason"),
    [
        (S.CROSS_MODAL_CONTRADICTION, {"pictures": (), "context": "A wheel."}, R.NO_PICTURE),
        (S.AMBIGUITY, {"context": None, "query": token(1)}, R.NO_TEXT),
        (S.INTRA_TEXTUAL_CONTRADICTION, {"context": "", "query": ""}, R.NO_TEXT),
        (S.UNCLEAR_INTENT, {"query": None}, R.NO_TEXT),
        (S.BEYOND_CAPABILITY, {"query": token(1)}, R.NO_TEXT),
        (S.UNCLEAR_INTENT, {"options": (token(1), "None")}, R.NOTHING_TO_CHANGE),
        (S.AMBIGUITY, {"question_in_picture": True}, R.QUESTION_IN_PICTURE),
    ],
    ids=["no_picture", "only_a_token", "empty", "no_query", "query_is_a_token", "drawn_options", "in_picture"],
)
def test_nothing_is_asked_about_a_sample_that_cannot_carry_the_flaw(
    subtype: Subtype, change: Fields, reason: RejectionReason, wheels: Sample, prompt_context: PromptContext
) -> None:
    refused = PROMPT_INJECTORS[subtype].propose(wheels.model_copy(update=change), prompt_context)
    assert isinstance(refused, Rejection)
    assert refused.reason is reason


@pytest.mark.parametrize(
    "injector", [AMBIGUITY, UNCLEAR_INTENT, CROSS_MODAL_CONTRADICTION], ids=lambda one: one.subtype
)
def test_the_question_to_the_generator_is_whole(
    injector: TextFlaw[TextFlawReply], wheels: Sample, prompt_context: PromptContext
) -> None:
    proposal = injector.propose(wheels, prompt_context)
    assert isinstance(proposal, Proposal)
    assert (proposal.role, proposal.prompt, proposal.reply) == (Role.GENERATOR, f"{injector.subtype}@1", injector.reply)
    assert [part for part in proposal.parts if isinstance(part, Picture)] == list(wheels.pictures)
    words = "".join(part for part in proposal.parts if isinstance(part, str))
    assert all(text in words for text in (str(wheels.context), str(wheels.query), *wheels.options))


def test_a_missing_or_foreign_value_is_unparsable_and_no_error(
    wheels: Sample, good_replies: dict[Subtype, Fields], prompt_context: PromptContext
) -> None:
    foreign = UnclearIntentReply.model_validate(good_replies[S.UNCLEAR_INTENT])
    for answers in ((), (_answer(None),), (_answer(foreign),)):
        refused = AMBIGUITY.accept(wheels, answers, prompt_context)
        assert isinstance(refused, Rejection)
        assert refused.reason is R.REPLY_UNPARSABLE


def test_after_a_repair_the_last_answer_counts(
    wheels: Sample, good_replies: dict[Subtype, Fields], prompt_context: PromptContext
) -> None:
    good = _answer(AmbiguityReply.model_validate(good_replies[S.AMBIGUITY]))
    bad = _answer(AmbiguityReply.model_validate({**good_replies[S.AMBIGUITY], "readings": []}))
    assert isinstance(AMBIGUITY.accept(wheels, (good, bad), prompt_context), Rejection)
    assert isinstance(AMBIGUITY.accept(wheels, (bad, good), prompt_context), Injection)
