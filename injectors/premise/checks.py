"""What a question is held against before it is accepted (J-4). The released data of the paper hold each of these
faults; the details are read by the model that wrote the question, which is asked once more."""

import re
from typing import NamedTuple

from core.premises import Premise
from core.records import Language
from core.taxonomy import PremiseSubtype
from injectors.base import Rejection, RejectionReason
from injectors.premise.phrases import holds, is_synonym, normalise
from injectors.premise.wording import (
    count_sentences,
    find_debris,
    find_hedge,
    find_hint,
    find_length_fault,
    find_other_language,
)
from injectors.prompted.composing import shorten

_MAX_QUESTION, _MAX_PHRASE = 60, 16
_COPIED_WORDS = 11
_AUXILIARY = re.compile(
    r"\s*(?:(?:and|so|then|but)\s+)?(?:is|are|was|were|do|does|did|has|have|had|can|should|will|isn't|aren't|doesn't|don't)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;:–—(]\s|[，；：]")
_TAG = re.compile(
    r",\s*(?:right|correct|true|yes|no|(?:is|are|does|do|has|was|were)n['’]t\s+(?:it|they|there))\s*\?\s*$",
    re.IGNORECASE,
)
_ASKED_CHINESE = re.compile(r"[吗么]\s*[？?]\s*$|是不是|有没有|对不对|是否|还是")
_CHINESE_WHAT = "什么"
_CHOICE_BEFORE = re.compile(r"\b(?:or|either|between|whether)\s*$", re.IGNORECASE)
_CHOICE_AFTER = re.compile(r"^\s*,?\s*or\b", re.IGNORECASE)
_VAGUE_AMOUNT = re.compile(
    r"\b(?:several|some|many|few|couple|various|numerous|multiple)\b|几|一些|若干|多个|许多", re.IGNORECASE
)
_NO = frozenset(
    {"no", "none", "not present", "no premise", "absent", "n/a", "na", "nothing", "false", "没有", "无", "否", "不存在"}
)


class Written(NamedTuple):
    """A question with the place of what it states, and what it asks for."""

    question: str
    stated: str
    start: int
    answer: str


def find_phrase_fault(words: str, name: str, subtype: PremiseSubtype, language: Language) -> Rejection | None:
    """Of a premise or of what replaces it."""
    if normalise(words, language).replace(" ", "") in {normalise(no, language).replace(" ", "") for no in _NO}:
        detail = f"`{name}` is {shorten(words)}, which names nothing: decline in the field for it or name something"
        return Rejection(RejectionReason.PREMISE_UNUSABLE, detail)
    if re.search(r"[?？!！。]|\.\s*$", words):
        return Rejection(RejectionReason.PREMISE_UNUSABLE, f"`{name}` must be a phrase, without a mark at its end")
    numeral = normalise(words, language)
    if subtype is PremiseSubtype.NUMERICAL_ATTRIBUTES and (
        _VAGUE_AMOUNT.search(words) or not re.search(r"\d", numeral)
    ):
        return Rejection(RejectionReason.PREMISE_UNUSABLE, f"`{name}` must give an exact number")
    return (
        find_length_fault(words, name, language, _MAX_PHRASE)
        or find_debris(words, name)
        or find_hedge(words, name)
        or (None if subtype is PremiseSubtype.TEXTUAL_CONTENT else find_other_language(words, name, language))
    )


def find_replacement_fault(premise: Premise, replacement: str, language: Language) -> Rejection | None:
    """What replaces a premise differs from it, excludes it, and is written like it."""
    if holds(premise.text, replacement, language):
        detail = f"{shorten(replacement)} says no other than {shorten(premise.text)}: it must be false of the picture"
        return Rejection(RejectionReason.PREMISE_NOT_REPLACED, detail)
    if holds(replacement, premise.text, language):
        detail = f"{shorten(replacement)} still holds {shorten(premise.text)}: replace it"
        return Rejection(RejectionReason.PREMISE_IN_NEGATIVE, detail)
    if is_synonym(premise.text, replacement, language):
        detail = f"{shorten(replacement)} can be said of what is {shorten(premise.text)} too: choose what excludes it"
        return Rejection(RejectionReason.REPLACEMENT_IS_SYNONYM, detail)
    return find_phrase_fault(replacement, "replacement", premise.subtype, language)


