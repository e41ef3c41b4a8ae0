"""Texts of the configuration that go into requests, files and terminals: addresses, names, names of variables. No error
here repeats one, since people put keys and passwords into the wrong field."""

import re
from typing import Annotated
from urllib.parse import SplitResult, urlsplit

from pydantic import AfterValidator, Field

_VARIABLE_NAME = re.compile(r"[A-Z_][A-Z0-9_]{0,99}")
_DEFAULT_PORTS = {"http": 80, "https": 443}


def require_address(value: str) -> str:
    """Of a server, as it is. It is stored with every reply, so nothing secret may stand in it; and the SDKs, which
    append a path, each make something else of a malformed one. Raises ValueError."""
    if not value.isascii() or not value.isprintable() or " " in value or "\\" in value:
        raise ValueError("holds blanks, line breaks or other characters that no address has")
    parts = _split(value)
    if "@" in parts.netloc:
        raise ValueError("holds a user or a password: a key has a variable of its own (`key_variable` of a model)")
    if parts.scheme not in _DEFAULT_PORTS:
        raise ValueError("begins with neither http:// nor https://")
    if not parts.hostname:
        raise ValueError("names no server")
    if "?" in value or "#" in value:
        raise ValueError("holds a `?` or `#`: a key has a variable of its own, and nothing else is sent")
    return value


def server_of(address: str) -> str:
    """The same for every spelling of an address."""
    parts = _split(address)
    port = parts.port or _DEFAULT_PORTS.get(parts.scheme)
    return f"{parts.scheme}://{parts.hostname}:{port}{parts.path.rstrip('/')}"


def require_label(value: str) -> str:
    """Raises ValueError for what cannot be told apart in a table or goes wrong in a terminal."""
    if not value.isprintable() or value != value.strip():
        raise ValueError("holds a blank at an end, a line break or a character that cannot be seen")
    return value


def require_variable_name(text: str) -> str:
    """Raises ValueError."""
    if not _VARIABLE_NAME.fullmatch(text):
        raise ValueError("is no name of a variable of the environment, such as OPENAI_API_KEY, which holds the key")
    return text


def _split(address: str) -> SplitResult:
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:  # the error of the library repeats the address
        raise ValueError("is no address, or its port is no number from 1 to 65535") from None
    if port == 0 or parts.netloc.endswith(":"):
        raise ValueError("is no address, or its port is no number from 1 to 65535")
    return parts


Address = Annotated[str, AfterValidator(require_address)]
Label = Annotated[str, Field(min_length=1, max_length=255), AfterValidator(require_label)]
VariableName = Annotated[str, AfterValidator(require_variable_name)]
"""In capital letters, which no key consists of: a key that is written in its place is refused and not stored."""
