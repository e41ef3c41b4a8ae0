"""What is answered to a question: the text of the scripted writer, or what a fault makes of it."""

import json
from typing import Any

from models.fault_server.plan import Fault
from models.fault_server.question import REASONING_TOKENS, Question, Said
from models.scripted_writer import write

REFUSAL = "I cannot help with this request."


def answer(question: Question, fault: Fault | None) -> Said:
    reasoning = REASONING_TOKENS if question.reasons else 0
    if fault is Fault.REFUSAL:
        return Said(REFUSAL, refused=True)
    if fault is Fault.EMPTY:
        return Said("", reasoning_tokens=reasoning)
    text = write(question.system, "\n\n".join(question.texts), _schema_of(question), question.turns, question.pictures)
    if fault is Fault.TRUNCATED:
        return Said(text[: len(text) // 2], truncated=True, reasoning_tokens=reasoning)
    return Said(_spoil(text, fault), reasoning_tokens=reasoning)


def _schema_of(question: Question) -> dict[str, Any] | None:
    """The one that is sent, or else the last that is written out in the system text: that is how servers are asked
    that hold no reply to a schema."""
    if question.schema is not None:
        return question.schema
    _, found, rest = question.system.rpartition("JSON schema")
    start = rest.find("{")
    if found and start >= 0:
        try:
            return json.JSONDecoder().raw_decode(rest, start)[0]
        except json.JSONDecodeError:
            return None
    return {"type": "object", "properties": {"answer": {"type": "string"}}} if question.wants_json else None


def _spoil(text: str, fault: Fault | None) -> str:
    if fault is Fault.MALFORMED_JSON:
        return f"Sure, here it is:\n{text.removesuffix('}')}, ,"
    if fault is Fault.WRONG_SCHEMA:
        return json.dumps({"result": {"unexpected": [1, 2]}, "note": "another schema than the one asked for"})
    if fault is Fault.DUPLICATED_KEYS and text.startswith("{") and len(text) > 2:
        first, value = next(iter(json.loads(text).items()))
        return f"{text[:-1]}, {json.dumps(first)}: {json.dumps(_other(value))}}}"
    return text


def _other(value: object) -> object:
    """A value of the same type that is not the same, so that a reader who takes either cannot be right by chance."""
    if isinstance(value, bool):
        return not value
    return f"{value} again" if isinstance(value, str) else value
