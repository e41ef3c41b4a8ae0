from typing import Any

import pytest

from core.premises import Premise, PremiseQuestion
from core.records import Language, Record, Sample, Subject
from core.taxonomy import PremiseSubtype
from injectors.base import Rejection, RejectionReason
from injectors.premise.answers import find_answer_fault
from injectors.premise.captioning import read_caption
from injectors.premise.extraction import read_extraction
from injectors.premise.questioning import read_question
from injectors.premise.replies import (
    AnswerReply,
    CaptionReply,
    ExtractionReply,
    NegativeReply,
    PairReply,
    PositiveReply,
)
from injectors.rewriting import MadeBy

CAPTION = "A red kettle stands on a wooden table beside three plates. A window behind it is open."
CHINESE = "木桌上放着一个红色的水壶，旁边有三个盘子。后面的窗户开着。"
BY = MadeBy("scripted:writer", ("alpha", "beta"))
FRAME = "How many plates stand on the table beside the kettle, which is [PREMISE]?"


def sample(language: Language = Language.ENGLISH) -> Sample:
    return Sample(
        source="own",
        source_id="1",
        context=None,
        query=None,
        subject=Subject.ART_DESIGN,
        language=language,
        licence="CC0-1.0",
        attribution="flawbench",
    )


def premise(
    text: str = "red", caption: str = CAPTION, kind: PremiseSubtype = PremiseSubtype.VISUAL_ATTRIBUTES
) -> Premise:
    return Premise(subtype=kind, text=text, caption=caption, start=caption.index(text))


def pair(**changes: Any) -> PairReply:
    reply = PairReply(possible=True, replacement="green", frame=FRAME, answer="three")
    return reply.model_copy(update=changes)


def reason(result: object) -> RejectionReason | None:
    return result.reason if isinstance(result, Rejection) else None


def test_the_questions_of_a_pair_differ_in_the_slot_alone() -> None:
    made = read_question(sample(), premise(), pair(), BY)
    assert not isinstance(made, Rejection)
    true, false = made
    assert (true.label, false.label) == (True, False)
    assert true.question.replace("red", "green") == false.question
    assert true.pair == false.pair is not None
    for question, words in ((true, "red"), (false, "green")):
        assert question.question[question.start : question.start + len(question.stated)] == question.stated == words
        assert (question.generator, question.families) == (BY.generator, BY.families)
    assert true.restated("green").text == false.question


def test_article_and_capital_follow_what_stands_in_the_slot() -> None:
    shown = premise("orange", "An orange cup stands beside three plates.")
    made = read_question(
        sample(),
        shown,
        pair(frame="With a [PREMISE] cup on the table, how many plates are there?", replacement="blue"),
        BY,
    )
    assert not isinstance(made, Rejection)
    assert [question.question[:12] for question in made] == ["With an oran", "With a blue "]
    first = read_question(
        sample(), premise(), pair(frame="[PREMISE] as it is, how many plates does the kettle stand by?"), BY
    )
    assert not isinstance(first, Rejection)
    assert [question.stated for question in first] == ["Red", "Green"]


