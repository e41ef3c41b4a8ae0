"""Picture tokens leave or enter a text without a trace: a token that stands between sentences goes with its white
space, and one that is a word of its sentence ("in <image 1>, ...") becomes "the image", so that the text stays
whole English or Chinese. Tokens that are listed ("<image 1>, <image 2> and <image 3>") are one noun and become one
phrase."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from core.image_tokens import TOKEN
from core.records import Language, Sample, TextEdit, TextPart

_SENTENCE_END = ".?!。？！:：;；)）"
_BEFORE_NOUN = re.compile(
    r"\b(?:in|on|from|of|to|the|this|that|see|by|with|at|for|and|or|as|into|like|using|use|both|per|than|via|is|are"
    r"|between|does|do|did|describe|describes|consider|examine|study|observe|under|inside|within|about)$",
    re.IGNORECASE,
)
_VERB_AFTER = (
    r"is|are|was|were|shows?|depicts?|represents?|illustrates?|has|have|can|could|does|describes?|gives?|contains?"
)
_AFTER_NOUN = re.compile(rf"(?:{_VERB_AFTER}|of|and|or|below|above)\b|[,，)]")
_VERB = re.compile(rf"\s*(?:{_VERB_AFTER})\b")
_BEFORE_NOUN_CHINESE = "在如从见由据看和与于图"
_AFTER_NOUN_CHINESE = ("中", "所示", "里", "显示", "是", "表示", "的", "，", "为")
_ARTICLE = re.compile(r"\b(?:the|this|that|both|these|those)$", re.IGNORECASE)
_ENUMERATION = re.compile(
    rf"{TOKEN.pattern}(?:\s*(?:,\s*(?:and|or)\b|[,，、/&]|\b(?:and|or)\b|和|与|及|以及|或)\s*{TOKEN.pattern})+"
)
_COLON = re.compile(r"\s*[:：]\s*$")
_CLAUSE_END = re.compile(r"\s*[.?!;。？！；]")
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_COUNTS_CHINESE = "零一两三四五六七八九"


class EditedText(NamedTuple):
    text: str
    edits: tuple[TextEdit, ...]


class _Change(NamedTuple):
    start: int
    stop: int
    after: str


def take_tokens_out(text: str, sample: Sample, part: TextPart, option: int | None = None) -> EditedText:
    """The text without picture tokens, and what was done. A token used as a noun is named in words instead."""
    listed = [] if part is TextPart.OPTIONS else list(_ENUMERATION.finditer(text))
    alone = [one for one in TOKEN.finditer(text) if not any(one.start() in range(*many.span()) for many in listed)]
    changes = [_removal(text, one, sample) for one in alone] + [_phrase(text, many, sample) for many in listed]
    return _apply(text, sorted(changes), part, option)


def is_only_tokens(option: str) -> bool:
    """Nothing but tokens, and the words and marks that list them."""
    return bool(TOKEN.fullmatch(option.strip()) or _ENUMERATION.fullmatch(option.strip()))


def follow_token(text: str, number: int, addition: str, part: TextPart) -> EditedText:
    """The text with `addition` behind the first token of that number; unchanged where there is none."""
    for match in TOKEN.finditer(text):
        if int(match[1]) == number:
            return _apply(text, [_Change(match.end(), match.end(), addition)], part, None)
    return EditedText(text, ())


def has_token_as_noun(text: str) -> bool:
    """A token that is a word of its sentence: the sentence speaks of the picture."""
    return any(_is_noun(text, match) for match in TOKEN.finditer(text))


def _removal(text: str, match: re.Match[str], sample: Sample) -> _Change:
    if _is_noun(text, match):
        return _Change(match.start(), match.end(), _words(text[: match.start()], int(match[1]), sample))
    start, stop = match.span()
    while start > 0 and text[start - 1].isspace():
        start -= 1
    while stop < len(text) and text[stop].isspace():
        stop += 1
    return _Change(start, stop, _gap(text, start, stop))


def _phrase(text: str, match: re.Match[str], sample: Sample) -> _Change:
    """Listed tokens become one noun; behind a colon that only announces them they go with the colon."""
    before = text[: match.start()]
    colon = _COLON.search(before)
    if colon and before[: colon.start()].strip() and _CLAUSE_END.match(text[match.end() :]):
        return _Change(colon.start(), match.end(), "")
    return _Change(match.start(), match.end(), _listed_words(before, match[0], sample))


def _listed_words(before: str, listed: str, sample: Sample) -> str:
    numbers = sorted({int(one) for one in TOKEN.findall(listed)})
    is_all = len(numbers) == len(sample.pictures)
    if sample.language is Language.CHINESE:
        return f"这{_COUNTS_CHINESE[len(numbers)]}张图片" if is_all else "、".join(f"图片{one}" for one in numbers)
    if is_all:
        words = f"the {_COUNTS[len(numbers)]} images"
        return words.removeprefix("the ") if _ARTICLE.search(before.rstrip()) else _at_start(before, words)
    named = f"{', '.join(str(one) for one in numbers[:-1])} and {numbers[-1]}"
    return _at_start(before, f"images {named}")


def _at_start(before: str, words: str) -> str:
    """With a capital letter where a sentence begins."""
    near = before.rstrip()
    return words[0].upper() + words[1:] if not near or near[-1] in ".?!" or before.endswith("\n") else words


def _gap(text: str, start: int, stop: int) -> str:
    """What stays between the neighbours of the removed stretch: the widest of the gaps that it held."""
    if start == 0 or stop == len(text) or text[stop] in ",.?!;:，。？！；：":
        return ""
    lines = max(space.count("\n") for space in TOKEN.split(text[start:stop])[::2])
    if lines:
        return "\n" * min(lines, 2)
    wide = max(ord(text[start - 1]), ord(text[stop])) >= 0x2E80
    return "" if wide else " "


def _is_noun(text: str, match: re.Match[str]) -> bool:
    before, after = text[: match.start()], text[match.end() :]
    near = before.rstrip(" \t")
    if not near or near[-1] == "\n" or near[-1] in _SENTENCE_END:
        following = after.lstrip(" \t")
        return bool(_AFTER_NOUN.match(following)) or following.startswith(_AFTER_NOUN_CHINESE)
    if _VERB.match(after):
        return True
    return near[-1] in _BEFORE_NOUN_CHINESE or after.startswith(_AFTER_NOUN_CHINESE) or bool(_BEFORE_NOUN.search(near))


def _words(before: str, number: int, sample: Sample) -> str:
    several = len(sample.pictures) > 1
    if sample.language is Language.CHINESE:
        return f"图片{number}" if several else "图片"
    if several:
        return _at_start(before, f"image {number}")
    return "image" if _ARTICLE.search(before.rstrip()) else _at_start(before, "the image")


def _apply(text: str, changes: list[_Change], part: TextPart, option: int | None) -> EditedText:
    pieces: list[str] = []
    edits: list[TextEdit] = []
    position = length = 0
    for change in _merged(changes, text):
        kept = text[position : change.start]
        pieces += [kept, change.after]
        length += len(kept)
        before = text[change.start : change.stop]
        edits.append(TextEdit(part=part, start=length, before=before, after=change.after, option=option))
        length += len(change.after)
        position = change.stop
    return EditedText("".join([*pieces, text[position:]]), tuple(edits))


def _merged(changes: list[_Change], text: str) -> Iterator[_Change]:
    """Neighbouring removals share their white space: one change then covers both."""
    pending: _Change | None = None
    for change in changes:
        if pending is not None and change.start < pending.stop:
            pending = _Change(pending.start, change.stop, _gap(text, pending.start, change.stop))
            continue
        if pending is not None:
            yield pending
        pending = change
    if pending is not None:
        yield pending
