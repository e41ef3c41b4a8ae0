"""From what a model said to the record that was asked for, or to the reason why it cannot be used. Strict where a reply
could be read in two ways, lenient only with what models put around their JSON."""

import json
import re
from typing import NamedTuple

from pydantic import ValidationError

from core.calls import Answer, AnswerStatus
from core.json_objects import refuse_double_keys
from core.model_specs import ModelSpec
from core.records import Blob, Record
from models.base import Parsed

_FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*?)```", re.DOTALL | re.IGNORECASE)
_MAX_DETAIL = 300


class Reading(NamedTuple):
    """`value` is the record asked for, None unless the status is OK and one was asked for. `detail` says what is wrong,
    in words that a model can use to mend its reply."""

    status: AnswerStatus
    value: Record | None
    detail: str


def read_reply(parsed: Parsed, reply: type[Record] | None) -> Reading:
    if parsed.status is not AnswerStatus.OK or reply is None:
        return Reading(parsed.status, None, parsed.detail)
    try:
        return Reading(AnswerStatus.OK, read_record(parsed.text, reply), "")
    except ValidationError as error:
        return Reading(AnswerStatus.UNPARSABLE, None, _describe(error))
    except (ValueError, RecursionError) as error:
        return Reading(AnswerStatus.UNPARSABLE, None, str(error)[:_MAX_DETAIL])


def make_answer(spec: ModelSpec, text: str, reading: Reading, pictures: tuple[Blob, ...]) -> Answer:
    """Of the model's last reply; its `call` is empty."""
    return Answer(
        status=reading.status,
        text=text,
        model=spec.id,
        family=spec.family,
        call="",
        value=reading.value,
        pictures=pictures,
        detail=reading.detail,
    )


def read_record(text: str, reply: type[Record]) -> Record:
    """The one JSON object in the text, which may stand in a fence or between other words.

    Raises ValueError (ValidationError is one): no object, not JSON, a key that stands twice, another shape."""
    found = _find_object(text)
    json.loads(found, object_pairs_hook=refuse_double_keys)
    return reply.model_validate_json(found, strict=True)


def _find_object(text: str) -> str:
    stripped = text.strip()
    if stripped.startswith("{"):
        return stripped
    fenced = _FENCED.findall(text)
    if fenced:
        return fenced[-1].strip()
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        raise ValueError("the reply holds no JSON object")
    return text[start : end + 1]


def _describe(error: ValidationError) -> str:
    faults = error.errors(include_url=False, include_input=False, include_context=False)
    told = [f"{'.'.join(str(part) for part in fault['loc']) or 'the object'}: {fault['msg']}" for fault in faults[:3]]
    return "; ".join(told)[:_MAX_DETAIL]