FAULTS: dict[str, tuple[dict[str, Any], RejectionReason]] = {
    "replacement is the premise": ({"replacement": "Red"}, RejectionReason.PREMISE_NOT_REPLACED),
    "replacement holds the premise": ({"replacement": "dark red"}, RejectionReason.PREMISE_IN_NEGATIVE),
    "replacement is a synonym": ({"replacement": "crimson"}, RejectionReason.REPLACEMENT_IS_SYNONYM),
    "replacement is a no": ({"replacement": "None"}, RejectionReason.PREMISE_UNUSABLE),
    "replacement is much longer": (
        {"replacement": "green with a long black handle"},
        RejectionReason.WORDS_DO_NOT_AGREE,
    ),
    "premise stands outside the slot": (
        {"frame": "How many plates stand by the red kettle, which is [PREMISE]?"},
        RejectionReason.PREMISE_IN_NEGATIVE,
    ),
    "replacement stands outside the slot": (
        {"frame": "How many plates stand by the kettle, which is [PREMISE] and not green?"},
        RejectionReason.FLAW_LEAKED,
    ),
    "no slot": ({"frame": "How many plates stand beside the kettle?"}, RejectionReason.PREMISE_NOT_STATED),
    "two slots": ({"frame": "How many [PREMISE] plates are by the [PREMISE] jug?"}, RejectionReason.PREMISE_NOT_STATED),
    "the article changes": (
        {"frame": "How many plates stand beside [PREMISE] kettle?", "replacement": "the green"},
        RejectionReason.WORDS_DO_NOT_AGREE,
    ),
    "asked by a verb": ({"frame": "Is the kettle beside three plates [PREMISE]?"}, RejectionReason.PREMISE_ASKED),
    "asked by a tag": ({"frame": "There are plates by the [PREMISE] jug, right?"}, RejectionReason.PREMISE_ASKED),
    "asked as a choice": (
        {"frame": "How many plates stand by the kettle, which is [PREMISE] or yellow?"},
        RejectionReason.PREMISE_ASKED,
    ),
    "asked for the premise itself": ({"answer": "it is red"}, RejectionReason.PREMISE_ASKED),
    "without an answer": ({"answer": " "}, RejectionReason.PREMISE_ASKED),
    "hedged by if": ({"frame": "If the kettle is [PREMISE], how many plates are there?"}, RejectionReason.HEDGED),
    "hedged by might": ({"frame": "How many plates might stand by the [PREMISE] kettle?"}, RejectionReason.HEDGED),
    "hedged by would": ({"frame": "How many plates would the [PREMISE] kettle go with?"}, RejectionReason.HEDGED),
    "hedged in the replacement": ({"replacement": "perhaps green"}, RejectionReason.HEDGED),
    "two sentences": (
        {"frame": "The kettle is [PREMISE]. How many plates are there?"},
        RejectionReason.NOT_ONE_SENTENCE,
    ),
    "no question": ({"frame": "The [PREMISE] kettle stands by some plates."}, RejectionReason.NOT_ONE_SENTENCE),
    "line break": ({"frame": "How many plates stand\nby the [PREMISE] kettle?"}, RejectionReason.PROMPT_DEBRIS),
    "label of the prompt": (
        {"frame": "Incorrect premise: how many plates stand by the [PREMISE] kettle?"},
        RejectionReason.PROMPT_DEBRIS,
    ),
    "talk of the caption": (
        {"frame": "By the caption, how many plates are by the [PREMISE] kettle?"},
        RejectionReason.PROMPT_DEBRIS,
    ),
    "markup": ({"frame": "How many plates stand by the **[PREMISE]** kettle?"}, RejectionReason.PROMPT_DEBRIS),
    "another slot": ({"frame": "How many {things} stand by the [PREMISE] kettle?"}, RejectionReason.PROMPT_DEBRIS),
    "numbered": ({"frame": "1. How many plates stand by the [PREMISE] kettle?"}, RejectionReason.PROMPT_DEBRIS),
    "caption copied": (
        {"frame": "A [PREMISE] kettle stands on a wooden table beside three plates a window behind it is what?"},
        RejectionReason.PROMPT_DEBRIS,
    ),
    "other language": ({"frame": "How many 盘子 stand by the [PREMISE] kettle?"}, RejectionReason.LANGUAGE_CHANGED),
    "tells that something is wrong": (
        {"frame": "How many plates contradict the [PREMISE] kettle?"},
        RejectionReason.FLAW_LEAKED,
    ),
    "declined": ({"possible": False}, RejectionReason.MODEL_DECLINED),
}


@pytest.mark.parametrize(("changes", "expected"), FAULTS.values(), ids=FAULTS)
def test_a_faulty_frame_is_rejected_with_its_reason(changes: dict[str, Any], expected: RejectionReason) -> None:
    assert reason(read_question(sample(), premise(), pair(**changes), BY)) is expected


GOOD = {
    "statement first": "The kettle being [PREMISE], how many plates stand beside it?",
    "month of May": "How many plates stood by the [PREMISE] kettle in May 2020?",
    "decimal number": "How many plates stand 1.5 m from the [PREMISE] kettle?",
    "abbreviation": "How many plates, cups etc. stand by the [PREMISE] kettle?",
}


@pytest.mark.parametrize("frame", GOOD.values(), ids=GOOD)
def test_a_sound_frame_is_accepted(frame: str) -> None:
    assert reason(read_question(sample(), premise(), pair(frame=frame), BY)) is None


