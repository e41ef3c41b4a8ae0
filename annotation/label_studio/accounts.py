"""Accounts of the annotators, made through the invite link of the organization: an account made by the interface would
belong to no organization and could not log in."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import httpx
from pydantic import SecretStr

from annotation.label_studio.client import Client
from annotation.label_studio.keys import Login, changing_keys, make_login, read_keys, write_keys
from core.errors import AnnotationError
from core.records import Record

_DOMAIN = "annotators.example"


class Account(Record):
    """`user` is the number under which Label Studio notes who judged. `password` is None where another made the
    account."""

    annotator: str
    login: str
    user: int
    password: SecretStr | None


def login_of(annotator: str) -> str:
    """An e-mail stands for itself; a short name gets a domain in which nobody has mail."""
    login = annotator if "@" in annotator else f"{annotator}@{_DOMAIN}"
    return login.lower()  # as the server keeps them


def ensure_accounts(client: Client, keys_file: Path, annotators: Sequence[str]) -> list[Account]:
    """In the order of `annotators`; accounts that are there stay as they are. Passwords are kept in `keys_file` before
    an account is made, so none is lost when this is cut off. Commands with one such file take turns.

    Raises AnnotationError when the server refuses an account."""
    logins = [login_of(annotator) for annotator in annotators]
    if len(set(logins)) < len(logins):
        raise AnnotationError(
            f"Two of the annotators {', '.join(annotators)} would have the same account.",
            "Give them names that differ by more than capital letters.",
        )
    with changing_keys(keys_file):
        users = _find_users(client)
        for login in logins:
            if login not in users:
                _make_account(client, keys_file, login)
    users = _find_users(client)
    passwords = {known.login: known.password for known in read_keys(keys_file).annotators}
    return [
        Account(annotator=annotator, login=login, user=_user(users, login), password=passwords.get(login))
        for annotator, login in zip(annotators, logins, strict=True)
    ]


def _find_users(client: Client) -> Mapping[str, int]:
    """Those who belong to the organization: somebody removed from it is not listed."""
    with client.doing("listing the accounts"):
        listed = client.sdk.users.list()
    return {user.email.lower(): user.id for user in listed if user.email and user.id is not None}


def _user(users: Mapping[str, int], login: str) -> int:
    if login not in users:
        raise AnnotationError(
            f"Label Studio made no account for {login}, or it was removed at once.",
            "Look at Organization > People there, then run the command again.",
        )
    return users[login]


def _make_account(client: Client, keys_file: Path, login: str) -> None:
    """One that is there although it was refused was made from another desk at this moment, or by an earlier request
    whose answer was lost: the password is kept only where it opens the account."""
    kept = _keep_password(keys_file, login)
    invite = str(client.get("api/invite", "reading the invite link").json()["token"])
    answer = _send_form(client, "user/signup/", kept, f"making the account {login}", {"token": invite})
    if answer.is_redirect:
        return
    if login not in _find_users(client):
        raise _refusal(login, answer)
    if not _send_form(client, "user/login/", kept, f"logging in as {login}").is_redirect:
        _forget_password(keys_file, login)


def _keep_password(keys_file: Path, login: str) -> Login:
    keys = read_keys(keys_file)
    known = next((known for known in keys.annotators if known.login == login), None)
    if known is None:
        known = make_login(login)
        write_keys(keys_file, keys.model_copy(update={"annotators": (*keys.annotators, known)}))
    return known


def _forget_password(keys_file: Path, login: str) -> None:
    keys = read_keys(keys_file)
    others = tuple(known for known in keys.annotators if known.login != login)
    write_keys(keys_file, keys.model_copy(update={"annotators": others}))


def _send_form(
    client: Client, path: str, login: Login, what: str, parameters: Mapping[str, str] | None = None
) -> httpx.Response:
    """As a browser does; a redirect means that the server took it."""
    with (
        client.doing(what),
        httpx.Client(base_url=client.url, headers={"Referer": client.url}, timeout=60.0) as browser,
    ):
        browser.get(path, params=parameters)
        return browser.post(
            path,
            params=parameters,
            data={
                "csrfmiddlewaretoken": browser.cookies.get("csrftoken", ""),
                "email": login.login,
                "password": login.password.get_secret_value(),
            },
        )


def _refusal(login: str, answer: httpx.Response) -> AnnotationError:
    removed = "already exists" in answer.text
    return AnnotationError(
        f"Label Studio refuses the account {login} ({answer.status_code})"
        + (": it exists but was removed from the organization." if removed else "."),
        "Plan with another name for that person, or put the account back by hand."
        if removed
        else "Look at the log of the server, or make the account by its invite link (Organization > Add People).",
    )
