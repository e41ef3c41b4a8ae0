"""How the scripted writer reads a prompt: the texts between fences, and the places in them that can be changed without
cutting a formula or a picture token."""

import re
from hashlib import blake2b
from typing import NamedTuple

_WHOLE = re.compile(
    r"\$\$.*?\$\$|\$.*?\$|\\\(.*?\\\)|\\\[.*?\\\]|\\[A-Za-z]+(?:\{[^{}]*\})*|<image \d+>|[{<][^{}<>\n]*[}>]", re.DOTALL
)
_TOKEN = re.compile(r"<image \d+>")
_NUMBER = re.compile(r"(?<![A-Za-z0-9_.,/^\\-])\d+(?:\.\d+)?(?![A-Za-z0-9_/^]|[.,]\d)")
_LIST_NUMBER = re.compile(r"^\s*\(?\d+[.)、]", re.MULTILINE)
_ENGLISH_WORD = re.compile(r"(?<![A-Za-z-])[a-z]{4,}(?![A-Za-z-])")
_HAN_RUN = re.compile("[\u4e00-\u9fff]{2,}")
_PERCENTAGES = re.compile(r"between (\d+) % and (\d+) % of the (width|height)")
_CLAUSE_LIMITS = frozenset("$\\{}<>\n.!?;,()[]。！？；，（）：:")
_REACH = 40
_BOX_SIDE = 0.39  # of either side: 15 % of the picture
_COMMON_WORDS = re.compile(
    "about|above|after|also|among|another|answer|appears|before|being|below|best|between|both|choose|correct|could"
    "|determine|does|each|figure|find|following|follows|from|given|have|having|here|image|into|itself|many|more|most"
    "|much|need|needed|next|none|only|option|options|other|over|picture|please|question|select|shall|should|show"
    "|shown|some|such|than|that|their|them|then|there|these|they|this|those|under|using|value|what|when|where|whether"
    "|which|while|whose|will|with|would|your"
)


class Place(NamedTuple):
    """Characters `start` to `end` of one of the fenced texts, which is called `part`."""

    part: str
    text: str
    start: int
    end: int

    @property
    def words(self) -> str:
        return self.text[self.start : self.end]


def read_fence(prompt: str, label: str) -> str | None:
    """The text of the last fence with this label, None when there is none."""
    _, found, rest = prompt.rpartition(f"<<<{label}>>>\n")
    text, closed, _ = rest.partition(f"\n<<<end {label}>>>")
    return text if found and closed else None


class Box(NamedTuple):
    """A part of a picture, in shares of its width and height."""

    left: float
    top: float
    right: float
    bottom: float

    def pixels(self, width: int, height: int) -> tuple[int, int, int, int]:
        """Left, top, right, bottom in a picture of this size: at least one pixel, and all of them in it."""
        left, top = min(round(self.left * width), width - 1), min(round(self.top * height), height - 1)
        return left, top, max(round(self.right * width), left + 1), max(round(self.bottom * height), top + 1)


def read_box(prompt: str) -> Box | None:
    """Where an image editor is told to work, None when no place is named."""
    sides = {name: (int(low) / 100, int(high) / 100) for low, high, name in _PERCENTAGES.findall(prompt)}
    if sides.keys() != {"width", "height"}:
        return None
    return Box(sides["width"][0], sides["height"][0], sides["width"][1], sides["height"][1])


def drawn_box(mark: str) -> Box:
    """A place of 15 % of the picture, drawn from any text."""
    first, second = blake2b(mark.encode("utf-8", "surrogatepass"), digest_size=2).digest()
    left, top = round(first * (1 - _BOX_SIDE) / 255, 2), round(second * (1 - _BOX_SIDE) / 255, 2)
    return Box(left, top, round(left + _BOX_SIDE, 2), round(top + _BOX_SIDE, 2))


def picture_tokens(text: str) -> list[str]:
    return list(dict.fromkeys(_TOKEN.findall(text)))


def without_tokens(text: str) -> str:
    """The longest piece between picture tokens, without the space around it."""
    return max((piece.strip() for piece in _TOKEN.split(text)), key=len)


def numbers(part: str, text: str) -> list[Place]:
    """Numbers that stand by themselves in the running text."""
    lists = [match.span() for match in _LIST_NUMBER.finditer(text)]
    return [place for place in _outside(part, text, _NUMBER) if not _touches(place, lists)]


def content_words(part: str, text: str, chinese: bool) -> list[Place]:
    """Words that carry a meaning; of Chinese the last two characters of a run."""
    if chinese:
        runs = _outside(part, text, _HAN_RUN)
        return [run._replace(start=run.end - 2) for run in runs]
    return [place for place in _outside(part, text, _ENGLISH_WORD) if not _COMMON_WORDS.fullmatch(place.words)]


def clause_of(place: Place) -> Place:
    """The words around a place up to the next mark of punctuation, whole words only."""
    start, end, text = place.start, place.end, place.text
    while start > max(0, place.start - _REACH) and text[start - 1] not in _CLAUSE_LIMITS:
        start -= 1
    while end < min(len(text), place.end + _REACH) and text[end] not in _CLAUSE_LIMITS:
        end += 1
    while start < place.start and (text[start].isspace() or _cuts_word(text, start)):
        start += 1
    while end > place.end and (text[end - 1].isspace() or _cuts_word(text, end)):
        end -= 1
    return place._replace(start=start, end=end)


def quotation_of(place: Place) -> Place:
    """The place with as much around it as makes the words stand in the text exactly once."""
    start, end, text = place.start, place.end, place.text
    while (
        text.find(text[start:end]) != start or text.find(text[start:end], start + 1) >= 0 or _is_cut(text, start, end)
    ):
        start, end = max(0, start - 1), min(len(text), end + 1)
    return place._replace(start=start, end=end)


def end_of(part: str, text: str) -> Place:
    """The empty place behind the last word."""
    length = len(text.rstrip())
    return Place(part, text, length, length)


def plain_pieces(text: str) -> list[tuple[str, bool]]:
    """The text in pieces; True for those that hold neither a formula nor a picture token."""
    pieces: list[tuple[str, bool]] = []
    position = 0
    for match in _WHOLE.finditer(text):
        pieces += [(text[position : match.start()], True), (match[0], False)]
        position = match.end()
    return [*pieces, (text[position:], True)]


def _outside(part: str, text: str, pattern: re.Pattern[str]) -> list[Place]:
    whole = [match.span() for match in _WHOLE.finditer(text)]
    places = [Place(part, text, *match.span()) for match in pattern.finditer(text)]
    return [place for place in places if not _touches(place, whole)]


def _touches(place: Place, spans: list[tuple[int, int]]) -> bool:
    return any(place.start < end and start < place.end for start, end in spans)


def _is_cut(text: str, start: int, end: int) -> bool:
    return (start > 0 and _cuts_word(text, start)) or (end < len(text) and _cuts_word(text, end))


def _cuts_word(text: str, position: int) -> bool:
    before, after = text[position - 1 : position], text[position : position + 1]
    return all(letter.isascii() and letter.isalnum() for letter in (before, after) if letter) and bool(before and after)
