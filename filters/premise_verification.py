"""A second family is shown the picture and asked whether what is to be true holds and what is to be false does not: a
hallucination of the caption must not become a true premise."""

from core.calls import Answer, Proposal
from core.premises import PremiseQuestion, PremiseVote
from core.records import Sample
from filters.base import DropReason


def verification_proposal(question: PremiseQuestion, sample: Sample) -> Proposal:
    """The same for both questions of a pair."""
    raise NotImplementedError


def read_verification(question: PremiseQuestion, answer: Answer) -> PremiseVote:
    """UNPARSED for whatever is not on the menu and for a reply that is not OK."""
    raise NotImplementedError


def find_fault(vote: PremiseVote) -> DropReason | None:
    """Why the questions of this item are dropped: PREMISE_NOT_SHOWN, REPLACEMENT_HOLDS, UNPARSED_VOTES, or None."""
    raise NotImplementedError
