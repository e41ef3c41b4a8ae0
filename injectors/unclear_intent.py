"""Unclear intent by rule: the request is cut off before its object or replaced by one that names no goal, while the
context stays. Options would tell what is asked, so they go; options that are drawn in a picture cannot go, so such
items are refused."""

import re

from core.image_tokens import TOKEN
from core.records import Language, Sample
from core.taxonomy import Subtype
from injectors.base import Injection, InjectionContext, Rejection, RejectionReason
from injectors.goals import (
    before_goal,
    goal_words,
    has_drawn_options,
    is_inside_sentence,
    refuse_without_request,
    replace_goal,
)
from injectors.passages import has_words
from injectors.rewriting import Rewriting, make_injection
from injectors.wordlists import word_list

_ENGLISH_CUT = re.compile(
    r"(?:What (?:is|are|was|were) the|Find (?:all|the)|Determine (?:all|the)|Compute the|Calculate the|Estimate the"
    r"|Identify the"
    r"|Which of the following|Which of the)\b(?=(?:\s+\S+){2})",
    re.IGNORECASE,
)
_CHINESE_CUT = re.compile(r"(?:试?求出?|试估计|写出|计算|判断|则|请写出|请计算)(?=.{3})")
_GOAL_ELSEWHERE = {
    Language.ENGLISH: re.compile(
        r"\?|\b(?:goal|aim|task|question|problem|find|determine|compute|calculate|wants? to|would like|has to"
        r"|have to|must"
        r"|needs? to|asks? (?:him|her|them|us|you) to|trying to|in order to|want(?:s|ed)? to"
        r"|how (?:many|much|long|far)|which of|object of the)\b",
        re.IGNORECASE,
    ),
    Language.CHINESE: re.compile(
        r"[？?]|试?求|多少|目的|为使|为了(?!解)|要给|要把|要用|想要|试(?:写|问|求|在)|写出|如何|何[时处]|能否|是否"
    ),
}
_TASK_IN_PICTURE = re.compile(
    r"question mark|\"\?\"|'\?'|\bmissing|\bnext\b|\bpattern|\bmarked|\bblank|\bcomplete|calculation"
    r"|问号|缺少|空白|规律",
    re.IGNORECASE,
)

_LETTER = re.compile(
    r"(?:value of|[Ff]ind|[Dd]etermine|[Cc]alculate|求|则)\s*\$?\s*([a-z])\s*(?:\$|(?=[\s.?,，。=＝]|的值))"
)


class UnclearIntent:
    """See docs/rule-injectors.md for what is accepted."""

    subtype = Subtype.UNCLEAR_INTENT
    version = 3

    def apply(self, sample: Sample, context: InjectionContext) -> Injection | Rejection:
        refusal = refuse_without_request(sample) or _refuse(sample)
        if refusal:
            return refusal
        request, is_cut = _new_request(sample, context)
        explanation = _explain(sample, request, is_cut)
        rewriting = Rewriting(replace_goal(sample, request), explanation, drop_options=True)
        return make_injection(sample, self.subtype, self.version, rewriting)


def _new_request(sample: Sample, context: InjectionContext) -> tuple[str, bool]:
    """The words that stand in the place of the request, and whether they are its own beginning. "Determine all" after
    "Consider all polynomials" would ask for those."""
    pattern = _CHINESE_CUT if sample.language is Language.CHINESE else _ENGLISH_CUT
    match = pattern.match(goal_words(sample))
    told = match and match[0].endswith("all") and re.search(r"\ball\b", before_goal(sample))
    if match and not told and context.stream.random() < 0.5:
        return match[0], True
    requests = word_list("vague_requests")[sample.language.value]
    if is_inside_sentence(sample):
        polite = [request for request in requests if request.startswith(("Please", "请"))]
        requests = [request[0].lower() + request[1:] for request in polite]
    return context.stream.choice(requests), False


def _refuse(sample: Sample) -> Rejection | None:
    rest = TOKEN.sub("", before_goal(sample)).strip()
    if not has_words(rest) and not sample.pictures:
        return Rejection(RejectionReason.NO_CONTEXT, "nothing would be left but the request itself")
    if has_drawn_options(sample):
        return Rejection(
            RejectionReason.NOTHING_TO_CHANGE, "the options are drawn in the pictures and tell what is asked"
        )
    found = _GOAL_ELSEWHERE[sample.language].search(rest)
    if found:
        return Rejection(RejectionReason.NOTHING_TO_CHANGE, f"the text before the request tells the goal: {found[0]!r}")
    if sample.pictures and (_TASK_IN_PICTURE.search(goal_words(sample)) or _asks_for_drawn_letter(sample)):
        return Rejection(RejectionReason.NOTHING_TO_CHANGE, "the picture itself shows what is to be found")
    return None


def _asks_for_drawn_letter(sample: Sample) -> bool:
    """`What is the value of $x$?` where no premise has an x: it stands in the picture, as the thing to find."""
    asked = _LETTER.search(goal_words(sample))
    return bool(asked) and not re.search(rf"(?<![A-Za-z\\]){asked[1]}(?![A-Za-z])", before_goal(sample))


def _explain(sample: Sample, request: str, is_cut: bool) -> str:
    old = goal_words(sample)
    change = f'The request "{old}" now ends after "{request}"' if is_cut else f'"{request}" stands where "{old}" stood'
    options = ", and the options, which would tell what is asked, are gone" if sample.options else ""
    left = "What stands before it" if has_words(before_goal(sample)) else "The picture"
    return (
        f"{change}{options}. {left} is unchanged, but nothing says which quantity or fact is to be found, so no "
        f"answer can "
        "be right or wrong."
    )


UNCLEAR_INTENT = UnclearIntent()
