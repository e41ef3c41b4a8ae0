"""`python -m models.fault_server`: the first line printed is the address, after which connections are taken."""

import argparse
import asyncio
import os
import sys
from pathlib import Path

from aiohttp import web

from models.fault_server.handler import Handler
from models.fault_server.journal import Journal
from models.fault_server.plan import FaultPlan
from models.fault_server.server import FaultServer

_BACKLOG = 4096
_KEEP_OPEN_SECONDS = 3600.0
_LOOK_SECONDS = 1.0


async def serve(host: str, port: int, plan: FaultPlan, log: Path | None, end_with_parent: bool) -> None:
    parent = os.getppid()  # before the address is told: whoever has that may be gone at once
    handler = Handler(FaultServer(plan, Journal(log)))
    runner = web.ServerRunner(web.Server(handler.handle, access_log=None, keepalive_timeout=_KEEP_OPEN_SECONDS))
    await runner.setup()
    await web.TCPSite(runner, host, port, backlog=_BACKLOG).start()
    sys.stdout.write(f"http://{host}:{runner.addresses[0][1]}\n")
    sys.stdout.flush()
    while not end_with_parent or os.getppid() == parent:
        await asyncio.sleep(_LOOK_SECONDS)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m models.fault_server", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8199, help="0 takes a free one")
    parser.add_argument("--plan", type=Path, help="JSON file of faults, as POST /control/faults takes it")
    parser.add_argument("--log", type=Path, help="file to which every change of a log entry is appended")
    parser.add_argument("--end-with-parent", action="store_true", help="end when the process that started it is gone")
    given = parser.parse_args()
    plan = FaultPlan.model_validate_json(given.plan.read_text(encoding="utf-8")) if given.plan else FaultPlan()
    try:
        asyncio.run(serve(given.host, given.port, plan, given.log, given.end_with_parent))
    except KeyboardInterrupt:
        sys.exit(0)


main()
