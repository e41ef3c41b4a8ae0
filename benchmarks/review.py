"""Does a review of the paper's size go through Label Studio fast enough? 3,000 candidates with two verdicts each, so
6,000 tasks in the projects of three annotators: push below 30 s, first pull of everything below 30 s, pull of two
changes below 2 s, our process below 400 MB. Each is a command as a user runs it; its start is in the figure and stands
beside it as well. The baseline is the same tasks by bare HTTP requests to the same server in the same run: import in
batches of 500 and export of whole projects.

    uv run python -m benchmarks.review     # 10 minutes, 1 GB of disk; results in build/benchmarks/review.json
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import numpy as np

from annotation.label_studio.server import Server, copy_desk, serve_desk
from benchmarks.memory import peak_watched
from core.pictures import encode_png
from core.records import Flaw, FlawedSample, Language, Picture, Sample, Subject, TextEdit, TextPart
from core.taxonomy import Subtype
from storage.lineage import Lineage
from storage.membership import ItemKind, Member
from storage.objects import ObjectStore
from storage.parts import PartInfo, make_part
from storage.rows import candidate_rows, sample_rows

ROOT = Path(__file__).resolve().parent.parent
BUILD = "large"
ANNOTATORS = ("ann1", "ann2", "ann3")
BATCH = 500
PICTURES = 100
TEXT = "A ball of mass m is held at a height h above the ground and is then released from rest without any push. "
OVERLAP_SECONDS = 125.0  # a pull reads the last two minutes before the mark once more
PASSED = [
    {"from_name": name, "to_name": "modified", "type": "choices", "value": {"choices": ["pass"]}}
    for name in ("type_compliance", "unanswerability")
]
FAILED = [
    PASSED[0],
    PASSED[1] | {"value": {"choices": ["fail"]}},
    {"from_name": "unanswerability_reason", "to_name": "modified", "type": "textarea", "value": {"text": ["It is."]}},
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--candidates", type=int, default=3_000)
    parser.add_argument("--desk", type=Path, help="folder of a stopped desk to copy, which saves a minute")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "benchmarks" / "review.json")
    arguments = parser.parse_args()
    folder = arguments.out.parent / "review-data"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    make_build(folder, arguments.candidates)
    if arguments.desk:
        copy_desk(arguments.desk, folder / "desk")
    with serve_desk(folder / "desk", folder / "objects") as server:
        results = {
            "machine": f"{platform.machine()}, {os.cpu_count()} CPUs",
            "candidates": arguments.candidates,
            "tasks": 2 * arguments.candidates,
            **measure_all(folder, server),
        }
    arguments.out.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    shutil.rmtree(folder)
    print(json.dumps(results, indent=2))


def measure_all(folder: Path, server: Server) -> dict[str, object]:
    commands = Commands(folder, server)
    results: dict[str, object] = {}
    results["plan"] = commands.measure("plan", "--annotators", ",".join(ANNOTATORS), "--controls", "0")
    results["push"] = commands.measure("push")
    results["push_again"] = commands.measure("push")
    with bare(server) as http:
        projects = find_projects(http)
        tasks = {project: export(http, project) for project in projects}
        results["baseline_import"] = measure(lambda: import_all(http, make_projects(http, projects), tasks, None))
        users = {user["email"]: user["id"] for user in http.get("/api/users/").json()}
        for project, name in projects.items():
            everything = {"selectedItems": {"all": True, "excluded": []}}
            action = {"id": "delete_tasks", "project": project}
            http.post("/api/dm/actions", params=action, json=everything).raise_for_status()
            import_all(http, {project: project}, {project: tasks[project]}, users[f"{name}@annotators.example"])
        imported = time.monotonic()
        results["push_that_adopts"] = commands.measure("push")
        time.sleep(max(0.0, OVERLAP_SECONDS - (time.monotonic() - imported)))
        results["pull_of_everything"] = commands.measure("pull")
        results["baseline_export"] = measure(lambda: [export(http, project) for project in projects])
        results["pull_of_nothing"] = commands.measure("pull")
        change_two(http, projects)
        results["pull_of_two_changes"] = commands.measure("pull")
    results["status"] = commands.measure("status")
    results["agreement"] = commands.measure("agreement")
    results["start_of_a_command"] = commands.measure("status", "--help")
    return results


class Commands:
    def __init__(self, folder: Path, server: Server) -> None:
        self._environment = {
            **os.environ,
            "FLAWBENCH_DATA": str(folder),
            "FLAWBENCH_LABEL_STUDIO_URL": server.url,
            "FLAWBENCH_LABEL_STUDIO_TOKEN": server.token,
            "PREFECT_API_URL": "http://127.0.0.1:9/api",
        }

    def measure(self, verb: str, *options: str) -> dict[str, float]:
        """Wall and processor seconds and the peak of memory of one command."""
        program = [str(Path(sys.executable).parent / "flawbench"), "review", verb, BUILD, *options]
        load, before, started = os.getloadavg()[0], os.times(), time.perf_counter()
        process = subprocess.Popen(program, env=self._environment, cwd=ROOT, stdout=subprocess.DEVNULL)
        with peak_watched(process.pid) as peak:
            code = process.wait()
        wall, after = time.perf_counter() - started, os.times()
        if code:
            raise SystemExit(f"{' '.join(program)} ended with {code}")
        ours = after.children_user - before.children_user + after.children_system - before.children_system
        return {
            "wall_seconds": round(wall, 2),
            "processor_seconds": round(ours, 2),
            "peak_mb": round(peak.mb),
            "load": round(load, 1),
        }


def measure(work: Callable[[], object]) -> dict[str, float]:
    started = time.perf_counter()
    work()
    return {"wall_seconds": round(time.perf_counter() - started, 2)}


@contextmanager
def bare(server: Server) -> Iterator[httpx.Client]:
    headers = {"Authorization": f"Token {server.token}"}
    with httpx.Client(base_url=server.url, headers=headers, timeout=300) as http:
        yield http


def find_projects(http: httpx.Client) -> dict[int, str]:
    listed = http.get("/api/projects/", params={"page_size": 100}).json()["results"]
    return {one["id"]: next(name for name in ANNOTATORS if f" {name} " in one["title"]) for one in listed}


def make_projects(http: httpx.Client, like: Mapping[int, str]) -> dict[int, int]:
    """Others with the same screen."""
    screens = {project: http.get(f"/api/projects/{project}").json()["label_config"] for project in like}
    return {
        project: http.post("/api/projects", json={"title": f"bare {project}", "label_config": screen}).json()["id"]
        for project, screen in screens.items()
    }


def export(http: httpx.Client, project: int) -> list[dict[str, Any]]:
    path = f"/api/projects/{project}/export"
    answer = http.get(path, params={"exportType": "JSON", "download_all_tasks": "true"})
    return sorted(answer.raise_for_status().json(), key=lambda task: task["id"])


def import_all(
    http: httpx.Client, into: Mapping[int, int], tasks: Mapping[int, Sequence[Mapping[str, Any]]], author: int | None
) -> None:
    """With a verdict of that account in each task, where one is named."""
    verdict = {"result": PASSED, "completed_by": author, "lead_time": 30}
    for project, found in tasks.items():
        sent = [{"data": task["data"]} | ({"annotations": [verdict]} if author else {}) for task in found]
        for start in range(0, len(sent), BATCH):
            http.post(f"/api/projects/{into[project]}/import", json=sent[start : start + BATCH]).raise_for_status()


def change_two(http: httpx.Client, projects: Mapping[int, str]) -> None:
    for project in list(projects)[:2]:
        task = export(http, project)[7]
        http.patch(f"/api/annotations/{task['annotations'][0]['id']}/", json={"result": FAILED}).raise_for_status()


def make_build(folder: Path, count: int) -> None:
    """As long and with as many pictures as items of a benchmark are."""
    pictures = list(make_pictures(ObjectStore(str(folder / "objects"))))
    samples = [make_sample(number, pictures) for number in range(count)]
    candidates = [make_candidate(sample, number) for number, sample in enumerate(samples)]
    info = {"key": f"{count:064x}", "stage": "inject", "run_id": "run_1", "code_commit": "c", "seconds": 0}
    rows = [row for sample in samples for row in sample_rows(sample, [])]
    rows += [row for candidate in candidates for row in candidate_rows(candidate)]
    lineage = Lineage(folder / "lineage.duckdb", 60.0)
    lineage.ingest([make_part(PartInfo.model_validate(info | {"started": "2026-01-02T00:00:00Z"}), rows)])
    members = [Member(candidate.id, candidate.subtype, rank) for rank, candidate in enumerate(candidates)]
    lineage.set_members(BUILD, ItemKind.CANDIDATE, members, replace=True)


def make_pictures(objects: ObjectStore) -> Iterator[Picture]:
    random = np.random.default_rng(1)
    for _ in range(PICTURES):
        blob = encode_png(random.integers(0, 255, (48, 64, 3), dtype=np.uint8))
        objects.put(blob)
        yield blob.picture


def make_sample(number: int, pictures: Sequence[Picture]) -> Sample:
    return Sample(
        source="bench",
        source_id=str(number),
        context=TEXT * 6,
        query=f"How long does ball {number} fall?",
        options=("1 s", "2 s", "3 s", "4 s"),
        pictures=tuple(pictures[(number + step) % PICTURES] for step in range(number % 3)),
        subject=Subject.PHYSICS,
        language=Language.ENGLISH,
        licence="CC0-1.0",
        attribution="bench",
    )


def make_candidate(sample: Sample, number: int) -> FlawedSample:
    edit = TextEdit(part=TextPart.QUERY, start=9, before="does", after="does not")
    flaw = Flaw(
        subtype=list(Subtype)[number % len(Subtype)],
        generator="rules",
        injector_version=1,
        edits=(edit,),
        explanation="Nothing falls.",
    )
    return FlawedSample(
        parent=sample.id,
        context=sample.context,
        query=f"How long does not ball {number} fall?",
        options=sample.options,
        pictures=sample.pictures,
        flaws=(flaw,),
    )


if __name__ == "__main__":
    main()
