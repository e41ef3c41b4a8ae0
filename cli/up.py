"""`flawbench up`: everything that `prefect deployment run build-benchmark` needs, on this machine, in one command."""

import subprocess
import sys
import time

import typer


def up() -> None:
    """Start Prefect's server and worker with the deployments; one Ctrl-C stops them."""
    from contextlib import ExitStack

    from core.settings import load_settings
    from tasks.deploying import POOL, prepare_server
    from tasks.guard import start_guarded, stop_guarded
    from tasks.server import answers, configured_api, port_of, server_environment, started_server

    data = load_settings().data
    home = (data / "prefect").resolve()
    with ExitStack() as stack:
        api = configured_api()
        port = port_of(api)
        if not answers(api) and port is not None:
            typer.echo(f"server    starting on {api.removesuffix('/api')} (log: {home / 'server.log'})")
            api = stack.enter_context(started_server(data, port))
        environment = server_environment(home, api)
        prepare_server(environment)
        command = [sys.executable, "-m", "prefect", "worker", "start", "--pool", POOL, "--type", "process"]
        worker = start_guarded(command, home / "worker.log", environment)
        stack.callback(stop_guarded, worker)
        typer.echo(f"worker    polls the pool {POOL} (log: {home / 'worker.log'})")
        typer.echo(f"ready     {api.removesuffix('/api')} shows the runs; Ctrl-C stops everything")
        typer.echo("run       prefect deployment run build-benchmark")
        _wait_for(worker)
    typer.echo("stopped")


def _wait_for(worker: "subprocess.Popen[bytes]") -> None:
    """Until Ctrl-C. Raises OrchestrationError when the worker ends by itself."""
    from core.errors import OrchestrationError

    try:
        while worker.poll() is None:
            time.sleep(0.5)
    except KeyboardInterrupt:
        return
    raise OrchestrationError("The worker ended by itself.", "See the end of its log, named above.")
