"""Matched pairs: one question with one slot, filled with the premise and with what replaces it. Both fit as they are,
so that the two questions differ in nothing else."""

import re

from core.premise_slots import Filled, fill_slot, with_right_article
from core.records import Language
from injectors.base import Rejection, RejectionReason
from injectors.premise.phrases import count_words, holds, leading_article, normalise
from injectors.prompted.composing import shorten

SLOT = "[PREMISE]"

_VERB = r"(?:is|are|was|were|has|have|does|do|this|these|that|those)"
_VERB_BESIDE = re.compile(rf"\b{_VERB} {re.escape(SLOT)}|{re.escape(SLOT)} {_VERB}\b", re.IGNORECASE)
_PLURAL_NOUN = re.compile(r"[a-z]{2,}(?<![sui])s$", re.IGNORECASE)
_MAX_LONGER = 2


def fill(frame: str, words: str) -> Filled:
    """The frame has the slot once."""
    before, _, after = frame.strip().partition(SLOT)
    return fill_slot(before, with_right_article(words.strip()), after)


def find_frame_fault(frame: str, premise: str, replacement: str, language: Language) -> Rejection | None:
    if frame.count(SLOT) != 1:
        detail = f"`frame` must hold {SLOT} exactly once, in the place of the premise"
        return Rejection(RejectionReason.PREMISE_NOT_STATED, detail)
    before, _, after = frame.partition(SLOT)
    for words, reason in ((premise, RejectionReason.PREMISE_IN_NEGATIVE), (replacement, RejectionReason.FLAW_LEAKED)):
        if holds(before, words, language) or holds(after, words, language):
            detail = f"{shorten(words)} stands in `frame` outside {SLOT}: it may stand in the slot alone"
            return Rejection(reason, detail)
    return _check_length(premise, replacement, language) or (
        _check_agreement(frame, premise, replacement) if language is Language.ENGLISH else None
    )


def _check_length(premise: str, replacement: str, language: Language) -> Rejection | None:
    """What is false must not be told by how much is said."""
    most = _MAX_LONGER if language is Language.ENGLISH else 2 * _MAX_LONGER
    longer = count_words(replacement, language) - count_words(premise, language)
    if abs(longer) <= most:
        return None
    detail = f"`replacement` is {'longer' if longer > 0 else 'shorter'} than the premise: write it as the premise is"
    return Rejection(RejectionReason.WORDS_DO_NOT_AGREE, detail)


def _check_agreement(frame: str, premise: str, replacement: str) -> Rejection | None:
    articles = [leading_article(words) for words in (premise, replacement)]
    if articles[0] != articles[1]:
        detail = f"{shorten(premise)} and {shorten(replacement)} must both begin with an article or both without one"
        return Rejection(RejectionReason.WORDS_DO_NOT_AGREE, detail)
    if premise[0].isupper() != replacement[0].isupper():
        detail = f"{shorten(premise)} and {shorten(replacement)} must both begin with a capital letter, or neither"
        return Rejection(RejectionReason.WORDS_DO_NOT_AGREE, detail)
    if _VERB_BESIDE.search(frame) and _is_plural(premise) != _is_plural(replacement):
        detail = f"a verb beside {SLOT} fits only one of {shorten(premise)} and {shorten(replacement)}: word it anew"
        return Rejection(RejectionReason.WORDS_DO_NOT_AGREE, detail)
    return None


def _is_plural(words: str) -> bool:
    first = normalise(words, Language.ENGLISH).partition(" ")[0]
    if first.isdigit():
        return first != "1"
    return leading_article(words) != "a" and bool(_PLURAL_NOUN.search(words.strip()))
