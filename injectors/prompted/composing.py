"""From the spans that a model quotes to changes of the source text. Each span must stand there exactly once; of each
edit only the words that really differ are taken, so that the record says what was changed, not what was quoted."""

import re
from collections.abc import Iterable
from itertools import pairwise

from core.records import Sample, TextPart
from injectors.base import Rejection, RejectionReason
from injectors.prompted.replies import SpanEdit
from injectors.rewriting import Change

_PIECE = re.compile(r"<image \d+>|\$[^$]*\$|\d+(?:[.,]\d+)*|[^\W\d_\u3400-\u9fff]+|\s+|.", re.DOTALL)
_SENTENCE_END = (".", "?", "!", "。", "？", "！", "；", "\n")
_SHOWN = 120


def compose(sample: Sample, edits: Iterable[SpanEdit]) -> tuple[Change, ...] | Rejection:
    """One change for each edit that changes something, in any order, none overlapping another.

    SPAN_NOT_FOUND for a span that is not there exactly once and for edits that overlap, NOTHING_CHANGED."""
    changes: list[Change] = []
    for edit in edits:
        found = _locate(part_text(sample, TextPart(edit.part)), edit)
        if isinstance(found, Rejection):
            return found
        changes += [found] if found.start < found.end or found.after else []
    if not changes:
        return Rejection(RejectionReason.NOTHING_CHANGED, "no edit changes anything: `new_span` must differ")
    ordered = sorted(changes, key=lambda change: (change.part, change.start, change.end))
    for first, second in pairwise(ordered):
        if first.part is second.part and second.start < first.end:
            return Rejection(RejectionReason.SPAN_NOT_FOUND, "two edits overlap: make one edit of them")
    return tuple(ordered)


def part_text(sample: Sample, part: TextPart) -> str | None:
    return sample.context if part is TextPart.CONTEXT else sample.query


def shorten(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")


def _locate(text: str | None, edit: SpanEdit) -> Change | Rejection:
    if text is None:
        return Rejection(RejectionReason.SPAN_NOT_FOUND, f"the question has no {edit.part}")
    if not edit.original_span:
        return Rejection(
            RejectionReason.SPAN_NOT_FOUND, "an `original_span` is empty: to insert, quote the words beside the place"
        )
    start = text.find(edit.original_span)
    if start < 0:
        return Rejection(
            RejectionReason.SPAN_NOT_FOUND,
            f"{shorten(edit.original_span)} does not stand in the {edit.part}: copy it character for character",
        )
    if text.find(edit.original_span, start + 1) >= 0:
        return Rejection(
            RejectionReason.SPAN_NOT_FOUND,
            f"{shorten(edit.original_span)} stands more than once in the {edit.part}: quote more of the words round it",
        )
    return _trimmed(TextPart(edit.part), start, edit)


def _trimmed(part: TextPart, start: int, edit: SpanEdit) -> Change:
    """Without the words that are the same at both ends; formulas, numbers and words stay whole, and so does a span of
    which most is replaced."""
    before, after = _PIECE.findall(edit.original_span), _PIECE.findall(edit.new_span)
    head = _same(before, after)
    tail = _same(before[head:][::-1], after[head:][::-1])
    if head + tail == len(before):
        head = _sentence_start(before, after, head)
        tail = len(before) - head
    middle = "".join(before[head : len(before) - tail])
    if len(middle) > len(edit.original_span) / 2 and edit.new_span.strip():
        return Change(part, start, start + len(edit.original_span), edit.new_span)
    start += len("".join(before[:head]))
    return Change(part, start, start + len(middle), "".join(after[head : len(after) - tail]))


def _sentence_start(before: list[str], after: list[str], head: int) -> int:
    """Where pieces are inserted: "The pump runs. " before "The pool is deep." might else be "pump runs. The " in it."""
    for place in range(head, -1, -1):
        tail = len(before) - place
        if before[:place] != after[:place] or before[place:] != after[len(after) - tail :]:
            break
        if "".join(before[:place]).rstrip(" ").endswith(_SENTENCE_END) or place == 0:
            return place
    return head


def _same(first: list[str], second: list[str]) -> int:
    count = 0
    while count < min(len(first), len(second)) and first[count] == second[count]:
        count += 1
    return count
