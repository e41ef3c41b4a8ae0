"""Stage 2: a short caption that says the premise (J-3). It is all that the writer of the question will know of the
picture."""

from core.calls import Proposal, Role
from core.premises import Premise
from core.prompts import fence
from core.records import Sample
from core.taxonomy import PremiseSubtype
from injectors.base import PromptContext, Rejection, RejectionReason
from injectors.premise.entries import Entry
from injectors.premise.prompting import Stage, ask, draw_pictured, picture_of, section
from injectors.premise.replies import CaptionReply
from injectors.premise.wording import (
    count_sentences,
    find_debris,
    find_hedge,
    find_length_fault,
    find_other_language,
)
from injectors.prompted.composing import shorten
from injectors.prompted.layout import Part

_STAGE = Stage("premise_caption", Role.GENERATOR, CaptionReply)
_MAX_WORDS, _MAX_SENTENCES = 80, 4


def propose_caption(sample: Sample, subtype: PremiseSubtype, premise: str, context: PromptContext) -> Proposal:
    examples: list[Part] = []
    for number, entry in enumerate(draw_pictured(subtype, sample, context, context.few_shot), start=1):
        examples += [f"Example {number}:\n", picture_of(entry), *_show_premise(entry.text(sample.language).premise)]
        examples.append(f"Reply to example {number}:\n{_reply_of(entry, sample).model_dump_json()}\n\n")
    slots = {
        "examples": tuple(examples),
        "picture": (sample.pictures[0],),
        "premise": _show_premise(premise),
    }
    return ask(_STAGE, subtype, sample.language, {"shown": section(subtype, "shown")}, slots)


def read_caption(sample: Sample, subtype: PremiseSubtype, premise: str, reply: CaptionReply) -> Premise | Rejection:
    """The span is the premise and stands once in the caption, so that replacing it replaces all of it."""
    caption, span = " ".join(reply.caption.split()), reply.span.strip()
    if not span or span.casefold() != premise.casefold() or caption.count(span) != 1 or _count(caption, premise) != 1:
        detail = f"`span` must be {shorten(premise)} and stand in `caption` exactly once, letter for letter"
        return Rejection(RejectionReason.PREMISE_NOT_IN_CAPTION, detail)
    fault = (
        find_debris(caption, "caption")
        or find_length_fault(caption, "caption", sample.language, _MAX_WORDS)
        or find_hedge(caption, "caption")
        or find_other_language(caption, "caption", sample.language, (span,))
    )
    if fault is not None:
        return fault
    if not 1 <= count_sentences(caption) <= _MAX_SENTENCES:
        return Rejection(RejectionReason.NOT_ONE_SENTENCE, f"`caption` must be 1 to {_MAX_SENTENCES} sentences")
    return Premise(subtype=subtype, text=premise, caption=caption, start=caption.index(span))


def _count(caption: str, premise: str) -> int:
    return caption.casefold().count(premise.casefold())


def _reply_of(entry: Entry, sample: Sample) -> CaptionReply:
    premise = entry.premise(sample.language)
    span = premise.caption[premise.start : premise.start + len(premise.text)]
    return CaptionReply(caption=premise.caption, span=span)


def _show_premise(premise: str) -> tuple[Part, ...]:
    return (f"\n{fence('premise', premise)}\n",)
