"""A question as a tested model would see it, shown to a model that judges it: the texts between marks that they cannot
close, every picture where the text names it, and a line outside the marks that says what is there and what is not."""

from collections.abc import Mapping

from core.calls import Proposal, Role
from core.image_tokens import TOKEN
from core.prompts import Prompt, fence
from core.records import FlawedSample, Picture, Sample
from filters.verdicts import disarm

Parts = tuple[str | Picture, ...]

_SYSTEM_END = "\n---\n"
_MARK = "\x00"
_LETTERS = 26


def show_item(label: str, item: Sample | FlawedSample) -> Parts:
    """Pictures that no text names come first. No part is white space alone."""
    fenced = fence(label, disarm(_text_of(item)))
    named = {int(number) for number in TOKEN.findall(fenced)}
    unnamed = [picture for number, picture in enumerate(item.pictures, 1) if number not in named]
    opening, _, rest = fenced.partition("\n")
    parts: list[str | Picture] = [opening + "\n", *unnamed]
    shown: set[int] = set()
    start = 0
    for match in TOKEN.finditer(rest):
        number = int(match[1])
        if number in shown or not 1 <= number <= len(item.pictures):
            continue
        shown.add(number)
        parts += [rest[start : match.end()], item.pictures[number - 1]]
        start = match.end()
    return (*parts, rest[start:])


def list_contents(item: Sample | FlawedSample) -> str:
    """What the item has and has not: without it a missing part looks like one that was left out of the prompt."""
    has_context = bool((item.context or "").strip())
    missing = "no question or instruction apart from it" if has_context else "no question or instruction"
    texts = (
        "a context" if has_context else "no context",
        "a question" if (item.query or "").strip() else missing,
        f"{len(item.options)} answer options" if item.options else "no answer options",
    )
    return f"Its text: {', '.join(texts)}.\nIts pictures: {len(item.pictures) or 'none'}."


def make_proposal(
    role: Role, prompt: Prompt, prompt_hash: str, texts: Mapping[str, str], shown: Mapping[str, Parts]
) -> Proposal:
    """The prompt holds the system text, which takes no variable, a line of three dashes, and the question."""
    system, question = prompt.split(_SYSTEM_END)
    parts = fill(prompt._replace(text=question.strip()), texts, shown)
    return Proposal(role, prompt.reference, prompt_hash, prompt._replace(text=system.strip()).render(), parts)


def fill(prompt: Prompt, texts: Mapping[str, str], shown: Mapping[str, Parts]) -> Parts:
    """`texts` and `shown` fill the slots of the prompt; what is shown is never rendered again.

    Raises ConfigurationError when they are not exactly the slots."""
    slots = {name: f"{_MARK}{name}{_MARK}" for name in shown}
    parts: list[str | Picture] = []
    for index, piece in enumerate(prompt.render(**texts, **slots).split(_MARK)):
        parts += shown[piece] if index % 2 else (piece,)
    return _join_texts(parts)


def _join_texts(parts: list[str | Picture]) -> Parts:
    joined: list[str | Picture] = []
    for part in parts:
        last = joined[-1] if joined else None
        if isinstance(part, str) and isinstance(last, str):
            joined[-1] = last + part
        elif part:
            joined.append(part)
    return tuple(joined)


def _text_of(item: Sample | FlawedSample) -> str:
    options = "\n".join(f"{_letter(index)}. {option}" for index, option in enumerate(item.options))
    return "\n\n".join(text for text in (item.context, item.query, options) if text and text.strip())


def _letter(index: int) -> str:
    return chr(ord("A") + index) if index < _LETTERS else str(index + 1)
