"""Runs flows in this process, quietly: what they log goes to the server, and the terminal shows progress and
results."""

import logging
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from cli.terminal import HarmlessFormatter


@contextmanager
def flows_here() -> Generator[None, None, None]:
    """A Prefect server is there inside. Import flows only inside, too: Prefect reads its settings when imported.

    Raises OrchestrationError when no server can be started."""
    data = _prepare()
    from tasks.server import some_server

    with some_server(data):
        _tell_progress()
        yield


@contextmanager
def flows_where_served() -> Generator[bool, None, None]:
    """True where a Prefect server answers: flows are recorded there. Else the caller runs the function below the flow:
    to start a server takes longer than the work, and nobody would look at it."""
    os.environ.setdefault("PREFECT_LOGGING_TO_API_WHEN_MISSING_FLOW", "ignore")
    _prepare()
    from tasks.server import answering_server

    with answering_server() as api:
        _tell_progress()
        yield api is not None


def _prepare() -> Path:
    """Returns the data folder."""
    os.environ.setdefault("PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL", "CRITICAL")
    os.environ.setdefault("PREFECT_LOGGING_EXTRA_LOGGERS", "flawbench")
    os.environ.setdefault("DO_NOT_TRACK", "1")
    from core.settings import load_settings

    data = load_settings().data
    os.environ.setdefault("PREFECT_RESULTS_LOCAL_STORAGE_PATH", os.fspath((data / "prefect" / "results").resolve()))
    return data


def _tell_progress() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(HarmlessFormatter())
    logging.getLogger("flawbench.progress").addHandler(handler)
    logging.getLogger("flawbench").setLevel(logging.INFO)
