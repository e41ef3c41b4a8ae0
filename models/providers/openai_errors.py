"""What the errors of OpenAI's SDK mean: single requests and batches share it."""

from openai import APIStatusError
from pydantic import ValidationError

from models.base import CallError
from models.providers.bodies import Wire
from models.providers.faults import status_error


def translate_openai(error: BaseException, key: str | None) -> CallError | None:
    """As models.providers.sdk_calls.Translate."""
    if not isinstance(error, APIStatusError):
        return None
    codes = {str(name) for name in (error.code, error.type) if name}  # as received: lists and objects too
    try:
        said = _Told.model_validate(error.body).message
    except ValidationError:
        said = error.response.text
    return status_error(error.status_code, said, codes, error.response.headers, key)


class _Told(Wire):
    message: str
