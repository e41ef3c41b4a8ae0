"""The one place where texts are changed. Injectors name what they want changed in the source text; here the flawed
text and the exact record of the change are made together, so that the record can never differ from the text."""

from collections.abc import Iterable
from typing import NamedTuple

from core.records import Edit, Flaw, FlawedSample, Sample, TextEdit, TextPart, TextRemoval
from core.taxonomy import Subtype
from injectors.base import RULES, Injection


class Change(NamedTuple):
    """Characters `start` to `end` of a part of the source text become `after`."""

    part: TextPart
    start: int
    end: int
    after: str


class Rewriting(NamedTuple):
    """What an injector wants: its changes, whether the options go, and why the question cannot be answered any more."""

    changes: tuple[Change, ...]
    explanation: str
    drop_options: bool = False


class MadeBy(NamedTuple):
    """`rules`, or the name of a model and the families of all models that touched the sample (A31)."""

    generator: str = RULES
    families: tuple[str, ...] = ()


BY_RULES = MadeBy()


def rewrite(text: str, changes: Iterable[Change]) -> tuple[str, tuple[TextEdit, ...]]:
    """The changed text and one edit for each change that changes something, in the order of the text.

    Raises ValueError when two changes overlap."""
    pieces: list[str] = []
    edits: list[TextEdit] = []
    position = length = 0
    for change in _merged(changes):
        kept, before = text[position : change.start], text[change.start : change.end]
        if before != change.after:
            edits.append(TextEdit(part=change.part, start=length + len(kept), before=before, after=change.after))
        pieces += [kept, change.after]
        length += len(kept) + len(change.after)
        position = change.end
    return "".join([*pieces, text[position:]]), tuple(edits)


def _merged(changes: Iterable[Change]) -> list[Change]:
    """In the order of the text; changes that touch are one, so that no two edits begin at the same character."""
    merged: list[Change] = []
    for change in sorted(changes, key=lambda change: (change.start, change.end)):
        last = merged[-1] if merged else None
        if last and change.start < last.end:
            raise ValueError(f"the change at {change.start} begins before {last.end}, where the last one ends")
        if last and change.start == last.end:
            merged[-1] = Change(last.part, last.start, change.end, last.after + change.after)
        else:
            merged.append(change)
    return merged


def restore(text: str, edits: Iterable[TextEdit]) -> str:
    """The source text: `before` put back in place of `after`, the last edit first.

    Raises ValueError when an edit's `after` does not stand where the edit says."""
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        end = edit.start + len(edit.after)
        if text[edit.start : end] != edit.after:
            raise ValueError(f"at {edit.start} stands {text[edit.start : end]!r}, not {edit.after!r}")
        text = text[: edit.start] + edit.before + text[end:]
    return text


def make_injection(
    sample: Sample, subtype: Subtype, version: int, rewriting: Rewriting, made_by: MadeBy = BY_RULES
) -> Injection:
    """The flawed sample with its record. Pictures are those of the sample."""
    texts: dict[TextPart, str | None] = {TextPart.CONTEXT: sample.context, TextPart.QUERY: sample.query}
    edits: list[Edit] = []
    for part, text in texts.items():
        changes = [change for change in rewriting.changes if change.part is part]
        if text is not None and changes:
            texts[part], made = rewrite(text, changes)
            edits += made
    if rewriting.drop_options and sample.options:
        edits.append(TextRemoval(part=TextPart.OPTIONS))
    flaw = Flaw(
        subtype=subtype,
        generator=made_by.generator,
        injector_version=version,
        edits=tuple(edits),
        explanation=rewriting.explanation,
        families=made_by.families,
    )
    candidate = FlawedSample(
        parent=sample.id,
        context=texts[TextPart.CONTEXT],
        query=texts[TextPart.QUERY],
        options=() if rewriting.drop_options else sample.options,
        pictures=sample.pictures,
        flaws=(flaw,),
    )
    return Injection(candidate)
