"""Ambiguity by rule: the name of what the request is about becomes a word that fits at least two things in the text. The
request is still whole, so it is not unclear what kind of answer is wanted, only which of the things is meant."""

import re

from core.records import Sample, TextPart
from core.taxonomy import Subtype
from injectors.base import Injection, InjectionContext, Rejection, RejectionReason
from injectors.goals import before_goal, has_drawn_options, refuse_without_request
from injectors.passages import formulas, goal_start
from injectors.referents import FINDERS, Referent, Request
from injectors.rewriting import Change, Rewriting, make_injection

_OPEN_OPTION = re.compile(r"(?:yes|no|true|false|是|否|对|错|正确|错误)[.。]?", re.IGNORECASE)


class Ambiguity:
    """See docs/rule-injectors.md for what is accepted."""

    subtype = Subtype.AMBIGUITY
    version = 1

    def apply(self, sample: Sample, context: InjectionContext) -> Injection | Rejection:
        refusal = refuse_without_request(sample)
        if refusal:
            return refusal
        if has_drawn_options(sample):
            return Rejection(RejectionReason.NOTHING_TO_CHANGE, "the options are drawn in the pictures and may tell what is meant")
        query = sample.query or ""
        request = Request(query, goal_start(query, sample.language), before_goal(sample))
        found = [referent for find in FINDERS[sample.language] for referent in find(request)]
        whole = [referent for referent in found if not _cuts_formula(query, referent)]
        if not whole:
            return Rejection(RejectionReason.NOTHING_TO_CHANGE, "the request names nothing that has a second candidate in the text")
        chosen = context.stream.choice(whole)
        drops = not all(_OPEN_OPTION.fullmatch(option.strip()) for option in sample.options)
        change = Change(TextPart.QUERY, *chosen.place, chosen.vague)
        return make_injection(
            sample, self.subtype, self.version, Rewriting((change,), _explain(sample, chosen, drops), drop_options=drops)
        )


def _cuts_formula(query: str, referent: Referent) -> bool:
    return any(
        span.start < edge < span.end for span in formulas(query) for edge in referent.place
    )


def _explain(sample: Sample, referent: Referent, drops: bool) -> str:
    named = " ".join(referent.place.of(sample.query or "").split())
    options = " The options, which could tell which one is meant, are gone." if drops else ""
    return (
        f'"{named}" in the request became "{referent.vague}", which can mean {_either(referent.candidates)}.{options} Each reading '
        "asks for something else, and nothing in the text says which one is meant."
    )


def _either(candidates: tuple[str, ...]) -> str:
    return f"{', '.join(candidates[:-1])} or {candidates[-1]}"


AMBIGUITY = Ambiguity()
