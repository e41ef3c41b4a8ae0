"""The wire formats by the end of the path that is posted to."""

from collections.abc import Callable
from typing import Any, NamedTuple

from models.fault_server.anthropic_format import read_messages, write_message, write_message_error
from models.fault_server.gemini_format import read_generate, write_generate, write_generate_error
from models.fault_server.openai_format import read_chat, write_chat, write_chat_error
from models.fault_server.question import Question, Said


class Format(NamedTuple):
    """`read` takes the path and the body and raises BadRequestError; `write` the question, the reply, the key and the
    model to report; `write_error` the HTTP status and the message. `wrong_key` is the status of a wrong key."""

    read: Callable[[str, dict[str, Any]], Question]
    write: Callable[[Question, Said, str, str], dict[str, Any]]
    write_error: Callable[[int, str], dict[str, Any]]
    wrong_key: int = 401


OPENAI = Format(read_chat, write_chat, write_chat_error)
GEMINI = Format(read_generate, write_generate, write_generate_error, wrong_key=400)
ANTHROPIC = Format(read_messages, write_message, write_message_error)

_ENDINGS = (("/chat/completions", OPENAI), (":generateContent", GEMINI), ("/messages", ANTHROPIC))


def format_of(path: str) -> Format | None:
    """None where no reply is asked for."""
    return next((form for ending, form in _ENDINGS if path.endswith(ending)), None)
