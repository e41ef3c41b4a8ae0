"""Whether a question whose picture or text was taken away can still be answered: a decorative picture, or a question
that is printed in the picture, leaves nothing missing (A7). A model that solves what is left settles it before the
panel."""

import re

from core.calls import Answer, AnswerStatus, Proposal, Role
from core.records import Decision, FlawedSample, Sample, Stage
from core.taxonomy import Subtype
from filters.answer_matching import matches
from filters.base import DropReason, drop, keep
from filters.shown_item import list_contents, make_proposal, show_item
from filters.validation_prompts import joint_hash, prompt_named
from filters.verdicts import spoken_text

DECIDED_BY = "blind@1"

_PROMPTS = {
    Subtype.MISSING_IMAGE: "blind_missing_image",
    Subtype.MISSING_INSTRUCTION: "blind_missing_instruction",
}
_ANSWER = re.compile(r"^[ \t*_`#-]*ANSWER[ *_`]*[:：][\s*_`]*(.*)$", re.IGNORECASE | re.MULTILINE)
_MAX_ANSWER = 500
_CANNOT = re.compile(r"\bCANNOT\b")
_REFUSAL = re.compile(r"\W*(?:cannot\b|can't\b|can not\b|无法|不能)", re.IGNORECASE)


def needs_blind_solve(candidate: FlawedSample) -> bool:
    """A single flaw that took a modality away. With a second flaw the parent's answer would prove nothing."""
    return len(candidate.flaws) == 1 and candidate.subtype in _PROMPTS


def propose_blind_solve(candidate: FlawedSample, parent: Sample) -> Proposal:
    """To answer what is left of the item, or to say CANNOT. The candidate is one that `needs_blind_solve`."""
    name = _PROMPTS[candidate.subtype]
    texts = {"contents": list_contents(candidate)}
    return make_proposal(
        Role.VALIDATOR, prompt_named(name), joint_hash(name), texts, {"item": show_item("item", candidate)}
    )


def is_solved(answer_text: str, parent: Sample) -> bool | None:
    """Whether the last `ANSWER:` line gives the parent's right answer. False for a reply that says CANNOT. None where
    there is no such line, or the source withholds the answer."""
    text = spoken_text(answer_text)
    if _CANNOT.search(text):
        return False
    given = [match[1].strip() for match in _ANSWER.finditer(text) if match[1].strip()]
    if not given:
        return None
    if _REFUSAL.match(given[-1]):
        return False
    return matches(given[-1][:_MAX_ANSWER], parent)


def decide_blind(candidate: FlawedSample, answer: Answer, parent: Sample) -> Decision:
    """Drop with SOLVABLE_BLIND when the answer is right; keep in every other case, for the panel to judge."""
    if answer.status is not AnswerStatus.OK:
        evidence = f"{answer.model}: the reply is {answer.status.value}: {answer.detail}".rstrip(": ")
        return keep(candidate, Stage.PANEL, DECIDED_BY, evidence)
    solved = is_solved(answer.text, parent)
    if solved:
        evidence = f"{answer.model} gives the right answer {parent.answer!r} to what is left of the item"
        return drop(candidate, Stage.PANEL, DECIDED_BY, DropReason.SOLVABLE_BLIND, evidence)
    seen = "no answer that can be compared" if solved is None else "not solved"
    return keep(candidate, Stage.PANEL, DECIDED_BY, f"{answer.model}: {seen}")
