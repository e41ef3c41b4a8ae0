"""What is answered to a question: the text of the scripted writer, or what a fault makes of it."""

import json

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
    text = write(question.system, "\n\n".join(question.texts), question.schema, question.turns)
    if question.wants_json and question.schema is None and not text.startswith("{"):
        text = json.dumps({"answer": text}, ensure_ascii=False)
    if fault is Fault.TRUNCATED:
        return Said(text[: len(text) // 2], truncated=True, reasoning_tokens=reasoning)
    return Said(_spoil(text, fault), reasoning_tokens=reasoning)


def _spoil(text: str, fault: Fault | None) -> str:
    if fault is Fault.MALFORMED_JSON:
        return f"Sure, here it is:\n{text.rstrip('}')}, ,"
    if fault is Fault.WRONG_SCHEMA:
        return json.dumps({"result": {"unexpected": [1, 2]}, "note": "another schema than asked for"})
    if fault is Fault.DUPLICATED_KEYS and text.startswith("{") and len(text) > 2:
        first = next(iter(json.loads(text)))
        return f'{{{json.dumps(first)}: "said twice", {text[1:]}'
    return text
