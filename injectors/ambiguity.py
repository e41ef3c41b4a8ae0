"""Ambiguity by rule: the name of what the request is about becomes a word that fits at least two things in the text.
The request is still whole, so it is not unclear what kind of answer is wanted, only which of the things is meant."""

import re

from core.records import Language, Sample, TextPart
from core.taxonomy import Subtype
from injectors.base import Injection, InjectionContext, Rejection, RejectionReason
from injectors.chinese_referents import (
    chinese_contrasted,
    chinese_geometric,
    chinese_labelled,
    chinese_legend,
    chinese_names,
    chinese_noun_first,
    chinese_of_a_kind,
)
from injectors.english_referents import (
    contrasted,
    labelled,
    of_a_kind,
    one_of_two_names,
    subscripted,
    unknown_letter,
)
from injectors.geometric_referents import geometric
from injectors.goals import before_goal, has_drawn_options, refuse_without_request
from injectors.known_candidates import without_known
from injectors.passages import formulas, goal_start
from injectors.referents import Finder, Referent, Request
from injectors.rewriting import Change, Rewriting, make_injection
from injectors.vague_scopes import (
    built,
    chinese_ages,
    chinese_standing_out,
    drawn_label,
    framework_member,
    function_argument,
    near_by,
    numbered_case,
    one_component,
    standing_out,
    threshold,
    typical,
)

_OPEN_OPTION = re.compile(r"(?:yes|no|true|false|是|否|对|错|正确|错误)[.。]?", re.IGNORECASE)
_FINDERS: dict[Language, tuple[Finder, ...]] = {
    Language.ENGLISH: (
        labelled,
        contrasted,
        of_a_kind,
        geometric,
        subscripted,
        one_of_two_names,
        unknown_letter,
        standing_out,
        threshold,
        near_by,
        function_argument,
        drawn_label,
        framework_member,
        typical,
        one_component,
        numbered_case,
        built,
    ),
    Language.CHINESE: (
        chinese_labelled,
        chinese_noun_first,
        chinese_names,
        chinese_of_a_kind,
        chinese_geometric,
        chinese_contrasted,
        chinese_legend,
        chinese_standing_out,
        chinese_ages,
    ),
}


class Ambiguity:
    """See docs/rule-injectors.md for what is accepted."""

    subtype = Subtype.AMBIGUITY
    version = 3

    def apply(self, sample: Sample, context: InjectionContext) -> Injection | Rejection:
        refusal = refuse_without_request(sample)
        if refusal:
            return refusal
        query = sample.query or ""
        request = Request(query, goal_start(query, sample.language), before_goal(sample))
        found = [referent for find in _FINDERS[sample.language] for referent in find(request)]
        drawn = has_drawn_options(sample)
        whole = [one for one in found if not _cuts_formula(query, one) and (one.keeps_options or not drawn)]
        if not whole:
            return Rejection(
                RejectionReason.NOTHING_TO_CHANGE, "the request names nothing that has a second candidate in the text"
            )
        open_ones = [left for one in whole if (left := without_known(one, request))]
        if not open_ones:
            return Rejection(
                RejectionReason.NOTHING_TO_CHANGE, "the text gives the value of every other candidate, so one is left"
            )
        chosen = context.stream.choice(open_ones)
        drops = not chosen.keeps_options and not all(
            _OPEN_OPTION.fullmatch(option.strip()) for option in sample.options
        )
        change = Change(TextPart.QUERY, *chosen.place, chosen.vague)
        return make_injection(
            sample,
            self.subtype,
            self.version,
            Rewriting((change,), _explain(sample, chosen, drops), drop_options=drops),
        )


def _cuts_formula(query: str, referent: Referent) -> bool:
    return any(span.start < edge < span.end for span in formulas(query) for edge in referent.place)


def _explain(sample: Sample, referent: Referent, drops: bool) -> str:
    named = " ".join(referent.place.of(sample.query or "").split())
    options = " The options, which could tell which one is meant, are gone." if drops else ""
    return (
        f'"{named}" in the request became "{referent.vague.strip()}", which can mean '
        f"{_either(referent.candidates)}.{options} Each reading "
        "asks for something else, and nothing in the text says which one is meant."
    )


def _either(candidates: tuple[str, ...]) -> str:
    return f"{', '.join(candidates[:-1])} or {candidates[-1]}"


AMBIGUITY = Ambiguity()
