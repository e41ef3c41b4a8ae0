"""`flawbench up`: everything that `prefect deployment run build-benchmark` needs, on this machine, in one command."""

import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path

import typer


def up() -> None:
    """Start Prefect's server and worker with the deployments; one Ctrl-C stops them."""
    from core.settings import load_settings
    from tasks.turns import service_turn

    data = load_settings().data
    with suppress(KeyboardInterrupt), service_turn(data), ExitStack() as stack:
        stack.callback(typer.echo, "stopped")
        _serve(data, stack)


def _serve(data: Path, stack: ExitStack) -> None:
    from tasks.deploying import POOL, prepare_server
    from tasks.guard import start_guarded, stop_guarded
    from tasks.health import answers
    from tasks.server import configured_api, port_of, server_environment, started_server

    home = (data / "prefect").resolve()
    children: dict[str, subprocess.Popen[bytes]] = {}
    api = configured_api()
    port = port_of(api)
    if not answers(api) and port is not None:
        typer.echo(f"server    starting on {api.removesuffix('/api')} (log: {home / 'server.log'})")
        children["server"] = stack.enter_context(started_server(data, port)).process
    environment = server_environment(home, api)
    prepare_server(environment)
    command = [sys.executable, "-m", "prefect", "worker", "start", "--pool", POOL, "--type", "process"]
    children["worker"] = start_guarded(command, home / "worker.log", environment)
    stack.callback(stop_guarded, children["worker"])
    typer.echo(f"worker    polls the pool {POOL} (log: {home / 'worker.log'})")
    typer.echo(f"ready     {api.removesuffix('/api')} shows the runs; Ctrl-C stops everything")
    typer.echo("run       uv run prefect deployment run build-benchmark")
    _wait_until_one_ends(children)


def _wait_until_one_ends(children: "Mapping[str, subprocess.Popen[bytes]]") -> None:
    """Raises OrchestrationError then; otherwise Ctrl-C ends it."""
    from core.errors import OrchestrationError

    while True:
        for name, process in children.items():
            if process.poll() is not None:
                raise OrchestrationError(f"The {name} ended by itself.", "See the end of its log, named above.")
        time.sleep(0.5)
