"""Stage 1: does the picture show something of this kind, and what (J-2)?"""

from core.calls import Proposal, Role
from core.records import Sample
from core.taxonomy import PremiseSubtype
from injectors.base import PromptContext, Rejection, RejectionReason
from injectors.premise.checks import find_phrase_fault
from injectors.premise.prompting import Stage, ask, draw_absent, draw_pictured, picture_of, section
from injectors.premise.replies import ExtractionReply
from injectors.prompted.layout import Part

_STAGE = Stage("premise_extraction", Role.GENERATOR, ExtractionReply)
_QUOTES = frozenset({('"', '"'), ("'", "'"), ("“", "”"), ("‘", "’"), ("「", "」"), ("《", "》")})
_SAYS_NO = "the picture shows nothing of this kind"


def propose_extraction(sample: Sample, subtype: PremiseSubtype, context: PromptContext) -> Proposal | Rejection:
    if len(sample.pictures) == 0:
        return Rejection(RejectionReason.NO_PICTURE, "there is no picture to take a premise from")
    if len(sample.pictures) > 1:
        return Rejection(RejectionReason.NOT_ONE_PICTURE, f"the sample has {len(sample.pictures)} pictures")
    slots = {"examples": _show_examples(sample, subtype, context), "picture": (sample.pictures[0],)}
    return ask(_STAGE, subtype, sample.language, {"shown": section(subtype, "shown")}, slots)


def read_extraction(sample: Sample, subtype: PremiseSubtype, reply: ExtractionReply) -> str | Rejection:
    """The premise. NO_PREMISE by the field alone: a premise that reads "no" is a reply to be mended."""
    if not reply.present:
        return Rejection(RejectionReason.NO_PREMISE, reply.where.strip() or _SAYS_NO)
    premise = premise_of(reply)
    return find_phrase_fault(premise, "premise", subtype, sample.language) or premise


def premise_of(reply: ExtractionReply) -> str:
    """Models put what they copy from a picture between quotation marks."""
    text = reply.premise.strip()
    return text[1:-1].strip() if len(text) > 2 and (text[0], text[-1]) in _QUOTES else text


def _show_examples(sample: Sample, subtype: PremiseSubtype, context: PromptContext) -> tuple[Part, ...]:
    """One of them shows nothing of the kind."""
    absent = draw_absent(subtype, sample, context) if context.few_shot > 1 else None
    shown = [
        (
            picture_of(entry),
            ExtractionReply(present=True, premise=entry.text(sample.language).premise, where="in plain view"),
        )
        for entry in draw_pictured(subtype, sample, context, context.few_shot - (absent is not None))
    ]
    if absent is not None:
        shown.append((absent, ExtractionReply(present=False, premise="", where=_SAYS_NO)))
    parts: list[Part] = []
    for number, (picture, reply) in enumerate(shown, start=1):
        parts += [f"Example {number}:\n", picture, f"\nReply to example {number}:\n{reply.model_dump_json()}\n\n"]
    return tuple(parts)
