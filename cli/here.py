"""Runs flows in this process, quietly: what they log goes to the server, and the terminal shows progress and
results."""

import logging
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager

from cli.terminal import HarmlessFormatter


@contextmanager
def flows_here() -> Generator[None, None, None]:
    """A Prefect server is there inside. Import flows only inside, too: Prefect reads its settings when imported.

    Raises OrchestrationError when no server can be started."""
    os.environ.setdefault("PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL", "CRITICAL")
    os.environ.setdefault("PREFECT_LOGGING_EXTRA_LOGGERS", "flawbench")
    os.environ.setdefault("DO_NOT_TRACK", "1")
    from core.settings import load_settings

    data = load_settings().data
    os.environ.setdefault("PREFECT_RESULTS_LOCAL_STORAGE_PATH", os.fspath((data / "prefect" / "results").resolve()))
    from tasks.server import configured_api, some_server

    configured = configured_api()
    with some_server(data) as api:
        tell_progress()
        if api == configured:
            logging.getLogger("flawbench.progress").info("server=%s: the run is recorded there", api)
        yield


def prefect_answers() -> bool:
    """Where it does, short flows are recorded there. Elsewhere their commands do the same without Prefect: to load it
    and to start a server takes longer than the work, and nobody would look at the record."""
    from tasks.health import DEFAULT_API, answers

    return answers(os.environ.get("PREFECT_API_URL") or DEFAULT_API)


def tell_progress() -> None:
    """What flows say of their work goes to the terminal."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(HarmlessFormatter())
    logging.getLogger("flawbench.progress").addHandler(handler)
    logging.getLogger("flawbench").setLevel(logging.INFO)
