"""What changed between two texts, word by word and in Chinese letter by letter. A colour and a sign say what is new and
what is gone; where something is only gone, a mark stands on the new side too."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import NamedTuple

from annotation.screen.escaping import escape
from annotation.screen.formulas import FORMULA, show_formula
from core.image_tokens import TOKEN

_IDEOGRAPH = r"[㐀-䶿一-鿿]"
_WORD = rf"(?:(?!{_IDEOGRAPH})\w)+(?:[.,'’-](?:(?!{_IDEOGRAPH})\w)+)*"
_FINE = re.compile(rf"{TOKEN.pattern}|{_WORD}|\s+|.", re.DOTALL)
_COARSE = re.compile(rf"{FORMULA.pattern}|{_FINE.pattern}", re.DOTALL)
_MARKED = re.compile(rf"{FORMULA.pattern}|{TOKEN.pattern}", re.DOTALL)
_MIN_MOVED = 8
_GONE = '<del class="mark">[…]</del>'
_PUT_IN = '<ins class="mark">‸</ins>'


class Sides(NamedTuple):
    """HTML of the two texts."""

    original: str
    modified: str


@dataclass(frozen=True, slots=True)
class Change:
    """A stretch of both texts; one of them may be empty."""

    before: str
    after: str

    @property
    def is_equal(self) -> bool:
        return self.before == self.after


def compare(before: str, after: str) -> list[Change]:
    """In order; the `before` of all make the one text and the `after` the other."""
    found: list[Change] = []
    for change in _match(_COARSE, before, after):
        is_formula = not change.is_equal and FORMULA.search(change.before) and FORMULA.search(change.after)
        found += _match(_FINE, change.before, change.after) if is_formula else [change]
    return _join(found)


def find_moved(parts: Sequence[Sequence[Change]]) -> frozenset[str]:
    """Stretches that are gone at one place and stand at another, in any of the parts."""
    changes = [change for part in parts for change in part if not change.is_equal]
    gone = {change.before.strip() for change in changes}
    return frozenset(text for change in changes if len(text := change.after.strip()) >= _MIN_MOVED and text in gone)


def show_changes(changes: Sequence[Change], moved: frozenset[str] = frozenset()) -> Sides:
    sides = [_show(change, moved) for change in changes]
    return Sides("".join(side.original for side in sides), "".join(side.modified for side in sides))


def _show(change: Change, moved: frozenset[str]) -> Sides:
    if change.is_equal:
        return Sides(show_text(change.before), show_text(change.after))
    original = _wrap("del", change.before, moved) if change.before else _PUT_IN
    modified = _wrap("ins", change.after, moved) if change.after else _GONE
    return Sides(original, modified)


def _wrap(tag: str, text: str, moved: frozenset[str]) -> str:
    kind = ' class="moved"' if text.strip() in moved else ""
    return f"<{tag}{kind}>{show_text(text)}</{tag}>"


def show_text(text: str) -> str:
    """Formulas and the names of pictures stand out; everything is escaped."""
    shown: list[str] = []
    place = 0
    for found in _MARKED.finditer(text):
        shown.append(escape(text[place : found.start()]))
        is_token = TOKEN.fullmatch(found[0])
        shown.append(f'<code class="token">{escape(found[0])}</code>' if is_token else show_formula(found[0]))
        place = found.end()
    return "".join(shown) + escape(text[place:])


def _match(pattern: re.Pattern[str], before: str, after: str) -> list[Change]:
    """Common ends first: edits are short, and matching long texts as a whole takes the square of their length."""
    old, new = (_split(pattern, text) for text in (before, after))
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    inner_old, inner_new = old[head : len(old) - tail], new[head : len(new) - tail]
    matcher = SequenceMatcher(None, inner_old, inner_new, autojunk=False)
    inner = [Change("".join(inner_old[a:b]), "".join(inner_new[c:d])) for _, a, b, c, d in matcher.get_opcodes()]
    ends = ("".join(old[:head]), "".join(old[len(old) - tail :]))
    changes = [Change(ends[0], ends[0]), *inner, Change(ends[1], ends[1])]
    return [change for change in changes if change.before or change.after]


def _split(pattern: re.Pattern[str], text: str) -> list[str]:
    return [match[0] for match in pattern.finditer(text)]


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    pairs = zip(old, new, strict=False)
    return next((number for number, (a, b) in enumerate(pairs) if a != b), min(len(old), len(new)))


def _join(changes: Sequence[Change]) -> list[Change]:
    """Two changes with only white space between them are one."""
    joined: list[Change] = []
    for number, change in enumerate(changes):
        followed = number + 1 < len(changes) and not changes[number + 1].is_equal
        between = followed and change.is_equal and not change.before.strip()
        continues = joined and not joined[-1].is_equal and (between or not change.is_equal)
        if continues:
            last = joined.pop()
            joined.append(Change(last.before + change.before, last.after + change.after))
        else:
            joined.append(change)
    return joined
