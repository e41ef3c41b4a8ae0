"""A desk: accounts, keys, the ways in which it does not start, and what a wrong address or token says."""

import socket
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from importlib.metadata import version
from pathlib import Path

import httpx
import pytest

from annotation.label_studio.accounts import ensure_accounts
from annotation.label_studio.client import Client
from annotation.label_studio.keys import read_keys
from annotation.label_studio.server import SERVER_VERSION, Server, copy_desk, serve_desk
from core.errors import AnnotationError

pytestmark = pytest.mark.services

StartDesk = Callable[[Path], AbstractContextManager[Server]]
LogIn = Callable[[str, str, str], AbstractContextManager[httpx.Client]]


def test_accounts_are_made_once_and_can_log_in_with_the_password_in_the_file(
    desk: Server, client: Client, log_in: LogIn
) -> None:
    first = ensure_accounts(client, desk.keys_file, ["one", "two@example.org"])
    again = ensure_accounts(client, desk.keys_file, ["two@example.org", "one"])

    assert list(reversed(again)) == first
    assert [account.login for account in first] == ["one@annotators.example", "two@example.org"]
    assert stat.S_IMODE(desk.keys_file.stat().st_mode) == 0o600
    for account in first:
        assert account.password is not None
        with log_in(desk.url, account.login, account.password.get_secret_value()) as browser:
            assert browser.get("/api/current-user/whoami").json()["id"] == account.user


MAKE = """
import sys
from pathlib import Path
from annotation.label_studio.accounts import ensure_accounts
from annotation.label_studio.client import Client
url, token, keys_file, *rounds = sys.argv[1:]
with Client(url, token) as client:
    client.sdk
    for letter in rounds:
        print("ready", flush=True)
        sys.stdin.readline()
        made = ensure_accounts(client, Path(keys_file), [f"{letter}{number}" for number in range(2)])
        print(*(account.user for account in made), flush=True)
"""


