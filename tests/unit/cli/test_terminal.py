"""Nothing that a model, a server or a data set wrote is obeyed by a terminal."""

import json
import logging

import pytest
from rich.console import Group
from rich.text import Text

from cli.tables import answer_table, chain_tree
from cli.terminal import HarmlessFormatter, print_out, tell
from storage.chains import Node

CLEARS = "\x1b[2J\x9b31m\rgone\x07\u202eback"
SPELLED = r"\u001b[2J\u009b31m\u000dgone\u0007\u202eback"


@pytest.mark.parametrize(
    "content",
    [
        CLEARS,
        answer_table([CLEARS], [["1"]]),
        Group(answer_table(["a"], [[CLEARS]])),
        Text(CLEARS),
        chain_tree(Node(kind="sample", id=CLEARS, relation="", facts={}, children=())),
    ],
    ids=["text", "title", "cell", "line", "tree"],
)
def test_sequences_of_others_are_spelled_out(content: object, capsys: pytest.CaptureFixture[str]) -> None:
    print_out(content)  # type: ignore[arg-type]
    shown = capsys.readouterr().out
    assert SPELLED.replace(r"\u000d", "").replace(r"\u0007", "") in shown.replace(r"\u000d", "").replace(r"\u0007", "")
    assert not [letter for letter in shown if letter != "\n" and not letter.isprintable()]


def test_our_own_colours_stay(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    print_out(Text(f"bold {CLEARS}", "bold"), soft_wrap=True)
    shown = capsys.readouterr().out
    assert shown.startswith("\x1b[1mbold \\u001b[2J")


def test_lines_and_json_stay_what_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    print_out("one\n\ttwo é 题")
    assert capsys.readouterr().out == "one\n\ttwo é 题\n"
    print_out(json.dumps({"said": CLEARS}, ensure_ascii=False))
    assert json.loads(capsys.readouterr().out) == {"said": CLEARS}


def test_errors_and_progress_are_harmless_too(capsys: pytest.CaptureFixture[str]) -> None:
    tell(f"flawbench: HTTP 500: {CLEARS}")
    assert capsys.readouterr().err == f"flawbench: HTTP 500: {SPELLED}\n"
    record = logging.LogRecord("flawbench", logging.INFO, "", 0, "asked %s", (CLEARS,), None)
    assert HarmlessFormatter().format(record) == f"asked {SPELLED}"
