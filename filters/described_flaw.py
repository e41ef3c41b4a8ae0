"""The flaw on record in words, for validators that are allowed to see it (A10)."""

from core.prompts import fence
from core.records import (
    Edit,
    FlawedSample,
    PictureAddition,
    PictureDegradation,
    PictureRemoval,
    PictureReplacement,
    TextEdit,
    TextRemoval,
)
from filters.verdicts import disarm


def describe_flaws(candidate: FlawedSample) -> str:
    """One line an edit and the explanation for each flaw, between marks: a model may have written them."""
    lines: list[str] = []
    for flaw in candidate.flaws:
        lines += [f"- {_describe_edit(edit)}" for edit in flaw.edits]
        lines.append(flaw.explanation)
    return fence("record", disarm("\n".join(lines)))


def _describe_edit(edit: Edit) -> str:
    match edit:
        case TextEdit():
            part = edit.part.value if edit.option is None else f"option {edit.option + 1}"
            return f"{part}: {edit.before!r} became {edit.after!r}"
        case TextRemoval():
            return f"{edit.part.value}: taken away"
        case PictureRemoval():
            return f"pictures: all {len(edit.before)} taken away"
        case PictureDegradation():
            share = f"{edit.measure.share:.0%} of its salient region"
            return f"picture {edit.index + 1}: {share} made unreadable ({edit.measure.operation})"
        case PictureReplacement():
            return f"picture {edit.index + 1}: replaced by a picture of another question"
        case PictureAddition():
            return f"picture {edit.index + 1}: an edited copy of picture {edit.of + 1} was added ({edit.change})"
