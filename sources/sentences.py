"""Cuts a question into sentences without breaking formulas, decimals, abbreviations, picture tokens, tables or
programs, in English and in Chinese. The pieces joined are the text itself: nothing is lost and nothing is added."""

import re
from itertools import pairwise

MASK = "\ue000"  # each character of a formula or a table: a pattern sees where one is, not what it says
_TOKEN = r"(?:<image \d+>|\[image\d+\])"  # a picture, or a labelled part of one
_MATHS = re.compile(r"\$\$.*?\$\$|\$[^$]*\$|\\\(.*?\\\)|\\\[.*?\\\]", re.DOTALL)
_TABLE_LINE = re.compile(r"^[ \t]*\|.*\|[ \t]*$", re.MULTILINE)
_STOP_IN_FORMULA = re.compile(r"([?？。])[\s.]*(\$\$?)$")
_ABBREVIATION = re.compile(
    r"(?:\b(?:[Ff]igs?|[Ee]qs?|Nos?|Dr|Mr|Mrs|Ms|Prof|St|vs|approx|cf|Ref|Sec|Ch|Vol|pp|resp|i\.e|e\.g|et al|Jr)"
    r"|\b[A-Z]\.[A-Z])\.$"
)
_LIST_NUMBER = re.compile(r"(?:^|\n)\s*\(?\w{1,3}\.$")
_END = re.compile(
    r"[。！？；]+[”’」』）)\"']*"
    r"|[.!?]+[\"'”’)\]]*(?=\s|$|" + _TOKEN + r"|[\u3400-\u9fff(（])"
    r"|(?<=[A-Za-z0-9])\.(?=[A-Z][a-z]+\b)"
    r"|(?<=[\u3400-\u9fff)）" + MASK + r"])[.;](?=[\u3400-\u9fff])"
)
_LINE = re.compile(r"\n+")
_AFTER_TOKEN = re.compile(rf"(?:{_TOKEN}\s*)+")
_STARTS_SENTENCE = re.compile(
    r"(?:What|Which|Who|Whose|Why|How|When|Where|In which|At what|Find|Determine|Calculate|Compute|Identify|Is|Are|"
    r"Does|Do|Can|Consider|Select|Choose|Estimate|Describe|Explain|Name)\b"
)
_CONTINUES = re.compile(rf"[a-z{MASK},;:)\]|=+&]")


def mask(text: str) -> str:
    """The text with every formula and line of a table replaced by as many MASK characters; a stop that ends a formula
    stays visible ("greater than $1.9 ?$")."""
    return _TABLE_LINE.sub(lambda match: MASK * len(match[0]), _MATHS.sub(_mask_one, text))


def split_sentences(text: str) -> list[str]:
    masked = mask(text)
    cuts = sorted({0, *_after_stops(masked), *_at_lines(masked), *_after_tokens(masked), len(text)})
    return [text[start:end] for start, end in pairwise(cuts) if end > start]


def _mask_one(match: re.Match[str]) -> str:
    span = match[0]
    stop = _STOP_IN_FORMULA.search(span)
    if stop is None:
        return MASK * len(span)
    return MASK * stop.start(1) + stop[1] + " " * (len(span) - stop.start(1) - 1)


def _after_stops(masked: str) -> list[int]:
    """Behind the stop, its blanks and the tokens that stand on the same line."""
    found: list[int] = []
    for match in _END.finditer(masked):
        before = masked[: match.end()]
        tail = before[-12:]
        if match[0] == "." and (_ABBREVIATION.search(tail) or _LIST_NUMBER.search(before[-8:])):
            continue
        rest = masked[match.end() :]
        blanks = len(rest) - len(rest.lstrip())
        following = rest[blanks : blanks + 1]
        if match[0] == "." and following and (following.islower() or following in ",;:)"):
            continue
        tokens = _AFTER_TOKEN.match(rest, blanks) if "\n" not in rest[:blanks] else None
        if tokens and (following_text := rest[tokens.end() : tokens.end() + 1]) and following_text.islower():
            found.append(match.end() + blanks)  # "as shown. <image 1> of the left side …": the token begins a sentence
            continue
        found.append(match.end() + (tokens.end() if tokens else blanks))
    return found


def _at_lines(masked: str) -> list[int]:
    return [
        match.end() for match in _LINE.finditer(masked) if not _CONTINUES.match(masked[match.end() :].lstrip(" \t")[:1])
    ]


def _after_tokens(masked: str) -> list[int]:
    """A title, a token, then the question: "British Empire, 1919 <image 1> Which of …"."""
    return [
        match.end()
        for match in _AFTER_TOKEN.finditer(masked)
        if match.start() and _STARTS_SENTENCE.match(masked, match.end())
    ]
