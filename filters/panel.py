"""The cross-model panel: every validator says for each candidate whether it shows what is claimed and whether it is
really unanswerable (M-18, M-19). Deciding is pure, so another rule can be replayed from the stored votes."""

from collections.abc import Iterable
from typing import NamedTuple

from core.calls import Answer, Proposal, Role
from core.records import Decision, FlawedSample, Sample, Stage
from core.votes import Criterion, Rule, Verdict, Vote
from filters.base import DropReason, drop, keep
from filters.described_flaw import describe_flaws
from filters.shown_item import Parts, fill, list_contents, make_proposal, show_item
from filters.validation_prompts import joint_hash, prompt_named, state_claims
from filters.validators import PAIR
from filters.verdicts import read_verdict

CRITERIA = {"TYPE": Criterion.TYPE_COMPLIANCE, "UNANSWERABLE": Criterion.UNANSWERABILITY}
_REASONS = {
    Criterion.TYPE_COMPLIANCE: DropReason.WRONG_TYPE,
    Criterion.UNANSWERABILITY: DropReason.ANSWERABLE,
}


def propose_validation(candidate: FlawedSample, parent: Sample, *, show_original: bool) -> Proposal:
    """The item as a tested model would see it and the claimed definition; with `show_original` also the source item and
    the flaw on record (A10)."""
    original: Parts = ()
    names = ["validate", "subtypes"]
    if show_original:
        original = _show_original(candidate, parent)
        names.append("original")
    texts = {"contents": list_contents(candidate), "claims": state_claims(candidate)}
    shown = {"item": show_item("item", candidate), "original": original}
    return make_proposal(Role.VALIDATOR, prompt_named("validate"), joint_hash(*names), texts, shown)


def read_votes(candidate: FlawedSample, answer: Answer) -> tuple[Vote, Vote]:
    """On type compliance and on unanswerability; UNPARSED for whatever is not on the menu and for a reply that is not
    OK."""
    kind, unanswerable = (_read_vote(candidate, answer, label) for label in CRITERIA)
    return kind, unanswerable


def decide_by_votes(candidate: FlawedSample, votes: Iterable[Vote], rule: Rule) -> Decision:
    """One decision at PANEL by the votes on this candidate, in whatever order they come. A validator passes it with
    a PASS on both criteria, so UNPARSED is not passed. `all`: every validator (A8); `any`: at least one; `majority`:
    more than half. NO_VALIDATOR when fewer than two have voted."""
    ballots = _collect(candidate, votes)
    decided_by = panel_name(rule)
    evidence = "; ".join(ballot.evidence for ballot in ballots)
    if len(ballots) < PAIR:
        return drop(candidate, Stage.PANEL, decided_by, DropReason.NO_VALIDATOR, evidence or "nobody has voted")
    if _suffices(sum(ballot.is_pass for ballot in ballots), len(ballots), rule):
        return keep(candidate, Stage.PANEL, decided_by, evidence)
    return drop(candidate, Stage.PANEL, decided_by, _reason_of(ballots), evidence)


def panel_name(rule: Rule) -> str:
    """`decided_by` of the panel's decisions."""
    return f"panel:{rule}@1"


def rule_of(decision: Decision) -> str:
    """By which a decision of `decide_by_votes` was made."""
    return decision.decided_by.removeprefix("panel:").partition("@")[0]


class _Ballot(NamedTuple):
    model: str
    verdicts: dict[Criterion, Verdict]

    @property
    def is_pass(self) -> bool:
        return all(verdict is Verdict.PASS for verdict in self.verdicts.values())

    @property
    def evidence(self) -> str:
        said = ", ".join(f"{criterion.value} {verdict.value}" for criterion, verdict in self.verdicts.items())
        return f"{self.model}: {said}"


def _read_vote(candidate: FlawedSample, answer: Answer, label: str) -> Vote:
    verdict, evidence = read_verdict(answer, label)
    return Vote(
        item=candidate.id,
        subtype=candidate.subtype,
        criterion=CRITERIA[label],
        verdict=verdict,
        model=answer.model,
        family=answer.family,
        call=answer.call,
        evidence=evidence,
    )


def _collect(candidate: FlawedSample, votes: Iterable[Vote]) -> list[_Ballot]:
    """One ballot a model, in the order of their names. Of several votes of a model on a criterion the harshest counts:
    no order of storage may change a decision."""
    own = [vote for vote in votes if vote.item == candidate.id and vote.criterion in _REASONS]
    return [
        _Ballot(model, {criterion: _harshest(own, model, criterion) for criterion in _REASONS})
        for model in sorted({vote.model for vote in own})
    ]


def _harshest(votes: list[Vote], model: str, criterion: Criterion) -> Verdict:
    cast = {vote.verdict for vote in votes if vote.model == model and vote.criterion is criterion}
    return next(
        (verdict for verdict in (Verdict.FAIL, Verdict.UNPARSED, Verdict.PASS) if verdict in cast), Verdict.UNPARSED
    )


def _suffices(passed: int, asked: int, rule: Rule) -> bool:
    match rule:
        case "all":
            return passed == asked
        case "any":
            return passed > 0
        case "majority":
            return 2 * passed > asked


def _reason_of(ballots: list[_Ballot]) -> DropReason:
    """A clear FAIL goes before a vote that could not be read."""
    for criterion, reason in _REASONS.items():
        if any(ballot.verdicts[criterion] is Verdict.FAIL for ballot in ballots):
            return reason
    return DropReason.UNPARSED_VOTES


def _show_original(candidate: FlawedSample, parent: Sample) -> Parts:
    shown = {"source": show_item("source", parent), "flaw": (describe_flaws(candidate),)}
    return fill(prompt_named("original"), {"contents": list_contents(parent)}, shown)
