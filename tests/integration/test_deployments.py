"""What `flawbench up` puts on the server, as its user interface sees it: forms, runs from a form, artifacts and the
automation for crashed runs. `test_service.py` runs the main deployment from the command line."""

import json
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from core.taxonomy import Subtype
from tasks.deploying import AUTOMATION
from tasks.guard import PROJECT

pytestmark = pytest.mark.integration

INJECTOR = Subtype.MISSING_INSTRUCTION
ENDED = {"COMPLETED", "FAILED", "CRASHED", "CANCELLED"}


@pytest.fixture(scope="module")
def data(spawn: Callable[..., "subprocess.Popen[str]"], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """That of `flawbench up` on the session's server."""
    folder = tmp_path_factory.mktemp("up")
    with spawn("up", data=folder) as up:
        assert up.stdout
        try:
            assert any(line.startswith("ready") for line in up.stdout)
            yield folder
        finally:
            up.send_signal(signal.SIGINT)


@pytest.fixture(scope="module")
def api(data: Path, environment: Mapping[str, str]) -> Iterator[httpx.Client]:
    """Once the deployments are made."""
    with httpx.Client(base_url=environment["PREFECT_API_URL"], timeout=60) as client:
        yield client


def deployment(api: httpx.Client, name: str) -> dict[str, Any]:
    return api.get(f"/deployments/name/{name}/{name}").raise_for_status().json()


def submit(api: httpx.Client, name: str, **parameters: object) -> httpx.Response:
    """As the form does."""
    body = {"parameters": parameters, "state": {"type": "SCHEDULED"}}
    return api.post(f"/deployments/{deployment(api, name)['id']}/create_flow_run", json=body)


def test_every_deployment_has_a_form_that_says_what_each_field_is(api: httpx.Client) -> None:
    for entry in yaml.safe_load((PROJECT / "prefect.yaml").read_text(encoding="utf-8"))["deployments"]:
        made = deployment(api, entry["name"])
        fields = made["parameter_openapi_schema"]["properties"]
        assert fields, entry["name"]
        assert [name for name, field in fields.items() if not field.get("description")] == [], entry["name"]
        assert made["enforce_parameter_schema"], entry["name"]


def test_the_form_of_an_injector_offers_the_subtypes_and_refuses_what_is_none_of_them(api: httpx.Client) -> None:
    schema = deployment(api, "run-injector")["parameter_openapi_schema"]
    assert schema["required"] == ["injector"]
    assert schema["definitions"]["Subtype"]["enum"] == [subtype.value for subtype in Subtype]
    main = set(deployment(api, "build-benchmark")["parameter_openapi_schema"]["properties"])
    assert main == {"recipe", "sources", "subtypes", "limit", "seed", "models"}
    for wrong in ({"injector": "nonsense"}, {}, {"injector": INJECTOR, "limit": 0}):
        assert submit(api, "run-injector", **wrong).status_code == 409, wrong


def test_an_injector_and_an_export_run_as_deployments_and_show_what_they_made(
    api: httpx.Client, data: Path, wait_for: Callable[[Callable[[], bool], float], None]
) -> None:
    def run(name: str, **parameters: object) -> str:
        started = submit(api, name, **parameters).raise_for_status().json()["id"]
        wait_for(lambda: api.get(f"/flow_runs/{started}").json()["state"]["type"] in ENDED, 240)
        state = api.get(f"/flow_runs/{started}").json()["state"]
        assert state["type"] == "COMPLETED", state
        return started

    injected = run("run-injector", injector=INJECTOR, into="fresh", limit=8)
    assert not (data / "releases").exists()
    exported = run("export-benchmark", build="fresh")
    (manifest,) = data.glob("releases/fresh-*/manifest.json")
    rows = json.loads(manifest.read_text(encoding="utf-8"))["subtypes"]
    assert set(rows) == {INJECTOR}
    for made in (injected, exported):
        filters = {"artifacts": {"flow_run_id": {"any_": [made]}, "key": {"any_": ["composition"]}}}
        (page,) = api.post("/artifacts/filter", json=filters).json()
        assert f"- {INJECTOR}: {rows[INJECTOR]}\n" in page["data"]
        assert (manifest.parent.name in page["data"]) == (made == exported)


def test_the_server_has_one_automation_that_crashes_runs_whose_heartbeats_stop(api: httpx.Client) -> None:
    listed = api.post("/automations/filter", json={}).json()
    (automation,) = [one for one in listed if one["name"] == AUTOMATION]
    trigger, (action,) = automation["trigger"], automation["actions"]
    assert automation["enabled"]
    assert (trigger["posture"], trigger["threshold"], trigger["within"]) == ("Proactive", 1, 540.0)
    assert trigger["after"] == ["prefect.flow-run.heartbeat"]
    assert {"prefect.flow-run.heartbeat", "prefect.flow-run.Completed", "prefect.flow-run.Failed"} <= set(
        trigger["expect"]
    )
    assert trigger["for_each"] == ["prefect.resource.id"]
    assert (action["type"], action["state"]) == ("change-flow-run-state", "CRASHED")
