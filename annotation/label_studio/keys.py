"""The logins of a server in one file that only its owner may read: the passwords and the token exist nowhere else."""

import fcntl
import json
import os
import secrets
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from pydantic import SecretStr, ValidationError

from core.errors import AnnotationError
from core.records import Record

_PASSWORD_BYTES = 12
_TOKEN_BYTES = 20


class Login(Record):
    """`token` is the administrator's; annotators need none."""

    login: str
    password: SecretStr
    token: SecretStr | None = None


class Keys(Record):
    """`url` is that of the last start of a server of our own. Annotators are found by their login."""

    url: str | None = None
    administrator: Login | None = None
    annotators: tuple[Login, ...] = ()


def make_login(login: str) -> Login:
    return Login(login=login, password=SecretStr(secrets.token_urlsafe(_PASSWORD_BYTES)))


def make_administrator(login: str) -> Login:
    """The column of the token holds 40 characters."""
    return make_login(login).model_copy(update={"token": SecretStr(secrets.token_hex(_TOKEN_BYTES))})


def read_keys(file: Path) -> Keys:
    """No keys where there is no file. Raises AnnotationError when it cannot be read, never with its content."""
    try:
        return Keys.model_validate_json(file.read_bytes())
    except FileNotFoundError:
        return Keys()
    except (OSError, ValidationError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is damaged"
        raise AnnotationError(
            f"The logins of Label Studio in {file} cannot be read: {reason}.",
            "Put back a copy of that file, or delete it and give the annotators new passwords by hand.",
        ) from None


@contextmanager
def changing_keys(file: Path) -> Generator[None, None, None]:
    """For whoever reads the keys to write them: of two commands at once, one would lose the logins of the other, so the
    second waits. The turn ends with its process, however that ends. Raises AnnotationError."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        folder = os.open(file.parent, os.O_RDONLY)
    except OSError as error:
        raise _unwritable(file, error) from error
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def write_keys(file: Path, keys: Keys) -> None:
    """The whole file or nothing, and nobody else may read it at any time. To be used in `changing_keys`. Raises
    AnnotationError."""
    text = json.dumps(keys.model_dump(), default=_reveal, indent=1)
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, stat.S_IRUSR | stat.S_IWUSR), "w") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        draft.replace(file)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise _unwritable(file, error) from error


def _unwritable(file: Path, error: OSError) -> AnnotationError:
    return AnnotationError(
        f"The logins of Label Studio cannot be written to {file}: {error.strerror}.",
        "Set FLAWBENCH_DATA to a folder that can be written to.",
    )


def _reveal(value: object) -> str:
    if isinstance(value, SecretStr):
        return value.get_secret_value()
    raise TypeError(f"{type(value).__name__} does not belong into the file of logins")
