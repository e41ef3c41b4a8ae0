"""Splits a question into context T and query Q (M-1) by one rule, the same for every source:

Q begins at the last sentence that asks (a question, an order such as "find", or a blank to fill) and goes to the
end; asking sentences right before it belong to it; sentences that only say how to answer ("Justify your answer.")
never begin it. Where nothing asks, the last sentence is Q ("The area of the shaded region is"). What stands before Q
is T. A Chinese question of one sentence is cut at its last asking clause ("…，则∠BOC＝（）"). T + Q is the text in
order: only blanks between are dropped."""

import re
from typing import NamedTuple

from sources.sentences import MASK, mask, split_sentences

_ORDERS = (
    "find|determine|compute|calculate|evaluate|estimate|prove|show that|solve|identify|explain|describe|name|list|"
    "choose|select|pick|draw|sketch|state|write|express|derive|simplify|rank|order|arrange|compare|classify|count|"
    "predict|match|complete|fill|label|represent|use|give|verify|deduce|construct|sort|convert|discuss|interpret|"
    "analy[sz]e"
)
_QUESTION = re.compile(r"[?？][\s\"'”’)\]）.。" + MASK + r"]*(?:<image \d+>\s*|\[image\d+\]\s*)*$")
_ASKING_WORD = re.compile(r"^(?:<image \d+>\s*)*(?:what|which|whose|how (?:many|much|long|far|often|old|big))\b", re.I)
_ORDER = re.compile(rf"(?:^|[,;:.)）{MASK}]\s*|\b(?:then|and|please|to do|also) )(?:{_ORDERS})\b", re.I)
_BLANK = re.compile(r"_{2,}|\(\s*_*\s*\)|（\s*）|\(_\)")
_CHINESE_ORDER = (
    r"(?:请|试|并|再|分别)*(?:求(?!证明)|试|写出|计算|证明|求证|判断|说明|确定|指出|画出|作出|估计|问|分析|解释|比较|讨论|推导|"
    r"列出|完成|填写|选择|找出|补全|推断|简述|描述|用.{1,12}表示)"
)
_CHINESE_ASK = re.compile(
    rf"(?:^|[，,：:；;）)\s{MASK}])(?:\(?\d\)|（\d）|①|②)?{_CHINESE_ORDER}|多少|什么|哪[个些种项位一]|是否|几[个种次条]|"
    r"(?:下列|以下|则).{0,40}(?:正确|错误|不正确|可能|等于|是|为|[（(]\s*[)）])[\s（()）。.]*$"
)
_CHINESE_CLAUSE = re.compile(rf"(?<=[，；,;])(?=\s*(?:{_CHINESE_ORDER}|则|那么|问|下列|以下))")
_FORM_ONLY = re.compile(
    r"^[\s(]*(?:note|hint|justify|answer (?:by|in|with|the|to)|round|"
    r"(?:return|give|express|represent|state|write|provide|leave|report|include|enter|submit) "
    r"(?:(?:the|your|all|both) )?(?:\w+ )?(?:answers?|values?|results?|full|units?|first)\b|"
    r"choose (?:1|one|the (?:correct|best)) (?:answer|option)|"
    r"explain your|show your|assume\b|结论不要求|不要求|不必|保留|结果)",
    re.I,
)
_ONLY_TOKENS = re.compile(r"(?:\s|<image \d+>|\[image\d+\])*")


class TextAndQuery(NamedTuple):
    context: str | None
    query: str | None


def split_question(question: str | None, own_context: str | None = None) -> TextAndQuery:
    """`own_context`, the context column of the source, comes first in T. Texts are tidy and carry canonical tokens."""
    if question is None:
        return TextAndQuery(own_context, None)
    sentences = split_sentences(question)
    start = sum(len(sentence) for sentence in sentences[: _first_of_query(sentences)])
    if _ONLY_TOKENS.fullmatch(question[:start]):
        start = _clause_start(question)
    leading, query = question[:start].strip(), question[start:].strip()
    context = "\n\n".join(part for part in (own_context, leading) if part)
    return TextAndQuery(context or None, query)


def _first_of_query(sentences: list[str]) -> int:
    asking = [_asks(sentence) for sentence in sentences]
    if True not in asking:
        return _last_with_words(sentences)
    first = len(asking) - 1 - asking[::-1].index(True)
    while first > 0 and (asking[first - 1] or _leads_to_asking(sentences, asking, first)):
        first -= 1
    return first


def _leads_to_asking(sentences: list[str], asking: list[bool], index: int) -> bool:
    """A line about the form of the answer between two asking sentences does not part them (MathVista 107)."""
    return index > 1 and asking[index - 2] and _FORM_ONLY.match(sentences[index - 1]) is not None


def _last_with_words(sentences: list[str]) -> int:
    for index in range(len(sentences) - 1, 0, -1):
        if not _ONLY_TOKENS.fullmatch(sentences[index]) and not _FORM_ONLY.match(sentences[index]):
            return index
    return 0


def _asks(sentence: str) -> bool:
    if _FORM_ONLY.match(sentence):
        return False
    seen = mask(sentence)
    return any(pattern.search(seen.strip()) for pattern in (_QUESTION, _ASKING_WORD, _ORDER, _BLANK, _CHINESE_ASK))


def _clause_start(question: str) -> int:
    """Where the last asking clause of a Chinese question of one sentence begins, else 0."""
    sentences = split_sentences(question)
    end = len(sentences[0]) if sentences else 0
    clauses = [match.start() for match in _CHINESE_CLAUSE.finditer(mask(question)) if match.start() < end]
    return clauses[-1] if clauses else 0
