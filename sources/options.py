"""Answer options and the answer. Letters are derived from the parsed options and never from a config's name ("10
options" has 2 to 12), and an answer that points at no option makes the row unusable instead of wrong."""

import ast
import re
from collections.abc import Callable
from typing import NamedTuple, cast

from sources.base import QuarantineReason
from sources.rows import UnusableRowError
from sources.texts import tidy_option

_LETTER = re.compile(r"\(?([A-Za-z])\)?[.):]?")
_PARSE_ERRORS = (ValueError, SyntaxError, TypeError, MemoryError, RecursionError)


class Answer(NamedTuple):
    """As in Sample: the option's text or the free answer, and every right option (from 0)."""

    text: str | None
    correct_options: tuple[int, ...] = ()


def letter(index: int) -> str:
    return chr(ord("A") + index)


def parse_options(text: str) -> tuple[str, ...]:
    """The options of a Python list written as text (MMMU): `None` and numbers in it are texts too.

    A list in a list of one is unwrapped (validation_Accounting_29)."""
    try:
        parsed = ast.literal_eval(text.strip())
    except _PARSE_ERRORS as error:
        raise _unreadable(text) from error
    if not isinstance(parsed, list | tuple):
        raise _unreadable(text)
    items = cast(list[object], list(parsed))
    if len(items) == 1 and isinstance(items[0], list | tuple):
        items = cast(list[object], list(items[0]))
    if any(isinstance(item, list | tuple | dict | set) for item in items):
        raise _unreadable(text)
    return tuple(tidy_option(str(item)) for item in items)


def answer_by_letter(value: str, options: tuple[str, ...]) -> Answer:
    """The answer is a label in either case, or else the text of an option."""
    match = _LETTER.fullmatch(value.strip())
    if match is None:
        return answer_by_text(value, options)
    index = ord(match[1].upper()) - ord("A")
    if index >= len(options):
        raise UnusableRowError(
            QuarantineReason.ANSWER_NOT_AMONG_OPTIONS, f"the answer {value!r} points beyond {len(options)} options"
        )
    return _all_equal(options[index], options)


def answer_by_text(value: str, options: tuple[str, ...]) -> Answer:
    """The answer is the text of an option; all options of that text are right (MathVista 781)."""
    wanted = tidy_option(value)
    if wanted not in options:
        raise UnusableRowError(
            QuarantineReason.ANSWER_NOT_AMONG_OPTIONS, f"the answer {value!r} is none of {len(options)} options"
        )
    return _all_equal(wanted, options)


def free_answer(value: str | None) -> Answer:
    """Raises NO_ANSWER for an empty one."""
    text = tidy_option(value or "")
    if not text:
        raise UnusableRowError(QuarantineReason.NO_ANSWER, "the row has no answer")
    return Answer(text)


def resolve_answer(value: str | None, options: tuple[str, ...], by: Callable[[str, tuple[str, ...]], Answer]) -> Answer:
    """A free answer where there are no options. Raises NO_ANSWER, ANSWER_NOT_AMONG_OPTIONS."""
    text = free_answer(value).text or ""
    return by(text, options) if options else Answer(text)


def letters_where_drawn(options: tuple[str, ...], is_drawn: Callable[[str], bool]) -> tuple[str, ...]:
    """Letters instead of options that are drawn in the picture itself."""
    return tuple(letter(index) if is_drawn(option) else option for index, option in enumerate(options))


def _all_equal(text: str, options: tuple[str, ...]) -> Answer:
    return Answer(text, tuple(index for index, option in enumerate(options) if option == text))


def _unreadable(text: str) -> UnusableRowError:
    return UnusableRowError(QuarantineReason.OPTIONS_UNREADABLE, f"no list of texts: {text[:80]!r}")
