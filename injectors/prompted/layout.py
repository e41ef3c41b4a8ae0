"""How a question is shown to a model: the prompt file up to `--- user ---` is the system text; in the rest, examples,
question and pictures take the places of their slots. Texts stand between fences, each followed by the pictures that it
names, so that words can be quoted exactly."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from core.calls import Proposal, Role
from core.image_tokens import numbers_in, token
from core.prompts import fence, load_prompt
from core.records import Language, Picture, Record, Sample, TextPart
from injectors.prompted.examples import Example

PROMPTS_FOLDER = Path(__file__).resolve().parent.parent / "prompts"
LANGUAGE_NAMES = {Language.ENGLISH: "English", Language.CHINESE: "Chinese"}
_USER = "--- user ---\n"
_SLOT = re.compile(r"\x00(\w+)\x00")

Part = str | Picture


class Asking(NamedTuple):
    """Which prompt file of `folder` asks whom, and for what: `reply` is None where a picture is wanted."""

    prompt: str
    version: int
    role: Role
    reply: type[Record] | None
    folder: Path = PROMPTS_FOLDER


def make_proposal(asking: Asking, texts: Mapping[str, str], slots: Mapping[str, tuple[Part, ...]]) -> Proposal:
    """`texts` are words of our own; `slots` fill the user part and may hold anything, since they are put in last.

    Raises ConfigurationError that names the file, when its slots are others."""
    prompt = load_prompt(asking.folder, asking.prompt, asking.version)
    rendered = prompt.render(**texts, **{name: f"\x00{name}\x00" for name in slots})
    system, user = prompt._replace(text=rendered).split(_USER)
    pieces = _SLOT.split(user)
    parts = [slots[piece] if number % 2 else (piece,) for number, piece in enumerate(pieces)]
    return Proposal(
        role=asking.role,
        prompt=prompt.reference,
        prompt_hash=prompt.hash,
        system=system.strip(),
        parts=_joined(part for group in parts for part in group),
        reply=asking.reply,
        wants_picture=asking.reply is None,
    )


def show_question(sample: Sample, prefix: str = "") -> tuple[Part, ...]:
    """The three texts, each between fences labelled with its name, and behind each the pictures that it is the first
    to name. Pictures that no text names come first."""
    texts = {
        TextPart.CONTEXT: sample.context,
        TextPart.QUERY: sample.query,
        TextPart.OPTIONS: "\n".join(f"{number}. {text}" for number, text in enumerate(sample.options, start=1)) or None,
    }
    named = set(numbers_in(*texts.values()))
    shown: set[int] = set()
    parts: list[Part] = [*_pictures(sample, [n for n in range(1, len(sample.pictures) + 1) if n not in named])]
    for part, text in texts.items():
        if text is None:
            parts.append(f"The question has no {part}.\n")
            continue
        parts.append(fence(f"{prefix}{part}", text) + "\n")
        numbers = [number for number in dict.fromkeys(numbers_in(text)) if number not in shown]
        parts += _pictures(sample, numbers)
        shown.update(numbers)
    return tuple(parts)


def show_examples(examples: Iterable[Example]) -> tuple[Part, ...]:
    parts: list[Part] = []
    for number, example in enumerate(examples, start=1):
        parts += [f"## Example {number}\n\n", *show_question(example.sample, f"example {number} ")]
        parts.append(f"Reply to example {number}:\n{example.reply.model_dump_json()}\n\n")
    return tuple([*parts, "## The question\n\n"] if parts else parts)


def _pictures(sample: Sample, numbers: list[int]) -> list[Part]:
    parts: list[Part] = []
    for number in numbers:
        if 1 <= number <= len(sample.pictures):
            parts += [f"{token(number)}:\n", sample.pictures[number - 1], "\n"]
    return parts


def _joined(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Neighbouring texts are one part."""
    joined: list[Part] = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        else:
            joined.append(part)
    return tuple(part for part in joined if not isinstance(part, str) or part.strip())