def find_question_fault(
    written: Written, premise: Premise, replacement: str | None, language: Language
) -> Rejection | None:
    """`replacement` is stated in place of the premise, None where the premise itself is."""
    shown = tuple(words for words in (premise.text, replacement, written.stated) if words)
    rest = f"{written.question[: written.start]} {written.question[written.start + len(written.stated) :]}"
    return (
        find_debris(written.question, "question")
        or _check_copy(written.question, premise.caption, language)
        or _check_sentence(written.question)
        or find_length_fault(written.question, "question", language, _MAX_QUESTION)
        or find_other_language(written.question, "question", language, shown)
        or find_hedge(rest, "question")
        or find_hint(written.question, "question", premise.caption)
        or _check_stated(written, premise, replacement, language)
        or _check_asked(written, rest)
        or _check_answer(written, premise, replacement, language)
    )


def _check_copy(question: str, caption: str, language: Language) -> Rejection | None:
    words = normalise(question, language).split()
    known = f" {normalise(caption, language)} "
    length = _COPIED_WORDS if language is Language.ENGLISH else 2 * _COPIED_WORDS
    if any(f" {' '.join(words[at : at + length])} " in known for at in range(len(words) - length + 1)):
        detail = "the question repeats the description: state what the question needs, in words of its own"
        return Rejection(RejectionReason.PROMPT_DEBRIS, detail)
    return None


def _check_sentence(question: str) -> Rejection | None:
    if question.rstrip().endswith(("?", "？")) and count_sentences(question) == 1:
        return None
    return Rejection(
        RejectionReason.NOT_ONE_SENTENCE, "the question must be one sentence that ends with a question mark"
    )


def _check_stated(written: Written, premise: Premise, replacement: str | None, language: Language) -> Rejection | None:
    wanted = premise.text if replacement is None else replacement
    if not holds(written.stated, wanted, language) or not holds(written.question, wanted, language):
        detail = f"{shorten(wanted)} must stand in the question as it is"
        return Rejection(RejectionReason.PREMISE_NOT_STATED, detail)
    if replacement is not None and holds(written.question, premise.text, language):
        detail = f"{shorten(premise.text)} still stands in the question: the replacement takes its place everywhere"
        return Rejection(RejectionReason.PREMISE_IN_NEGATIVE, detail)
    return None


def _check_asked(written: Written, rest: str) -> Rejection | None:
    before = written.question[: written.start]
    after = written.question[written.start + len(written.stated) :]
    clause = _CLAUSE.split(before)[-1]
    asked = (
        _AUXILIARY.match(clause)
        or _TAG.search(written.question)
        or _ASKED_CHINESE.search(rest.replace(_CHINESE_WHAT, ""))
        or _CHOICE_BEFORE.search(before)
        or _CHOICE_AFTER.search(after)
    )
    if not asked:
        return None
    detail = (
        f"the question asks whether {shorten(written.stated)} holds: state it as known and ask about something else"
    )
    return Rejection(RejectionReason.PREMISE_ASKED, detail)


def _check_answer(written: Written, premise: Premise, replacement: str | None, language: Language) -> Rejection | None:
    """Whoever asks for what is stated asks about the premise."""
    if not written.answer.strip():
        return Rejection(
            RejectionReason.PREMISE_ASKED, "`answer` must give what the question asks for, by the description"
        )
    for words in filter(None, (premise.text, replacement)):
        if holds(written.answer, words, language) or holds(words, written.answer, language):
            detail = f"the answer {shorten(written.answer)} is what is stated, {shorten(words)}: ask for something else"
            return Rejection(RejectionReason.PREMISE_ASKED, detail)
    shown = () if language is Language.ENGLISH else (written.answer,)
    return find_debris(written.answer, "answer") or find_other_language(written.answer, "answer", language, shown)
