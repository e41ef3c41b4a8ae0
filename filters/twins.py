"""Valid twins: the unmodified question beside its flawed one shows whether a tested model finds flaws where there are
none. It counts only when two validators call it valid (M-43, A14)."""

from collections.abc import Iterable

from core.calls import Answer, Proposal, Role
from core.records import Sample
from core.taxonomy import Subtype
from core.votes import Criterion, Verdict, Vote
from filters.shown_item import list_contents, make_proposal, show_item
from filters.validation_prompts import joint_hash, prompt_named
from filters.validators import PAIR
from filters.verdicts import read_verdict


def propose_twin(sample: Sample) -> Proposal:
    """The question without its answer: that it can be answered is what is asked."""
    shown = {"item": show_item("item", sample)}
    return make_proposal(
        Role.VALIDATOR, prompt_named("twin"), joint_hash("twin"), {"contents": list_contents(sample)}, shown
    )


def read_twin_vote(sample: Sample, subtype: Subtype, answer: Answer) -> Vote:
    """On VALIDITY; `subtype` is that of the flawed question that the sample is the twin of."""
    verdict, evidence = read_verdict(answer, "VALID")
    return Vote(
        item=sample.id,
        subtype=subtype,
        criterion=Criterion.VALIDITY,
        verdict=verdict,
        model=answer.model,
        family=answer.family,
        call=answer.call,
        evidence=evidence,
    )


def is_valid(votes: Iterable[Vote]) -> bool:
    """Two models or more have voted on VALIDITY, and every vote is a PASS (A14). The votes are those on one sample."""
    cast = [vote for vote in votes if vote.criterion is Criterion.VALIDITY]
    return len({vote.model for vote in cast}) >= PAIR and all(vote.verdict is Verdict.PASS for vote in cast)
