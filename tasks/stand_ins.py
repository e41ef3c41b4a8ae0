"""Questions and candidates that cannot be known before models have answered, as long as they are likely to be. They are
never asked about."""

from core.calls import Proposal
from core.records import Flaw, FlawedSample, Sample, TextPart, TextRemoval
from core.taxonomy import Subtype


def stand_in_flaw(sample: Sample, subtype: Subtype) -> FlawedSample:
    edit = TextRemoval(part=TextPart.CONTEXT)
    flaw = Flaw(subtype=subtype, generator="plan", injector_version=0, edits=(edit,), explanation="plan")
    return FlawedSample(
        parent=sample.id,
        context=sample.context,
        query=sample.query,
        options=sample.options,
        pictures=sample.pictures,
        flaws=(flaw,),
    )


def stand_in_edit(instruction: Proposal, sample: Sample) -> Proposal:
    """Of a picture, after the instruction."""
    return Proposal(
        role=instruction.role,
        prompt=instruction.prompt,
        prompt_hash=instruction.prompt_hash,
        system="",
        parts=sample.pictures,
        wants_picture=True,
    )
