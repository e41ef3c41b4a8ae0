"""What a server needs before `prefect deployment run build-benchmark` works: the pool, the deployments of prefect.yaml,
and the automation that marks a run as crashed when its heartbeats stop (Prefect brings none)."""

import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta

from prefect.automations import AutomationCore
from prefect.client.orchestration import get_client
from prefect.client.schemas.actions import WorkPoolCreate
from prefect.client.schemas.objects import StateType
from prefect.events.actions import ChangeFlowRunState
from prefect.events.schemas.automations import EventTrigger, Posture
from prefect.exceptions import ObjectAlreadyExists
from prefect.settings import PREFECT_API_URL, get_current_settings, temporary_settings

from core.errors import OrchestrationError
from tasks.guard import PROJECT
from tasks.server import configured_api

POOL = "local"
AUTOMATION = "flawbench: runs without heartbeat are crashed"

_ENDED = ("Completed", "Failed", "Cancelled", "Crashed", "Paused", "Suspended", "Cancelling")


def prepare_server(environment: Mapping[str, str]) -> None:
    """On the server that `PREFECT_API_URL` of the environment given or the settings name. Safe to repeat.

    Raises OrchestrationError when the deployments cannot be made."""
    api = environment.get("PREFECT_API_URL", configured_api())
    with temporary_settings({PREFECT_API_URL: api}), get_client(sync_client=True) as client:
        with suppress(ObjectAlreadyExists):
            client.create_work_pool(WorkPoolCreate(name=POOL, type="process"))
        if not client.read_automations_by_name(AUTOMATION):
            client.create_automation(crash_automation())
    _deploy(environment)


def crash_automation() -> AutomationCore:
    """A run that has sent a heartbeat and then, for three times the interval, neither another one nor an end."""
    heartbeat = get_current_settings().flows.heartbeat_frequency or 180
    return AutomationCore(
        name=AUTOMATION,
        description="A killed worker leaves its run Running for ever; shards that it finished are kept.",
        trigger=EventTrigger(
            after={"prefect.flow-run.heartbeat"},
            expect={"prefect.flow-run.heartbeat", *(f"prefect.flow-run.{state}" for state in _ENDED)},
            match={"prefect.resource.id": "prefect.flow-run.*"},
            for_each={"prefect.resource.id"},
            posture=Posture.Proactive,
            threshold=1,
            within=timedelta(seconds=3 * heartbeat),
        ),
        actions=[
            ChangeFlowRunState(name=None, state=StateType.CRASHED, force=False, message="No heartbeat: process gone.")
        ],
    )


def _deploy(environment: Mapping[str, str]) -> None:
    command = [sys.executable, "-m", "prefect", "--no-prompt", "deploy", "--all"]
    result = subprocess.run(
        command, cwd=PROJECT, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    if result.returncode:
        raise OrchestrationError(
            f"The deployments of {PROJECT / 'prefect.yaml'} were refused: {_last_line(result.stdout + result.stderr)}",
            "Run `prefect deploy --all` there to see the whole answer.",
        )


def _last_line(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return lines[-1] if lines else "no output"
