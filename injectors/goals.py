"""Taking the request of a question away, or putting another in its place, without harming what stands among its words:
picture tokens, and the closing dollar sign of a text that is set in dollar signs as a whole."""

import re

from core.image_tokens import TOKEN
from core.records import Sample, TextPart
from injectors.base import Rejection, RejectionReason
from injectors.passages import Span, goal_start, has_words
from injectors.rewriting import Change

_DOLLARS = re.compile(r"\$\$.+?\$\$|(?<!\\)\$[^$]+?(?<!\\)\$", re.DOTALL)
_CODE = re.compile(r"(?m)^\s*\d*\s*(?:import|from|def|#include|public class)\s+\w+|;\s*$")
_LETTER = re.compile(r"\(?[A-Ha-h]\)?\.?")

MAX_CHARACTERS = 12_000


def refuse_without_request(sample: Sample) -> Rejection | None:
    """Why the request of this sample cannot be rewritten, if so."""
    if len(sample.context or "") + len(sample.query or "") > MAX_CHARACTERS:
        return Rejection(RejectionReason.NOTHING_TO_CHANGE, f"texts above {MAX_CHARACTERS} characters are too long")
    if sample.question_in_picture:
        return Rejection(RejectionReason.QUESTION_IN_PICTURE, "the request stands in the picture, not in the text")
    if not sample.query or not has_words(sample.query):
        return Rejection(RejectionReason.NO_TEXT, "the sample has no query")
    if _CODE.search(sample.query) or any(_CODE.search(option) for option in sample.options):
        return Rejection(RejectionReason.NOTHING_TO_CHANGE, "the query or an option is program code")
    return None


def has_drawn_options(sample: Sample) -> bool:
    """The options are pictures or names of drawings in a picture: taking them out of the text does not take them
    away."""
    options = [option.strip() for option in sample.options]
    if any(TOKEN.search(option) for option in options):
        return True
    return bool(options) and bool(sample.pictures) and all(_LETTER.fullmatch(option) for option in options)


def before_goal(sample: Sample) -> str:
    """All text that stands before the request."""
    query = sample.query or ""
    return f"{sample.context or ''}\n{query[: goal_start(query, sample.language)]}"


def goal_words(sample: Sample) -> str:
    """The request on one line."""
    query = sample.query or ""
    return " ".join(query[goal_start(query, sample.language) :].split())


def replace_goal(sample: Sample, request: str) -> tuple[Change, ...]:
    """Everything from the request to the end of the query becomes `request`. Picture tokens stay where they are."""
    query = sample.query or ""
    start = goal_start(query, sample.language)
    pieces = _between(start, len(query), _kept(query, start))
    written = next((piece for piece in pieces if piece.of(query).strip()), None)
    changes: list[Change] = []
    for piece in pieces:
        old = piece.of(query)
        if not old.strip():
            continue
        body = Span(piece.start + len(old) - len(old.lstrip()), piece.start + len(old.rstrip()))
        if piece == written:
            changes.append(Change(TextPart.QUERY, *body, request))
        else:
            changes.append(Change(TextPart.QUERY, piece.start, body.end, ""))
    return tuple(changes)


def is_inside_sentence(sample: Sample) -> bool:
    """The request is the end of a longer sentence: a new one begins with a small letter there."""
    query = sample.query or ""
    return query[: goal_start(query, sample.language)].rstrip().endswith((",", ",$", ";", "，"))


def _kept(query: str, start: int) -> list[Span]:
    tokens = [Span(*match.span()) for match in TOKEN.finditer(query) if match.start() >= start]
    closing = [
        Span(match.end() - 1, match.end()) for match in _DOLLARS.finditer(query) if match.start() < start < match.end()
    ]
    return sorted(tokens + closing)


def _between(start: int, end: int, kept: list[Span]) -> list[Span]:
    edges = [start, *(edge for span in kept for edge in span), end]
    return [Span(*pair) for pair in zip(edges[::2], edges[1::2], strict=True) if pair[0] < pair[1]]
