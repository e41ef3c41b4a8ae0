"""Verdicts read from free text: a closed menu, the last one wins, and whatever is not on the menu is UNPARSED, a state
of its own. Models quote, decorate and think aloud, so a verdict counts only where it stands alone on a line."""

import re
import unicodedata
from typing import NamedTuple

from core.calls import Answer, AnswerStatus
from core.votes import Verdict

_MENU = {"pass": Verdict.PASS, "fail": Verdict.FAIL}
_LABELS = ("TYPE", "UNANSWERABLE", "VALID", "STATEMENT 1", "STATEMENT 2")
_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_QUOTED_ITEM = re.compile(r"<<<(?!end)[^<>]*>>>.*?<<<end[^<>]*>>>", re.DOTALL)
_DECORATION = re.compile(r"[*_`#\[\]【】✅❌☑✔✗]")
_BULLET = re.compile(r"^\s*(?:[-•]|\d+[.)])\s+")
_LABEL = re.compile(rf"(?:{'|'.join(_LABELS)})\s*:", re.IGNORECASE)
_NEXT_LABEL = re.compile(rf"[\s,;|/]{{1,5}}(?={_LABEL.pattern})", re.IGNORECASE)
_REMARK = re.compile(r"[.。;!(–—-].*$", re.DOTALL)
_VERDICT_IN_ITEM = re.compile(rf"\b({'|'.join(_LABELS)})(\s*)[:：](?=\s*(?:pass|fail)\b)", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+")
_MAX_WORDS = 3
_EXCERPT = 300


class Reading(NamedTuple):
    """`evidence` is the reason given, or what stood where a verdict should have been."""

    verdict: Verdict
    evidence: str


def disarm(text: str) -> str:
    """Untrusted text in which nothing reads as a verdict when a model quotes it: the colon becomes another sign that
    looks the same."""
    return _VERDICT_IN_ITEM.sub("\\1\\2\ua789", text)


def read_verdict(answer: Answer, label: str) -> Reading:
    """The last `LABEL: PASS` or `LABEL: FAIL` of the reply. A reply that is not OK has none."""
    if answer.status is not AnswerStatus.OK:
        return Reading(Verdict.UNPARSED, f"the reply is {answer.status.value}: {answer.detail}".rstrip(": "))
    text = spoken_text(answer.text)
    attempts = [value for line in _lines(text) if (value := _value_of(line, label)) is not None]
    if not attempts:
        return Reading(Verdict.UNPARSED, f"no `{label}:` line in the reply, which ends {_squeeze(text)[-_EXCERPT:]!r}")
    verdict = _menu_entry(attempts[-1])
    if verdict is None:
        return Reading(Verdict.UNPARSED, f"`{label}: {_squeeze(attempts[-1])[:_EXCERPT]}` is not on the menu")
    return Reading(verdict, _squeeze(text)[:_EXCERPT])


def spoken_text(text: str) -> str:
    """Without what a local model thinks aloud between `<think>` marks (an unclosed thought has no end), and without
    what it quotes of the item with its marks."""
    _, mark, rest = text.rpartition("</think>")
    return _QUOTED_ITEM.sub("\n", _THOUGHT.sub("", rest if mark else text)).strip()


def _lines(text: str) -> list[str]:
    """Without decoration, one label on each."""
    plain = unicodedata.normalize("NFKC", text)
    lines = [_BULLET.sub("", _DECORATION.sub("", line)).strip() for line in plain.splitlines()]
    return [part for line in lines for part in (_NEXT_LABEL.split(line) if _LABEL.match(line) else [line])]


def _value_of(line: str, label: str) -> str | None:
    """What stands after the label, None when the line is no verdict but a sentence that begins like one."""
    name, colon, value = line.partition(":")
    value = value.strip()
    if not colon or name.strip().upper() != label:
        return None
    return value if _menu_entry(value) or len(value.split()) <= _MAX_WORDS else None


def _menu_entry(value: str) -> Verdict | None:
    """A remark may follow the verdict, unless it names the other one too."""
    if _MENU.keys() <= set(_WORD.findall(value.casefold())):
        return None
    return _MENU.get(_REMARK.sub("", value).strip().casefold())


def _squeeze(text: str) -> str:
    """Half surrogates and NUL, which a reply can hold, can be stored nowhere."""
    return " ".join(text.replace("\x00", "").encode(errors="replace").decode().split())