@pytest.mark.parametrize("desks", [1, 2])
def test_two_commands_at_once_make_each_account_once_and_keep_the_passwords_that_open_them(
    desk: Server, log_in: LogIn, tmp_path: Path, desks: int
) -> None:
    """`desks`: with one file of logins, or each with its own, as from two machines."""
    files = [tmp_path / str(number % desks) / "keys.json" for number in range(2)]
    rounds = [f"at-once-{desks}-{number}-" for number in range(2)]
    commands = [
        subprocess.Popen(
            [sys.executable, "-c", MAKE, desk.url, desk.token, file, *rounds],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for file in files
    ]
    users = [_make_at_once(commands) for _ in rounds]
    for command in commands:
        command.communicate()
    assert all(one == other and len(set(one)) == 2 for one, other in users)

    kept = [known for file in sorted(set(files)) for known in read_keys(file).annotators]
    assert sorted(known.login for known in kept) == sorted(
        f"{letter}{number}@annotators.example" for letter in rounds for number in range(2)
    )
    opened: set[int] = set()
    for known in kept:
        with log_in(desk.url, known.login, known.password.get_secret_value()) as browser:
            opened.add(browser.get("/api/current-user/whoami").json()["id"])
    assert opened == {user for one, _ in users for user in one}


def _make_at_once(commands: list["subprocess.Popen[str]"]) -> list[list[int]]:
    """The accounts of the next round, as each command found them."""
    for command in commands:
        assert command.stdout is not None
        assert command.stdout.readline() == "ready\n"
    for command in commands:
        assert command.stdin is not None
        command.stdin.write("\n")
        command.stdin.flush()
    return [[int(user) for user in command.stdout.readline().split()] for command in commands if command.stdout]


def test_an_annotator_removed_from_the_organization_is_said(desk: Server, client: Client) -> None:
    (account,) = ensure_accounts(client, desk.keys_file, ["leaver"])
    headers = {"Authorization": f"Token {desk.token}"}
    assert httpx.delete(f"{desk.url}/api/organizations/1/memberships/{account.user}/", headers=headers).is_success

    with pytest.raises(AnnotationError, match=r"leaver@annotators\.example.*removed from the organization"):
        ensure_accounts(client, desk.keys_file, ["leaver"])


def test_the_page_tells_browsers_to_run_no_foreign_script_and_nothing_is_sent_home(desk: Server) -> None:
    page = httpx.get(f"{desk.url}/user/login/")

    assert "content-security-policy" in page.headers
    assert "content-security-policy-report-only" not in page.headers
    assert "tele.labelstud.io" not in page.text
    assert desk.token not in desk.log.read_text(errors="replace")


def test_a_desk_listens_on_one_address_of_this_machine_alone(desk: Server) -> None:
    """A server on all addresses would answer at every one of 127.0.0.0/8."""
    with pytest.raises(httpx.ConnectError):
        httpx.get(desk.url.replace("127.0.0.1", "127.0.0.2"))


@pytest.mark.usefixtures("desk_template")
def test_the_sdk_is_the_one_of_the_server() -> None:
    code = "from importlib.metadata import version; print(version('label-studio-sdk'))"
    command = ["uvx", "--offline", "--from", f"label-studio=={SERVER_VERSION}", "python", "-c", code]
    asked = subprocess.run(command, capture_output=True, text=True, check=True)
    assert asked.stdout.strip() == version("label-studio-sdk")


def test_sign_up_without_the_invite_link_is_refused(desk: Server) -> None:
    with httpx.Client(base_url=desk.url, headers={"Referer": desk.url}) as browser:
        browser.get("/user/signup/")
        answer = browser.post(
            "/user/signup/",
            data={
                "csrfmiddlewaretoken": browser.cookies.get("csrftoken", ""),
                "email": "stranger@example.org",
                "password": "Stranger-12345",
            },
        )
    assert not answer.is_redirect or "login" in answer.headers["location"]


def test_a_wrong_token_names_the_variable_and_not_the_token(desk: Server) -> None:
    with (
        Client(desk.url, "0" * 40) as stranger,
        pytest.raises(AnnotationError, match=r"refuses the token.*FLAWBENCH_LABEL_STUDIO_TOKEN") as caught,
    ):
        ensure_accounts(stranger, desk.keys_file, ["one"])
    assert "0" * 40 not in str(caught.value)


def test_a_page_that_is_no_label_studio_and_a_port_without_a_server_are_told_apart(desk: Server) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    for url, said in (
        (f"{desk.url}/projects", "has nothing there"),
        (f"http://127.0.0.1:{port}", "does not answer"),
        ("no address", "does not answer"),
    ):
        with Client(url, desk.token) as lost, pytest.raises(AnnotationError, match=said) as caught:
            ensure_accounts(lost, desk.keys_file, ["one"])
        assert "FLAWBENCH_LABEL_STUDIO_URL" in caught.value.fix


def test_a_taken_port_is_said_before_anything_is_started(tmp_path: Path, desk: Server) -> None:
    port = int(desk.url.rpartition(":")[2])
    with (
        pytest.raises(AnnotationError, match=rf"Port {port} .*process \d+ .*label-studio.* has it.*--port"),
        serve_desk(tmp_path / "other", tmp_path, port),
    ):
        pass
    assert not (tmp_path / "other").exists()


UP = """
import sys, time
from pathlib import Path
from annotation.label_studio.server import serve_desk
with serve_desk(Path(sys.argv[1]), Path(sys.argv[2])) as server:
    print(server.url, flush=True)
    time.sleep(600)
"""


@pytest.mark.filterwarnings("ignore:The `parse_obj` method:DeprecationWarning")  # in the SDK
def test_a_desk_keeps_token_and_accounts_over_a_kill_and_a_restart_and_takes_a_personal_access_token(
    start_desk: StartDesk, desk_template: Path, picture_root: Path, tmp_path: Path
) -> None:
    """One desk started three times, each of which takes seconds: by a command that is killed, by the next one, which
    ends what that left and lets the desk work at the same address, and at another one."""
    folder = tmp_path / "desk"
    copy_desk(desk_template, folder)
    up = subprocess.Popen([sys.executable, "-c", UP, folder, picture_root], stdout=subprocess.PIPE, text=True)
    assert up.stdout is not None
    url = up.stdout.readline().strip()
    with pytest.raises(AnnotationError, match=r"runs already, as process \d+.*review up"), start_desk(folder):
        pass
    assert _answers(f"{url}/health")
    with Client(url, _token_in(folder)) as client:
        made = ensure_accounts(client, folder / "keys.json", ["one"])
    up.kill()
    up.communicate()
    assert _answers(f"{url}/health")

    with (
        serve_desk(folder, picture_root, int(url.rpartition(":")[2])) as server,
        Client(server.url, server.token) as legacy,
    ):
        assert server.url == url
        assert ensure_accounts(legacy, server.keys_file, ["one"]) == made
        personal = _require_personal_token(legacy, server)
    assert not _answers(f"{url}/health")

    with start_desk(folder) as again, Client(again.url, personal) as renewed:
        assert again.url != url
        assert read_keys(again.keys_file).url == again.url
        kept, new = ensure_accounts(renewed, again.keys_file, ["one", "two"])
        assert [kept] == made
        assert new.user > kept.user
        assert renewed.read_clock().tzinfo is not None


def _require_personal_token(legacy: Client, server: Server) -> str:
    """Switches legacy tokens off, which is said to whoever has one."""
    with legacy.doing("making a token"):
        personal = legacy.sdk.tokens.create().token
    settings = {"api_tokens_enabled": True, "legacy_api_tokens_enabled": False}
    headers = {"Authorization": f"Token {server.token}"}
    assert httpx.post(f"{server.url}/api/jwt/settings", json=settings, headers=headers).is_success
    assert personal is not None
    with pytest.raises(AnnotationError, match=r"legacy tokens switched off.*personal access token"):
        ensure_accounts(legacy, server.keys_file, ["one"])
    return personal


def _token_in(folder: Path) -> str:
    administrator = read_keys(folder / "keys.json").administrator
    assert administrator is not None
    assert administrator.token is not None
    return administrator.token.get_secret_value()


def test_a_machine_without_uvx_is_told_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(AnnotationError, match=r"uvx.*pip install uv"), serve_desk(tmp_path / "desk", tmp_path):
        pass


def test_a_server_that_does_not_start_shows_the_end_of_its_log(
    desk_template: Path, start_desk: StartDesk, tmp_path: Path
) -> None:
    folder = tmp_path / "desk"
    copy_desk(desk_template, folder)
    (folder / "data" / "label_studio.sqlite3").write_bytes(b"no database" * 1000)
    with pytest.raises(AnnotationError, match=r"(?s)ended with \d+.*not a database"), start_desk(folder):
        pass


def test_a_database_without_its_keys_is_not_taken_over(start_desk: StartDesk, tmp_path: Path) -> None:
    folder = tmp_path / "desk"
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "label_studio.sqlite3").touch()
    with pytest.raises(AnnotationError, match=r"not its keys\.json"), start_desk(folder):
        pass


def _answers(url: str) -> bool:
    try:
        return httpx.get(url).is_success
    except httpx.HTTPError:
        return False
