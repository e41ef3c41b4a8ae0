"""Replies of no model at all. For tests and demonstrations a text is made up from the prompt by fixed rules: it has the
shape that was asked for and knows nothing. Verdicts are drawn from the letters of an item, not from what it says.
Whatever a build makes of such replies is a fake, and its lineage says `scripted`."""

import json
import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

from pydantic import JsonValue

from models.schema_filling import fill_schema
from models.scripted_flaws import Shown, write_flaw, write_picture_edit
from models.scripted_premises import write_premise, write_premise_verdicts
from models.scripted_rewording import reword
from models.scripted_texts import read_fence

_MENU = re.compile(r"^([A-Z]+): PASS\|FAIL$", re.MULTILINE)
_BLIND = re.compile(r"^ANSWER: CANNOT$", re.MULTILINE)
_CHINESE_WANTED = re.compile(r"\bWrite (?:new words )?in Chinese\b")
_EDIT_FIELDS = {"instruction", "box"}
_REWRITING_FIELDS = {"possible", "context", "query"}
_IN_FOUR = 64  # of 256: a quarter of all items


def write(
    prompt_system: str,
    prompt_text: str,
    reply_schema: dict[str, Any] | None,
    turns: int,
    pictures: Sequence[str] = (),
) -> str:
    """A reply to a prompt: JSON that fits the schema, or text where there is none. Pure: the same arguments give the
    same text. `turns` counts the replies that the talk already holds: what was refused is tried another way.
    `pictures` are marks of those in the prompt, such as their bytes in base64."""
    if reply_schema is not None:
        fields = _write_fields(prompt_system, prompt_text, reply_schema, turns, pictures)
        return json.dumps(fields, ensure_ascii=False)
    premise = write_premise_verdicts(prompt_text)
    if premise is not None:
        return premise
    labels = _MENU.findall(prompt_text)
    if labels:
        return _write_verdicts(labels, read_fence(prompt_text, "item") or prompt_text)
    if _BLIND.search(prompt_text):
        drawn = _draw(read_fence(prompt_text, "item") or prompt_text)
        return f"A scripted guess.\nANSWER: {'A' if drawn < _IN_FOUR else 'CANNOT'}"
    mark = blake2b(f"{prompt_system}\0{prompt_text}\0{turns}".encode("utf-8", "surrogatepass"), digest_size=4)
    return f"This is a scripted reply without any knowledge, number {mark.hexdigest()}."


def _write_fields(system: str, text: str, schema: dict[str, Any], turns: int, pictures: Sequence[str]) -> JsonValue:
    filled = fill_schema(schema)
    if not isinstance(filled, dict):
        return filled
    shown = Shown(
        context=read_fence(text, "context"),
        query=read_fence(text, "query"),
        options=read_fence(text, "options"),
        chinese=bool(_CHINESE_WANTED.search(system)),
        attempt=turns,
    )
    written = write_premise(set(filled), system, text, pictures) or write_flaw(set(filled), shown) or {}
    if filled.keys() >= _EDIT_FIELDS:
        written = write_picture_edit(f"{shown.context}\0{shown.query}\0{turns}")
    if filled.keys() == _REWRITING_FIELDS:
        written = {"possible": True, "context": reword(shown.context), "query": reword(shown.query)}
    return {name: written.get(name, value) for name, value in filled.items()}


def _write_verdicts(labels: list[str], item: str) -> str:
    """PASS for three of four items; one of the other quarter fails one label or all."""
    drawn = _draw(item)
    failed = {labels[drawn % len(labels)], *(labels if drawn % 3 == 0 else ())} if drawn < _IN_FOUR else set[str]()
    lines = [f"{label}: {'FAIL' if label in failed else 'PASS'}" for label in labels]
    return "\n".join(["Drawn from the letters of the item, not from what it says.", *lines])


def _draw(text: str) -> int:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=1).digest()[0]
