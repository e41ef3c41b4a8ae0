"""What every rewritten text is held against before it becomes a candidate. The details are read by the model that made
it, which is asked once more: they say what to mend."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from core.image_tokens import numbers_in
from core.records import FlawedSample, Sample, TextEdit, TextPart
from core.wording import find_language_shift, find_leak, is_foreign
from injectors.base import Rejection, RejectionReason
from injectors.passages import Span, formulas, has_words
from injectors.prompted.composing import part_text, shorten
from injectors.quantities import UNIT_WORD

_REMARKS = re.compile(
    r"""\b(?:this\s+(?:question|problem|query|task)\s+(?:is|can|has|cannot) | trick\s+question
      | impossible\s+to\s+(?:answer|determine|tell|know|say|decide) | cannot\s+both | can(?:no|')t\s+be\s+decided
      | (?:two|several|multiple|different)\s+(?:readings|interpretations) | (?:does\s+not|doesn't)\s+match
      | contrary\s+to\s+(?:the|what) )\b | \[(?:sic|edited|note|flaw) | \*\*""",
    re.IGNORECASE | re.VERBOSE,
)
_REMARKS_CHINESE = re.compile(
    r"含糊|含混|不唯一|[两多]种理解|与图不符|说法不一|前后不一|无法作答|无从得知|无从判断|没有说明|未说明|题目有误"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_FENCE = re.compile(r"<<<|>>>|‹‹‹|›››")
_DOLLAR = re.compile(r"(?<!\\)\$")
_QUANTITY = re.compile(rf"\d\s*(?P<unit>{UNIT_WORD})(?![A-Za-z])")
_PARTS = (TextPart.CONTEXT, TextPart.QUERY)
_MAX_REPLACED = 0.6
_ALWAYS_REPLACEABLE = 80


class Allowed(NamedTuple):
    """What a subtype may do besides changing words: edit the context, replace the query as a whole, drop options."""

    context: bool = True
    whole_query: bool = False
    drop_options: bool = False


def find_fault(sample: Sample, candidate: FlawedSample, allowed: Allowed) -> Rejection | None:
    """The first fault of the candidate that `make_injection` made."""
    edits = text_edits(candidate)
    return (
        _check_characters(sample, edits)
        or _check_parts(sample, candidate, edits, allowed)
        or _check_tokens(sample, candidate, allowed)
        or _check_formulas(sample, candidate, edits)
        or _check_units(edits, allowed)
        or _check_leaks(sample, candidate)
        or _check_language(sample, candidate, edits)
    )


def text_edits(candidate: FlawedSample) -> tuple[TextEdit, ...]:
    return tuple(edit for edit in candidate.flaws[-1].edits if isinstance(edit, TextEdit))


def quoted_in_change(candidate: FlawedSample, quotation: str) -> bool:
    """The words stand in the flawed text and touch what was changed."""
    return any(
        place.start < max(edit.start + len(edit.after), edit.start + 1) and edit.start < place.end
        for edit in text_edits(candidate)
        for place in places_of(quotation, getattr(candidate, edit.part) or "")
    )


def places_of(quotation: str, text: str) -> Iterator[Span]:
    start = text.find(quotation) if quotation.strip() else -1
    while start >= 0:
        yield Span(start, start + len(quotation))
        start = text.find(quotation, start + 1)


def _check_characters(sample: Sample, edits: tuple[TextEdit, ...]) -> Rejection | None:
    """A lost backslash turns `\\frac` into a form feed: JSON wants it doubled."""
    known = f"{sample.context}{sample.query}"
    for edit in edits:
        if any(character not in known for character in _CONTROL.findall(edit.after)):
            detail = f"{shorten(edit.after)} holds a control character: double every backslash in JSON"
            return Rejection(RejectionReason.FORMULA_CHANGED, detail)
        if any(mark not in known for mark in _FENCE.findall(edit.after)):
            return Rejection(RejectionReason.OTHER_PART_CHANGED, "the delimiters of the prompt stand in a `new_span`")
    return None


def _check_parts(
    sample: Sample, candidate: FlawedSample, edits: tuple[TextEdit, ...], allowed: Allowed
) -> Rejection | None:
    for part in _PARTS:
        if has_words(part_text(sample, part) or "") and not has_words(getattr(candidate, part) or ""):
            detail = f"nothing is left of the {part}: a part that is missing is another flaw"
            return Rejection(RejectionReason.OTHER_PART_CHANGED, detail)
    if not allowed.context and any(edit.part is TextPart.CONTEXT for edit in edits):
        return Rejection(RejectionReason.OTHER_PART_CHANGED, "the context changed: for this flaw only the query may")
    if not allowed.drop_options and candidate.options != sample.options:
        return Rejection(
            RejectionReason.OTHER_PART_CHANGED, "for this flaw the options stay: set `drop_options` to false"
        )
    replaced = sum(len(edit.before) for edit in edits if edit.part is TextPart.CONTEXT or not allowed.whole_query)
    whole = len(sample.context or "") + len(sample.query or "")
    if replaced > max(_MAX_REPLACED * whole, _ALWAYS_REPLACEABLE):
        detail = f"{replaced} of {whole} characters were replaced: change only the words that the flaw needs"
        return Rejection(RejectionReason.OTHER_PART_CHANGED, detail)
    return None


def _check_tokens(sample: Sample, candidate: FlawedSample, allowed: Allowed) -> Rejection | None:
    was = [numbers_in(sample.context), numbers_in(sample.query)]
    now = [numbers_in(candidate.context), numbers_in(candidate.query)]
    same = {*was[0], *was[1]} == {*now[0], *now[1]} if allowed.whole_query else was == now
    if same:
        return None
    return Rejection(RejectionReason.TOKENS_CHANGED, "picture tokens changed: keep every `<image n>` where it stands")


def _check_formulas(sample: Sample, candidate: FlawedSample, edits: tuple[TextEdit, ...]) -> Rejection | None:
    """Formulas beside the changes are those of the source, and what was put in opens and closes what it took out."""
    for edit in edits:
        if _open_marks(edit.before) != _open_marks(edit.after):
            detail = f"{shorten(edit.after)} leaves a formula or a brace open: keep delimiters in pairs"
            return Rejection(RejectionReason.FORMULA_CHANGED, detail)
    for part in _PARTS:
        here = [edit for edit in edits if edit.part is part]
        shift = 0
        was: list[Span] = []
        for edit in here:
            was.append(Span(edit.start - shift, edit.start - shift + len(edit.before)))
            shift += len(edit.after) - len(edit.before)
        now = [Span(edit.start, edit.start + len(edit.after)) for edit in here]
        if _untouched(part_text(sample, part) or "", was) != _untouched(getattr(candidate, part) or "", now):
            detail = f"a formula of the {part} that no edit names is another one now: keep the delimiters whole"
            return Rejection(RejectionReason.FORMULA_CHANGED, detail)
    return None


def _open_marks(text: str) -> tuple[int, int]:
    return len(_DOLLAR.findall(text)) % 2, text.count("{") - text.count("}")


def _untouched(text: str, changed: list[Span]) -> list[str]:
    return [
        span.of(text)
        for span in formulas(text)
        if not any(span.start < place.end and place.start < span.end for place in changed)
    ]


def _check_units(edits: tuple[TextEdit, ...], allowed: Allowed) -> Rejection | None:
    """A value that becomes another one keeps its unit; one that is put in words, or whose unit alone changes, is the
    thing changed."""
    for edit in edits:
        units = {match["unit"] for match in _QUANTITY.finditer(edit.before)}
        if allowed.whole_query or not re.search(r"\d", edit.after):
            continue
        lost = sorted(units - {match["unit"] for match in _QUANTITY.finditer(edit.after)})
        if lost:
            detail = f"{shorten(edit.before)} lost its unit {lost[0]}: keep the unit and change the number only"
            return Rejection(RejectionReason.OTHER_PART_CHANGED, detail)
    return None


def _check_leaks(sample: Sample, candidate: FlawedSample) -> Rejection | None:
    now, was = _words(candidate), _words(sample)
    word = find_leak(now, was)
    for pattern in (_REMARKS, _REMARKS_CHINESE):
        word = word or next((found for found in pattern.findall(now) if found not in was), None)
    if word is None:
        return None
    return Rejection(
        RejectionReason.FLAW_LEAKED, f"{word!r} tells the reader that something is wrong: say it otherwise"
    )


def _check_language(sample: Sample, candidate: FlawedSample, edits: tuple[TextEdit, ...]) -> Rejection | None:
    source = _words(sample)
    name = sample.language.name.capitalize()
    foreign = next((edit.after for edit in edits if is_foreign(edit.before, edit.after, source)), None)
    if foreign is not None:
        return Rejection(RejectionReason.LANGUAGE_CHANGED, f"{shorten(foreign)} is not in {name}, like the question")
    shift = find_language_shift(_words(candidate), source)
    return None if shift is None else Rejection(RejectionReason.LANGUAGE_CHANGED, f"{shift}: write in {name}")


def _words(item: Sample | FlawedSample) -> str:
    return "\n".join((item.context or "", item.query or "", *item.options))
