"""A request as all three wire formats say it, and what is answered. The key names a row: model, system text and first
question, so that a request tried again or followed by further turns still belongs to the same row."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

PICTURE_TOKENS = 258
"""What one picture counts as, in the question."""
MADE_PICTURE_TOKENS = 1290
"""What a made picture counts as, in the reply."""
REASONING_TOKENS = 32
"""What thinking counts as, where the request asks for it."""

_HAN = re.compile("[\u3400-\u9fff]")


class BadRequestError(ValueError):
    """A body that the real server would answer with 400 as well."""


@dataclass(frozen=True, slots=True)
class Question:
    """`texts` and `pictures` (base64) are those of the first turn of the user; `later` the texts after it. `schema` of
    the reply, None for free text unless `wants_json`. `max_tokens` is None where the request names no limit."""

    model: str
    system: str
    texts: tuple[str, ...]
    pictures: tuple[str, ...]
    later: tuple[str, ...]
    turns: int
    schema: dict[str, Any] | None = None
    wants_json: bool = False
    wants_picture: bool = False
    reasons: bool = False
    max_tokens: int | None = None
    tool: str | None = None

    @property
    def key(self) -> str:
        digest = blake2b(digest_size=12)
        for text in (self.model, self.system, *self.texts, *self.pictures):
            digest.update(text.encode("utf-8", "surrogatepass"))
            digest.update(b"\0")
        return digest.hexdigest()

    @property
    def prompt_tokens(self) -> int:
        words = count_tokens((self.system, *self.texts, *self.later))
        return words + PICTURE_TOKENS * len(self.pictures)


@dataclass(frozen=True, slots=True)
class Said:
    """The reply before it is put into a wire format. `picture` is a PNG in base64."""

    text: str
    truncated: bool = False
    refused: bool = False
    picture: str | None = None
    reasoning_tokens: int = 0

    @property
    def completion_tokens(self) -> int:
        made = MADE_PICTURE_TOKENS if self.picture else 0
        return count_tokens((self.text,)) + self.reasoning_tokens + made


def count_tokens(texts: Iterable[str]) -> int:
    """Words, and every Chinese character as one: what these servers charge for, so that prices add up exactly."""
    return sum(len(text.split()) + (0 if text.isascii() else len(_HAN.findall(text))) for text in texts)
