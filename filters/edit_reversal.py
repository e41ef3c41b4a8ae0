"""The recorded edits taken back, one by one: if that gives exactly the source, then all that changed is on record and
nothing else changed (M-17). It reads records only and knows nothing of how an injector works."""

from typing import NamedTuple, TypeVar

from core.records import (
    Edit,
    FlawedSample,
    Picture,
    PictureAddition,
    PictureDegradation,
    PictureRemoval,
    PictureReplacement,
    Sample,
    TextEdit,
    TextPart,
    TextRemoval,
)
from filters.base import DropReason, Fault

Item = TypeVar("Item")


class Visible(NamedTuple):
    """What a tested model sees."""

    context: str | None
    query: str | None
    options: tuple[str, ...]
    pictures: tuple[Picture, ...]


def visible(item: Sample | FlawedSample) -> Visible:
    return Visible(item.context, item.query, item.options, item.pictures)


def check_reversal(candidate: FlawedSample, parent: Sample) -> Fault | None:
    """NOTHING_CHANGED for an edit without effect, OTHER_CHANGE where taking the edits back does not give the parent."""
    source, state = visible(parent), visible(candidate)
    if state == source:
        return Fault(DropReason.NOTHING_CHANGED, "texts, options and pictures are those of the source")
    for flaw in reversed(candidate.flaws):
        for edit in reversed(flaw.edits):
            if _is_idle(edit, source):
                return Fault(DropReason.NOTHING_CHANGED, f"a recorded {edit.kind} changes nothing")
            undone = _undo(state, edit, source)
            if undone is None:
                return Fault(DropReason.OTHER_CHANGE, f"a recorded {edit.kind} is not found in the candidate: {edit}")
            state = undone
    for name, now, was in zip(Visible._fields, state, source, strict=True):
        if now != was:
            return Fault(
                DropReason.OTHER_CHANGE, f"without the recorded edits {name} is {now!r:.200}, not {was!r:.200}"
            )
    return None


def _is_idle(edit: Edit, source: Visible) -> bool:
    match edit:
        case TextEdit():
            return edit.before == edit.after
        case TextRemoval():
            return not getattr(source, edit.part)
        case PictureRemoval():
            return not edit.before
        case PictureReplacement() | PictureDegradation():
            return edit.before.sha256 == edit.after.sha256
        case PictureAddition():
            return edit.of < len(source.pictures) and source.pictures[edit.of].sha256 == edit.after.sha256


def _undo(state: Visible, edit: Edit, source: Visible) -> Visible | None:
    """The state before the edit, or None where the state does not show it."""
    match edit:
        case TextEdit():
            return _undo_text(state, edit)
        case TextRemoval():
            if getattr(state, edit.part):
                return None
            return state._replace(**{edit.part.value: getattr(source, edit.part)})
        case PictureRemoval():
            return None if state.pictures else state._replace(pictures=edit.before)
        case PictureReplacement() | PictureDegradation():
            if edit.index >= len(state.pictures) or state.pictures[edit.index] != edit.after:
                return None
            return state._replace(pictures=_with(state.pictures, edit.index, edit.before))
        case PictureAddition():
            pictures = state.pictures
            if edit.index >= len(pictures) or pictures[edit.index] != edit.after or edit.of >= len(source.pictures):
                return None
            return state._replace(pictures=pictures[: edit.index] + pictures[edit.index + 1 :])


def _undo_text(state: Visible, edit: TextEdit) -> Visible | None:
    if edit.part is TextPart.OPTIONS:
        if edit.option is None or edit.option >= len(state.options):
            return None
        text = _put_back(state.options[edit.option], edit)
        return None if text is None else state._replace(options=_with(state.options, edit.option, text))
    text = _put_back(getattr(state, edit.part) or "", edit)
    return None if text is None else state._replace(**{edit.part.value: text})


def _put_back(text: str, edit: TextEdit) -> str | None:
    stop = edit.start + len(edit.after)
    if text[edit.start : stop] != edit.after or edit.start > len(text):
        return None
    return text[: edit.start] + edit.before + text[stop:]


def _with(items: tuple[Item, ...], index: int, item: Item) -> tuple[Item, ...]:
    return (*items[:index], item, *items[index + 1 :])
