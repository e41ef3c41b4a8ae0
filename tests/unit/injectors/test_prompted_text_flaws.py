"""What every rewritten text is held against before it becomes a candidate. Each case takes a reply that is accepted and
spoils one thing of it."""

from collections.abc import Callable

import pytest

from core.records import Sample
from core.taxonomy import Subtype
from injectors.base import Injection, Rejection, RejectionReason

Fields = dict[str, object]
Accept = Callable[[Subtype, Fields, Sample], Injection | Rejection]
R, S = RejectionReason, Subtype
TEXT_SUBTYPES = (
    S.AMBIGUITY,
    S.UNCLEAR_INTENT,
    S.CROSS_MODAL_CONTRADICTION,
    S.INTRA_TEXTUAL_CONTRADICTION,
    S.BEYOND_CAPABILITY,
)
CONTEXT = (
    "In <image 1> a red wheel with $r_1 = 4$ cm turns a blue wheel with $r_2 = 6$ cm. The red wheel turns at 30 Hz."
)
QUERY = "How fast does the blue wheel turn?"


def _edit(original: str, new: str, part: str = "context") -> dict[str, str]:
    return {"part": part, "original_span": original, "new_span": new}


@pytest.mark.parametrize("subtype", TEXT_SUBTYPES)
def test_a_good_reply_becomes_a_candidate_with_its_authors_on_record(
    subtype: Subtype, wheels: Sample, good_replies: dict[Subtype, Fields], accept: Accept
) -> None:
    rewritten = wheels.model_copy(update={"families": ("bytedance",), "rewritten_from": "smp_0"})
    accepted = accept(subtype, good_replies[subtype], rewritten)
    assert isinstance(accepted, Injection), accepted
    candidate, flaw = accepted.candidate, accepted.candidate.flaws[0]
    assert (flaw.subtype, flaw.generator, flaw.injector_version) == (subtype, "gemini:writer", 1)
    assert flaw.families == ("bytedance", "google")
    assert flaw.explanation == "Attacked: p w"
    assert candidate.parent == rewritten.id
    assert candidate.pictures == rewritten.pictures
    assert (candidate.context, candidate.query) != (rewritten.context, rewritten.query)


def test_options_go_only_where_the_reply_says_so(
    wheels: Sample, good_replies: dict[Subtype, Fields], accept: Accept
) -> None:
    kept = accept(S.AMBIGUITY, good_replies[S.AMBIGUITY], wheels)
    dropped = accept(S.UNCLEAR_INTENT, good_replies[S.UNCLEAR_INTENT], wheels)
    assert isinstance(kept, Injection)
    assert isinstance(dropped, Injection)
    assert (kept.candidate.options, dropped.candidate.options) == (wheels.options, ())


