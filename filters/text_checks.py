"""Checks of the texts and options that a tested model will read: tokens and options must fit together, the language
must stay, and no word may tell the model that something is wrong (M-2: it has to notice without a hint)."""

from core.image_tokens import TOKEN, numbers_in
from core.records import FlawedSample, Sample, TextEdit, TextPart, TextRemoval
from core.wording import find_language_shift, find_leak, is_foreign
from filters.base import DropReason, Fault


def check_not_empty(candidate: FlawedSample) -> Fault | None:
    """EMPTY_INPUT when there is neither a picture nor any text."""
    if candidate.pictures or _joined(candidate).strip():
        return None
    return Fault(DropReason.EMPTY_INPUT, "no text, no option and no picture is left")


def check_tokens(candidate: FlawedSample) -> Fault | None:
    """TOKENS_WITHOUT_PICTURES for a token whose number no picture has."""
    count = len(candidate.pictures)
    numbers = numbers_in(candidate.context, candidate.query, *candidate.options)
    wrong = sorted({number for number in numbers if not 1 <= number <= count})
    if not wrong:
        return None
    named = ", ".join(f"<image {number}>" for number in wrong)
    return Fault(DropReason.TOKENS_WITHOUT_PICTURES, f"{named} in the text, but there are {count} pictures")


def check_options(candidate: FlawedSample, parent: Sample) -> Fault | None:
    """OPTIONS_INCONSISTENT: options are all there or were removed on record; none is newly empty or equal to
    another; the text of a right option did not change."""
    evidence = _option_fault(candidate, parent)
    return None if evidence is None else Fault(DropReason.OPTIONS_INCONSISTENT, evidence)


def check_leaks(candidate: FlawedSample, parent: Sample) -> Fault | None:
    """FLAW_LEAKED for a word of our vocabulary that occurs more often than in the source."""
    word = find_leak(_joined(candidate), _joined(parent))
    return None if word is None else Fault(DropReason.FLAW_LEAKED, f"{word!r} is in the text and was not in the source")


def check_language(candidate: FlawedSample, parent: Sample) -> Fault | None:
    """LANGUAGE_CHANGED when the share of Chinese among the letters moves by more than a quarter, or when what was
    put in is written in the other script."""
    source = _joined(parent)
    shift = find_language_shift(_joined(candidate), source)
    if shift is not None:
        return Fault(DropReason.LANGUAGE_CHANGED, shift)
    for flaw in candidate.flaws:
        for edit in flaw.edits:
            if isinstance(edit, TextEdit) and is_foreign(edit.before, edit.after, source):
                return Fault(DropReason.LANGUAGE_CHANGED, f"{edit.after!r} was put into a text of another language")
    return None


def _option_fault(candidate: FlawedSample, parent: Sample) -> str | None:
    edits = [edit for flaw in candidate.flaws for edit in flaw.edits]
    removed = any(isinstance(edit, TextRemoval) and edit.part is TextPart.OPTIONS for edit in edits)
    if removed:
        return f"options were removed, but {len(candidate.options)} are there" if candidate.options else None
    if len(candidate.options) != len(parent.options):
        return f"{len(candidate.options)} options, {len(parent.options)} in the source, and no removal on record"
    for index, (now, was) in enumerate(zip(candidate.options, parent.options, strict=True)):
        if was.strip() and not now.strip():
            return f"option {index} is empty"
        if index in parent.correct_options and _bare(now) != _bare(was) and not TOKEN.search(was):
            return f"the right option {index} was {was!r} and is {now!r}"
    if len(set(candidate.options)) < len(set(parent.options)):
        return "two options that differed are now the same"
    return None


def _bare(option: str) -> str:
    return TOKEN.sub("", option).strip()


def _joined(item: Sample | FlawedSample) -> str:
    return "\n".join((item.context or "", item.query or "", *item.options))
