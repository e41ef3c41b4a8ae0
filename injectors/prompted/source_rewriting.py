"""Source texts in other words (M-7), so that no item stands word for word in what a tested model was trained on. All
that the answer depends on has to be there again: numbers, units, formulas, labels, picture tokens; the options stay."""

import re
from collections import Counter
from itertools import pairwise

from core.calls import Answer, Proposal, Role
from core.image_tokens import numbers_in
from core.records import Sample
from core.wording import find_language_shift, find_leak
from injectors.base import PromptContext, Rejection, RejectionReason
from injectors.passages import formulas
from injectors.prompted.composing import shorten
from injectors.prompted.examples import draw_examples
from injectors.prompted.layout import LANGUAGE_NAMES, Asking, make_proposal, show_examples, show_question
from injectors.prompted.replies import RewritingReply
from injectors.prompted.text_flaws import made_by, refuse_without_text
from injectors.quantities import UNIT_WORD

VERSION = 1

_STEM = "source_rewriting"
_ASKING = Asking(_STEM, 1, Role.REWRITER, RewritingReply)
_NUMBER = re.compile(rf"\d+(?:[.,]\d+)*(?:\s*(?:{UNIT_WORD})(?![A-Za-z]))?")
_LABEL = re.compile(r"(?<![A-Za-z])(?:[A-Z]{1,3}(?:[-_]?\d+)?|[A-Z][A-Za-z]*\d+)(?![A-Za-z])")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]|<<<|>>>")
_WORD = re.compile(r"[^\W_\u3400-\u9fff]+|[\u3400-\u9fff]")
_MAX_SAME = 0.75
_MIN_LENGTH, _MAX_LENGTH = 0.5, 2.0


def propose(sample: Sample, context: PromptContext) -> Proposal | Rejection:
    """What to ask the rewriter, or why this sample stays as it is."""
    refusal = refuse_without_text(sample)
    if refusal is not None:
        return refusal
    examples = draw_examples(_STEM, RewritingReply, sample, context)
    return make_proposal(
        _ASKING,
        {"language": LANGUAGE_NAMES[sample.language]},
        {"examples": show_examples(examples), "question": show_question(sample)},
    )


def accept(sample: Sample, answers: tuple[Answer, ...], context: PromptContext) -> Sample | Rejection:
    """The sample in other words: it names `sample` in `rewritten_from` and the rewriter's family in `families`."""
    reply = answers[-1].value if answers else None
    if not isinstance(reply, RewritingReply):
        return Rejection(RejectionReason.REPLY_UNPARSABLE, f"the reply is no {RewritingReply.__name__}")
    if not reply.possible:
        return Rejection(RejectionReason.MODEL_DECLINED, "the model found nothing to reword")
    rewritten = sample.model_copy(
        update={
            "context": reply.context,
            "query": reply.query,
            "rewritten_from": sample.id,
            "families": made_by(sample, answers).families,
        }
    )
    return _find_fault(sample, rewritten) or rewritten


def _find_fault(sample: Sample, rewritten: Sample) -> Rejection | None:
    was, now = _texts(sample), _texts(rewritten)
    return (
        _check_parts(sample, rewritten)
        or _check_difference(was, now)
        or _check_kept(sample, rewritten)
        or _check_wording(was, now)
    )


def _check_parts(sample: Sample, rewritten: Sample) -> Rejection | None:
    for part in ("context", "query"):
        before, after = getattr(sample, part) or "", getattr(rewritten, part) or ""
        if bool(before.strip()) != bool(after.strip()):
            detail = f"the {part} is {'gone' if before.strip() else 'new'}: keep each part where it is"
            return Rejection(RejectionReason.OTHER_PART_CHANGED, detail)
        if _CONTROL.search(after) and not _CONTROL.search(before):
            detail = f"the {part} holds a control character or a delimiter: double every backslash in JSON"
            return Rejection(RejectionReason.FORMULA_CHANGED, detail)
    return None


def _check_difference(was: str, now: str) -> Rejection | None:
    """Measured in pairs of neighbouring words, or of characters in Chinese."""
    old, new = Counter(pairwise(_WORD.findall(was.lower()))), Counter(pairwise(_WORD.findall(now.lower())))
    same = (old & new).total() / max(old.total(), 1)
    if same > _MAX_SAME:
        detail = f"{same:.0%} of the wording is the same: say every sentence anew"
        return Rejection(RejectionReason.NOTHING_CHANGED, detail)
    if not _MIN_LENGTH <= (new.total() + 1) / (old.total() + 1) <= _MAX_LENGTH:
        detail = f"{old.total() + 1} words became {new.total() + 1}: leave nothing out and add nothing"
        return Rejection(RejectionReason.OTHER_PART_CHANGED, detail)
    return None


def _check_kept(sample: Sample, rewritten: Sample) -> Rejection | None:
    was, now = _texts(sample), _texts(rewritten)
    if Counter(numbers_in(was)) != Counter(numbers_in(now)):
        return Rejection(RejectionReason.TOKENS_CHANGED, "keep every `<image n>`, each as often as in the original")
    checks = (
        ("formula", _formulas, RejectionReason.FORMULA_CHANGED),
        ("number or unit", _numbers, RejectionReason.OTHER_PART_CHANGED),
        ("label", _labels, RejectionReason.OTHER_PART_CHANGED),
    )
    for name, find, reason in checks:
        old, new = find(was), find(now)
        lost, added = sorted(old - new), sorted(new - old)
        if lost or added:
            detail = f"the {name} {shorten(lost[0])} is gone" if lost else f"the {name} {shorten(added[0])} is new"
            return Rejection(reason, f"{detail}: keep every {name} as it is written")
    return None


def _check_wording(was: str, now: str) -> Rejection | None:
    leak = find_leak(now, was)
    if leak is not None:
        return Rejection(RejectionReason.FLAW_LEAKED, f"{leak!r} is new: the question is sound and stays so")
    shift = find_language_shift(now, was)
    return None if shift is None else Rejection(RejectionReason.LANGUAGE_CHANGED, shift)


def _formulas(text: str) -> set[str]:
    return {span.of(text) for span in formulas(text)}


def _numbers(text: str) -> set[str]:
    return {"".join(found.split()) for found in _NUMBER.findall(_without_formulas(text))}


def _labels(text: str) -> set[str]:
    return set(_LABEL.findall(_without_formulas(text))) - {"A", "I"}


def _without_formulas(text: str) -> str:
    for formula in _formulas(text):
        text = text.replace(formula, " ")
    return re.sub(r"<image \d+>", " ", text)


def _texts(sample: Sample) -> str:
    return f"{sample.context or ''}\n{sample.query or ''}"
