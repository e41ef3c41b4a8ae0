"""Candidates whose value the text gives: nobody asks for what was just told, so a vague name would mean the one that is
left, and the request could still be answered."""

import re
from functools import lru_cache

from core.image_tokens import TOKEN
from injectors.passages import sentences
from injectors.referents import Referent, Request
from injectors.wordlists import word_list

_FORMULA_MARKS = re.compile(r"\\(?:mathrm|text|mathbf|overline|angle)(?![A-Za-z])|\\[()]|[${}∠]")
_NUMBER = re.compile(r"(?<![A-Za-z0-9_.\\^])\d+(?:\.\d+)?")
_CLAUSE_END = re.compile(r"[;；，。]|,(?!\d)")
_BESIDE = re.compile(r"\b(?:across|through)\s*$")


def without_known(referent: Referent, request: Request) -> Referent | None:
    """The referent where the text gives the value of none of the others. Where it gives some, `the other wheel` still
    fits two that are left; None where only the named one is. A drawing has any number of other segments."""
    named, *others = referent.candidates
    left = [one for one in others if not _is_known(one, named, referent, request)]
    if len(left) == len(others):
        return referent
    if not left or not re.fullmatch(r"the (?!segment|angle)[a-z]+", referent.vague):
        return None
    vague = f"the other {referent.vague.removeprefix('the ')}"
    return referent._replace(vague=vague, candidates=(named, *left))


def _is_known(other: str, named: str, referent: Referent, request: Request) -> bool:
    """A sentence with a number speaks of this one and not of the named one; or its value is of the kind that is asked
    for; or it is itself what is asked for and set equal to a number."""
    mention, own = _mention(other), _mention(named)
    asked = request.query[request.start : referent.place.start] + request.query[referent.place.end :]
    is_itself_asked = not _BESIDE.search(request.query[: referent.place.start])
    for plain in _plain_sentences(request.before):
        if not mention.search(plain) or not _NUMBER.search(plain):
            continue
        if not own.search(plain):
            return True
        clauses = [clause for clause in _CLAUSE_END.split(plain) if mention.search(clause)]
        if any(_has_asked_value(clause, asked) for clause in clauses):
            return True
        if is_itself_asked and re.search(rf"(?:{mention.pattern})\s*[=＝]\s*\d", plain):
            return True
    return False


def _has_asked_value(clause: str, request: str) -> bool:
    asked = [kind for kind in word_list("value_uses")["kinds"] if re.search(kind["names"], request, re.IGNORECASE)]
    after = [clause[number.end() :].lstrip() for number in _NUMBER.finditer(clause)]
    return any(re.match(rf"(?:{kind['unit']})(?![A-Za-z])", text) for kind in asked for text in after)


@lru_cache(maxsize=1)
def _plain_sentences(text: str) -> tuple[str, ...]:
    """Of the last text alone: it is asked about for each of its candidates."""
    return tuple(_plain(span.of(text)) for span in sentences(text))


def _plain(text: str) -> str:
    """Without picture tokens and formula marks; the letters of `V W X` in a formula stand together."""
    return re.sub(r"(?<=[A-Z]) (?=[A-Z](?![a-z]))", "", _FORMULA_MARKS.sub("", TOKEN.sub(" ", text)))


def _mention(candidate: str) -> re.Pattern[str]:
    """`segment AB` as AB or BA, `the frog` as frog, 蓝方块 also as 蓝色方块."""
    name = re.sub(r"^(?:the letter|the|segment|angle) ", "", candidate)
    if re.match(r"[\u4e00-\u9fff]", name):
        return re.compile(re.escape(name[0]) + "(?:色的?)?" + re.escape(name[1:]))
    either = {name, name[::-1]} if re.fullmatch("[A-Z]{2,3}", name) else {name}
    written = (f"(?i:{one[0]}){re.escape(one[1:])}" for one in sorted(either))
    return re.compile("|".join(f"(?<![A-Za-z0-9_]){one}(?![A-Za-z0-9_])" for one in written))
