"""A second family is shown the picture and asked whether what is to be true holds and what is to be false does not: a
hallucination of the caption must not become a true premise."""

from core.calls import Answer, Proposal, Role
from core.premise_slots import Filled
from core.premises import PremiseQuestion, PremiseVote
from core.prompts import fence
from core.records import Sample
from core.votes import Verdict
from filters.base import DropReason
from filters.shown_item import make_proposal
from filters.validation_prompts import joint_hash, prompt_named
from filters.verdicts import disarm, read_verdict

_OPPOSITE = {Verdict.PASS: Verdict.FAIL, Verdict.FAIL: Verdict.PASS, Verdict.UNPARSED: Verdict.UNPARSED}


def verification_proposal(question: PremiseQuestion, sample: Sample) -> Proposal:
    """The same for both questions of a pair. The validator is not told which statement is to be true: their order hangs
    on the hash of the item."""
    statements = _statements(question)
    shown = "\n\n".join(_show(number, text) for number, text in enumerate(statements, start=1))
    menu = "\n".join(f"{_label(number)}: PASS|FAIL" for number in range(1, len(statements) + 1))
    return make_proposal(
        Role.VALIDATOR,
        prompt_named("premise"),
        joint_hash("premise"),
        {"menu": menu},
        {"picture": (*sample.pictures, "\n"), "statements": (f"{shown}\n",)},
    )


def read_verification(question: PremiseQuestion, answer: Answer) -> PremiseVote:
    """UNPARSED for whatever is not on the menu and for a reply that is not OK; of several verdicts the last counts."""
    labels = {kind: _label(number) for number, kind in enumerate(_order(question), start=1)}
    premise = read_verdict(answer, labels[True])
    replacement = read_verdict(answer, labels[False]) if False in labels else None
    return PremiseVote(
        item=question.item,
        premise=premise.verdict,
        replacement=_OPPOSITE[replacement.verdict] if replacement else None,
        model=answer.model,
        family=answer.family,
        call=answer.call,
        evidence=premise.evidence,
    )


def find_fault(vote: PremiseVote) -> DropReason | None:
    """Why the questions of this item are dropped. A clear verdict goes before one that could not be read."""
    if vote.premise is Verdict.FAIL:
        return DropReason.PREMISE_NOT_SHOWN
    if vote.replacement is Verdict.FAIL:
        return DropReason.REPLACEMENT_HOLDS
    return DropReason.UNPARSED_VOTES if Verdict.UNPARSED in (vote.premise, vote.replacement) else None


def _order(question: PremiseQuestion) -> tuple[bool, ...]:
    """True for the premise, False for its replacement."""
    if question.replacement is None:
        return (True,)
    return (True, False) if int(question.item[-1], 16) % 2 else (False, True)


def _statements(question: PremiseQuestion) -> list[Filled]:
    words = {True: question.premise.text, False: question.replacement or ""}
    return [question.restated(words[kind]) for kind in _order(question)]


def _show(number: int, filled: Filled) -> str:
    end = filled.start + len(filled.words)
    marked = f"{filled.text[: filled.start]}«{filled.words}»{filled.text[end:]}"
    return fence(f"statement {number}", disarm(marked))


def _label(number: int) -> str:
    return f"STATEMENT {number}"