CHINESE_FAULTS: dict[str, tuple[dict[str, Any], RejectionReason]] = {
    "synonym": ({"replacement": "红"}, RejectionReason.PREMISE_NOT_REPLACED),
    "asked by 吗": ({"frame": "桌上的水壶是[PREMISE]的吗？"}, RejectionReason.PREMISE_ASKED),
    "asked as a choice": ({"frame": "水壶是[PREMISE]还是别的？"}, RejectionReason.PREMISE_ASKED),
    "hedged": ({"frame": "如果水壶是[PREMISE]的，旁边有几个盘子？"}, RejectionReason.HEDGED),
    "other language": ({"frame": "How many plates stand by the [PREMISE] kettle？"}, RejectionReason.LANGUAGE_CHANGED),
    "two sentences": ({"frame": "水壶是[PREMISE]的。旁边有几个盘子？"}, RejectionReason.NOT_ONE_SENTENCE),
    "debris": ({"frame": "错误前提：水壶是[PREMISE]的，旁边有几个盘子？"}, RejectionReason.PROMPT_DEBRIS),
}


@pytest.mark.parametrize(("changes", "expected"), CHINESE_FAULTS.values(), ids=CHINESE_FAULTS)
def test_a_faulty_chinese_frame_is_rejected(changes: dict[str, Any], expected: RejectionReason) -> None:
    reply = pair(replacement="绿色", frame="水壶是[PREMISE]的，它旁边有几个盘子？", answer="三个")
    chinese, shown = sample(Language.CHINESE), premise("红色", CHINESE)
    assert reason(read_question(chinese, shown, reply, BY)) is None
    assert reason(read_question(chinese, shown, reply.model_copy(update=changes), BY)) is expected


def test_a_verb_that_fits_one_filling_alone_is_rejected() -> None:
    counted = premise("one plate", "By the kettle there is one plate.", PremiseSubtype.NUMERICAL_ATTRIBUTES)
    reply = pair(replacement="two plates", answer="a kettle")
    beside = reply.model_copy(update={"frame": "What stands where there is [PREMISE] on the table?"})
    apart = reply.model_copy(update={"frame": "What stands by [PREMISE] on the table?"})
    assert reason(read_question(sample(), counted, beside, BY)) is RejectionReason.WORDS_DO_NOT_AGREE
    assert reason(read_question(sample(), counted, apart, BY)) is None


def test_an_amount_that_the_true_number_fits_replaces_no_number() -> None:
    counted = premise("three plates", CAPTION, PremiseSubtype.NUMERICAL_ATTRIBUTES)
    frame = "What stands on the table beside [PREMISE]?"
    for words in ("several plates", "3 plates"):
        made = read_question(sample(), counted, pair(replacement=words, frame=frame, answer="a kettle"), BY)
        assert reason(made) in (RejectionReason.PREMISE_UNUSABLE, RejectionReason.PREMISE_NOT_REPLACED)


def test_independent_questions_hold_what_their_label_wants() -> None:
    positive = PositiveReply(
        possible=True, question="How many plates stand by the red kettle?", span="red", answer="three"
    )
    negative = NegativeReply(
        possible=True, replacement="green", question="What is behind the green kettle?", span="green", answer="a window"
    )
    for reply, label, replacement in ((positive, True, None), (negative, False, "green")):
        made = read_question(sample(), premise(), reply, BY)
        assert not isinstance(made, Rejection)
        assert [(q.label, q.replacement, q.pair) for q in made] == [(label, replacement, None)]
    cases: list[tuple[Record, RejectionReason]] = [
        (positive.model_copy(update={"span": "blue"}), RejectionReason.PREMISE_NOT_STATED),
        (
            positive.model_copy(update={"question": "How many plates?", "span": "plates"}),
            RejectionReason.PREMISE_NOT_STATED,
        ),
        (positive.model_copy(update={"question": "Is the kettle red?"}), RejectionReason.PREMISE_ASKED),
        (
            negative.model_copy(update={"question": "What is by the green, not red, kettle?"}),
            RejectionReason.PREMISE_IN_NEGATIVE,
        ),
        (
            negative.model_copy(update={"question": "What is behind the red kettle?", "span": "red"}),
            RejectionReason.PREMISE_NOT_STATED,
        ),
        (negative.model_copy(update={"question": "What might be behind the green kettle?"}), RejectionReason.HEDGED),
    ]
    for faulty, expected in cases:
        assert isinstance(faulty, PositiveReply | NegativeReply)
        assert reason(read_question(sample(), premise(), faulty, BY)) is expected


