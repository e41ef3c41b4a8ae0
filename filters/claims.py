"""What each subtype may change at all (M-3): a degraded picture in a candidate that claims an ambiguous wording is
another flaw than the one it will be scored for."""

import re
from collections.abc import Sequence

from core.image_tokens import TOKEN
from core.records import Edit, Flaw, FlawedSample, Sample, TextEdit, TextPart, TextRemoval
from core.taxonomy import VISUAL_PREMISE_SUBTYPES, Subtype
from filters.base import DropReason, Fault

_TEXTS = frozenset({"text_edit", "text_removal"})
_KINDS: dict[Subtype, frozenset[str]] = {
    Subtype.AMBIGUITY: _TEXTS,
    Subtype.UNCLEAR_INTENT: _TEXTS,
    Subtype.CROSS_MODAL_CONTRADICTION: _TEXTS,
    Subtype.INTRA_TEXTUAL_CONTRADICTION: _TEXTS,
    Subtype.BEYOND_CAPABILITY: _TEXTS,
    Subtype.INTER_VISUAL_CONTRADICTION: frozenset({"picture_addition", "text_edit"}),
    Subtype.MISSING_IMAGE: frozenset({"picture_removal", "text_edit"}),
    Subtype.MISSING_INSTRUCTION: frozenset({"text_removal"}),
    Subtype.MISMATCH: frozenset({"picture_replacement"}),
} | dict.fromkeys(VISUAL_PREMISE_SUBTYPES, frozenset({"picture_degradation"}))
_NEEDED: dict[Subtype, str] = {
    Subtype.INTER_VISUAL_CONTRADICTION: "picture_addition",
    Subtype.MISSING_IMAGE: "picture_removal",
}
_OPTIONS_ONLY = frozenset(subtype for subtype, kinds in _KINDS.items() if kinds == _TEXTS)
_LISTING = re.compile(r"[,，、/&:：\s]|\b(?:and|or)\b|以及|[和与及或]")
_LONGEST_PHRASE = len("images 1, 2, 3, 4, 5, 6, 7 and 8")
_TOKENS_ONLY = frozenset({Subtype.INTER_VISUAL_CONTRADICTION, Subtype.MISSING_IMAGE})


def check_claims(candidate: FlawedSample, parent: Sample) -> Fault | None:
    """OTHER_CHANGE for an edit that its subtype does not claim, or for a claim without its edit."""
    if candidate.parent != parent.id:
        return Fault(DropReason.OTHER_CHANGE, f"the candidate names {candidate.parent} as its source, not {parent.id}")
    for flaw in candidate.flaws:
        evidence = _find_foreign(flaw) or _find_absent(flaw, parent)
        if evidence:
            return Fault(DropReason.OTHER_CHANGE, f"{flaw.subtype}: {evidence}")
    return None


def _find_foreign(flaw: Flaw) -> str | None:
    for edit in flaw.edits:
        if edit.kind not in _KINDS[flaw.subtype]:
            return f"a {edit.kind} is no part of this subtype"
        if flaw.subtype in _OPTIONS_ONLY and isinstance(edit, TextRemoval) and edit.part is not TextPart.OPTIONS:
            return f"the whole {edit.part} was removed, which is a missing instruction"
        if flaw.subtype in _TOKENS_ONLY and isinstance(edit, TextEdit) and not _moves_tokens(edit):
            return f"the text changed beyond picture tokens: {edit.before!r} became {edit.after!r}"
    return None


def _moves_tokens(edit: TextEdit) -> bool:
    """Only tokens, white space and the words that may stand for a token; where several tokens go at once, also the
    words and marks that list them."""
    gone, put = TOKEN.sub("", edit.before).strip(), TOKEN.sub("", edit.after).strip()
    is_list = len(TOKEN.findall(edit.before)) > 1
    longest = _LONGEST_PHRASE if is_list else len("The image 99")
    gone = _LISTING.sub("", gone) if is_list else gone
    return bool(TOKEN.search(edit.before + edit.after)) and gone == "" and len(put) <= longest


def _find_absent(flaw: Flaw, parent: Sample) -> str | None:
    kinds = [edit.kind for edit in flaw.edits]
    if flaw.subtype in _OPTIONS_ONLY and "text_edit" not in kinds:
        return "no text was rewritten"
    needed = _NEEDED.get(flaw.subtype)
    if needed and kinds.count(needed) != 1:
        return f"{kinds.count(needed)} edits of the kind {needed}, where one is claimed"
    if flaw.subtype is Subtype.MISMATCH and len(kinds) != len(parent.pictures):
        return f"{len(kinds)} of {len(parent.pictures)} pictures were replaced"
    if flaw.subtype is Subtype.MISSING_INSTRUCTION and not _drops_query(flaw.edits, parent):
        return "the query is still there"
    return None


def _drops_query(edits: Sequence[Edit], parent: Sample) -> bool:
    """The query went, or the source had none and its context went."""
    dropped = {edit.part for edit in edits if isinstance(edit, TextRemoval)}
    return (TextPart.QUERY if parent.query else TextPart.CONTEXT) in dropped