COMMON: list[tuple[str, Fields, RejectionReason, str]] = [
    ("declined", {"possible": False, "why_unanswerable": "no premise"}, R.MODEL_DECLINED, "no premise"),
    ("no_reason", {"why_unanswerable": " "}, R.TOO_WEAK, "must say"),
    ("token_gone", {"edits": [_edit("In <image 1> a red", "There a red")]}, R.TOKENS_CHANGED, "<image n>"),
    ("token_new", {"edits": [_edit("a red wheel", "a red wheel (<image 2>)")]}, R.TOKENS_CHANGED, "<image n>"),
    ("open_formula", {"edits": [_edit("$r_2 = 6$ cm", "r_2 = 8$ cm")]}, R.FORMULA_CHANGED, "in pairs"),
    ("lost_backslash", {"edits": [_edit("$r_2 = 6$", "$r_2 = \x0crac{16}{2}$")]}, R.FORMULA_CHANGED, "double"),
    ("open_brace", {"edits": [_edit("$r_2 = 6$", "$r_{2 = 8$")]}, R.FORMULA_CHANGED, "in pairs"),
    ("unit_gone", {"edits": [_edit("turns at 30 Hz.", "turns at 45.")]}, R.OTHER_PART_CHANGED, "lost its unit Hz"),
    ("leak", {"edits": [_edit("at 30 Hz", "at an unspecified rate")]}, R.FLAW_LEAKED, "unspecified"),
    (
        "remark",
        {"edits": [_edit("at 30 Hz", "fast, so that it is impossible to tell")]},
        R.FLAW_LEAKED,
        "impossible to tell",
    ),
    ("emphasis", {"edits": [_edit("at 30 Hz", "at **45 Hz**")]}, R.FLAW_LEAKED, "**"),
    ("foreign", {"edits": [_edit("turns at 30 Hz", "转得很快 at 30 Hz")]}, R.LANGUAGE_CHANGED, "not in English"),
    ("fence", {"edits": [_edit("turns at 30 Hz", "turns <<<context>>> at 30 Hz")]}, R.OTHER_PART_CHANGED, "delimiters"),
    ("span", {"edits": [_edit("the green wheel", "x")]}, R.SPAN_NOT_FOUND, "character for character"),
    ("nothing", {"edits": [_edit("red wheel turns", "red wheel turns")]}, R.NOTHING_CHANGED, "must differ"),
    ("context_gone", {"edits": [_edit(CONTEXT, "<image 1>")]}, R.OTHER_PART_CHANGED, "nothing is left"),
    (
        "query_gone",
        {"edits": [_edit(QUERY, "", "query")]},
        R.OTHER_PART_CHANGED,
        "nothing is left of the query",
    ),
    (
        "too_much",
        {"edits": [_edit(CONTEXT, "In <image 1> there are some wheels of several sizes, and one turns.")]},
        R.OTHER_PART_CHANGED,
        "characters were replaced",
    ),
]


@pytest.mark.parametrize(("spoilt", "reason", "words"), [pytest.param(*case[1:], id=case[0]) for case in COMMON])
def test_what_harms_the_question_is_refused(
    spoilt: Fields,
    reason: RejectionReason,
    words: str,
    wheels: Sample,
    good_replies: dict[Subtype, Fields],
    accept: Accept,
) -> None:
    refused = accept(S.AMBIGUITY, {**good_replies[S.AMBIGUITY], **spoilt}, wheels)
    assert isinstance(refused, Rejection), refused
    assert refused.reason is reason, refused
    assert words in refused.detail


@pytest.mark.parametrize("word", ["歧义", "含糊", "两种理解", "无法确定"])
def test_a_chinese_hint_at_the_flaw_is_refused(
    word: str, balls: Sample, good_replies: dict[Subtype, Fields], accept: Accept
) -> None:
    reply = {**good_replies[S.AMBIGUITY], "edits": [_edit("红色小球受到", f"小球（{word}）受到", "query")]}
    refused = accept(S.AMBIGUITY, reply, balls)
    assert isinstance(refused, Rejection)
    assert refused.reason is R.FLAW_LEAKED


def test_english_words_in_a_chinese_question_are_refused(
    balls: Sample, good_replies: dict[Subtype, Fields], accept: Accept
) -> None:
    reply = {**good_replies[S.AMBIGUITY], "edits": [_edit("红色小球受到的重力", "the weight of one ball", "query")]}
    refused = accept(S.AMBIGUITY, reply, balls)
    assert isinstance(refused, Rejection)
    assert refused.reason is R.LANGUAGE_CHANGED


def test_a_word_that_the_source_has_is_no_leak(
    balls: Sample, good_replies: dict[Subtype, Fields], accept: Accept
) -> None:
    sample = balls.model_copy(
        update={
            "context": "找出下面文字中的矛盾：红球重 2 kg，蓝球重 3 kg。",
            "query": "红球受到的重力是多少？",
            "pictures": (),
        }
    )
    reply = {**good_replies[S.AMBIGUITY], "edits": [_edit("红球受到", "其中一个球受到", "query")]}
    accepted = accept(S.AMBIGUITY, reply, sample)
    assert isinstance(accepted, Injection), accepted
    assert accepted.candidate.query == "其中一个球受到的重力是多少？"