@pytest.mark.parametrize("words", ["No", '"No"', "No.", "none", "NO PREMISE", "n/a"])
def test_a_no_in_the_text_is_no_premise_and_no_decline(words: str) -> None:
    """The released data hold 22 of these as premises (3.4): only the field declines."""
    reply = ExtractionReply(present=True, premise=words, where="")
    found = read_extraction(sample(), PremiseSubtype.SYMBOLIC_MEANING, reply)
    assert reason(found) is RejectionReason.PREMISE_UNUSABLE
    declined = ExtractionReply(present=False, premise="a red kettle", where="nothing there")
    assert reason(read_extraction(sample(), PremiseSubtype.SYMBOLIC_MEANING, declined)) is RejectionReason.NO_PREMISE


CAPTIONS: dict[str, tuple[str, str, RejectionReason | None]] = {
    "sound": (CAPTION, "red", None),
    "capital": ("Red is the kettle beside three plates.", "Red", None),
    "span is not the premise": (CAPTION, "wooden", RejectionReason.PREMISE_NOT_IN_CAPTION),
    "premise twice": ("A red kettle stands by a red jug.", "red", RejectionReason.PREMISE_NOT_IN_CAPTION),
    "premise missing": ("A kettle stands there.", "red", RejectionReason.PREMISE_NOT_IN_CAPTION),
    "hedged": ("A red kettle seems to stand there.", "red", RejectionReason.HEDGED),
    "debris": ("Caption: a red kettle stands there.", "red", RejectionReason.PROMPT_DEBRIS),
    "other language": ("A red 水壶 stands there.", "red", RejectionReason.LANGUAGE_CHANGED),
}


@pytest.mark.parametrize(("caption", "span", "expected"), CAPTIONS.values(), ids=CAPTIONS)
def test_a_caption_holds_the_premise_once_and_nothing_else(
    caption: str, span: str, expected: RejectionReason | None
) -> None:
    read = read_caption(sample(), PremiseSubtype.VISUAL_ATTRIBUTES, "red", CaptionReply(caption=caption, span=span))
    assert reason(read) is expected
    if isinstance(read, Premise):
        assert read.caption[read.start : read.start + len(read.text)].lower() == read.text == "red"


def answered(label: bool) -> PremiseQuestion:
    made = read_question(sample(), premise(), pair(), BY)
    assert not isinstance(made, Rejection)
    return made[0 if label else 1]


THINK = "The question says that the kettle is {}. I see a red kettle on a wooden table, and beside it three plates."
ANSWERS: dict[str, tuple[bool, str, str, RejectionReason | None]] = {
    "positive": (True, THINK.format("red"), "There are three plates.", None),
    "negative": (False, THINK.format("green"), "The kettle is not green but red, so the premise is false.", None),
    "hint": (True, THINK.format("red") + " As the hint says.", "Three plates.", RejectionReason.HINT_QUOTED),
    "correct premise": (
        False,
        THINK.format("green") + " The correct premise is that it is red.",
        "It is not green.",
        RejectionReason.HINT_QUOTED,
    ),
    "caption": (True, THINK.format("red") + " The caption agrees.", "Three plates.", RejectionReason.HINT_QUOTED),
    "tags": (True, f"<think>{THINK}", "Three plates.", RejectionReason.PROMPT_DEBRIS),
    "no analysis": (True, "It is red.", "Three plates.", RejectionReason.TOO_WEAK),
    "false premise not named": (
        False,
        THINK.format("green"),
        "Something is not right.",
        RejectionReason.PREMISE_NOT_NAMED,
    ),
    "false premise confirmed": (
        False,
        THINK.format("green"),
        "Three plates by the green kettle.",
        RejectionReason.WRONG_VERDICT,
    ),
    "true premise denied": (
        True,
        THINK.format("red"),
        "The question has a false premise.",
        RejectionReason.WRONG_VERDICT,
    ),
    "another answer": (True, THINK.format("red"), "There is one bowl.", RejectionReason.WRONG_VERDICT),
    "other language": (True, THINK.format("red"), "There are three 盘子.", RejectionReason.LANGUAGE_CHANGED),
}


@pytest.mark.parametrize(("label", "think", "answer", "expected"), ANSWERS.values(), ids=ANSWERS)
def test_a_training_answer_names_what_is_false_and_quotes_no_hint(
    label: bool, think: str, answer: str, expected: RejectionReason | None
) -> None:
    assert reason(find_answer_fault(answered(label), AnswerReply(think=think, answer=answer))) is expected


def test_quotation_marks_round_what_was_read_in_the_picture_are_left_out() -> None:
    reply = ExtractionReply(present=True, premise='"Platform 4"', where="on the sign")
    assert read_extraction(sample(), PremiseSubtype.TEXTUAL_CONTENT, reply) == "Platform 4"
