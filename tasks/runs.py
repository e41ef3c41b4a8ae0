"""One run of a flow: its stores, its processes, its progress and its row in the lineage. The row is written before any
work and closed with the outcome, however the run ends short of being killed."""

import asyncio
import subprocess
from collections.abc import Coroutine, Generator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from typing import Any, TypeVar

from prefect.exceptions import TerminationSignal

from core.calls import UNANSWERED, Role
from core.errors import OrchestrationError
from core.identity import canonical_json
from core.model_specs import ModelsRecipe
from core.recipe import Recipe
from core.records import Record, Stage
from core.settings import Settings, load_settings
from core.taxonomy import AnySubtype
from storage.lineage import Lineage
from storage.objects import ObjectStore
from storage.parts import Part, PartStore
from storage.rows import calls_in
from storage.runs import Outcome, RunInfo
from tasks.desk import Asking, Desk, gather_all
from tasks.guard import PROJECT
from tasks.processes import CpuProcesses, cpu_processes
from tasks.progress import RunProgress, open_progress
from tasks.shards import WorkPlace
from tasks.specs import PartName
from tasks.stopping import StopsTold, ended_by_worker
from tasks.stores import open_lineage
from tasks.turns import build_turn

Result = TypeVar("Result")


class Run:
    """What the tasks of one run share. Not a record: it is never stored or sent anywhere."""

    def __init__(
        self,
        build: str,
        recipe: Recipe,
        settings: Settings,
        run_id: str,
        processes: CpuProcesses,
        progress: RunProgress,
        desk: Desk | None,
        *,
        retry_failed: bool,
    ) -> None:
        self.build = build
        self.recipe = recipe
        self.settings = settings
        self.processes = processes
        self.progress = progress
        self.objects = ObjectStore(settings.objects_url)
        self.parts = PartStore(settings.objects_url)
        self.lineage = open_lineage(settings)
        self.place = WorkPlace(settings.objects_url, run_id, code_commit())
        self._ledger = self.lineage.ledger_keys()
        self._desk = desk
        self._retry_failed = retry_failed

    @property
    def desk(self) -> Desk:
        """Raises OrchestrationError when this run has no models: a shard that needs them was planned by mistake."""
        if self._desk is None:
            raise OrchestrationError("A shard asks for models, and this run has none.", "Name them with --models.")
        return self._desk

    def asking(self, stage: Stage, item: str, subtype: AnySubtype | None, roles: Mapping[Role, str]) -> Asking | None:
        """None where this run has no models."""
        return self._desk.asking(stage, item, subtype, roles) if self._desk else None

    def await_all(self, work: Sequence[Coroutine[Any, Any, Result]]) -> list[Result]:
        """All at once, in order; where this run has models, in their event loop."""
        return self._desk.run(gather_all(work)) if self._desk else asyncio.run(gather_all(work))

    def ingest(self, parts: Sequence[Part]) -> None:
        """Into the lineage, those that are not there yet."""
        new = [part for part in parts if part.info.key not in self._ledger]
        if new:
            self.lineage.ingest(new)
            self._ledger |= {part.info.key for part in new}

    def ingest_stored(self, names: Sequence[PartName]) -> None:
        """Parts that are there, written by this run or by one that was killed before it could ingest them."""
        self.ingest([self.parts.read(stage, key) for stage, key in names if key not in self._ledger])

    def forget_unanswered(self, parts: Sequence[Part]) -> bool:
        """Of one shard: whether a model failed in it or refused, and this run is to ask again. Then the shard is no
        longer done, the part that says so first of all."""
        if not self._retry_failed or not any(call.status in UNANSWERED for part in parts for call in calls_in(part)):
            return False
        keys = {part.info.key for part in parts}
        self.lineage.forget_shards(keys)
        self._ledger -= keys
        for part in reversed(parts):
            self.parts.remove(part.info.stage, part.info.key)
        return True


@contextmanager
def open_run(
    flow: str,
    build: str,
    recipe: Recipe,
    request: Record | None,
    *,
    asks_models: bool = True,
    retry_failed: bool = False,
) -> Generator[Run, None, None]:
    """`asks_models`: False for a run that reads only what is stored, which needs no keys. `retry_failed`: what models
    failed at or refused in earlier runs is asked again.

    Raises StorageError when the data folder or the lineage file cannot be used, and ConfigurationError when the models
    cannot be asked."""
    with ended_by_worker():
        settings = load_settings()
        lineage = open_lineage(settings)
        with build_turn(settings.data, build):
            info = RunInfo(
                build=build,
                flow=flow,
                recipe_id=lineage.add_recipe(recipe),
                seed=recipe.seed,
                code_commit=code_commit(),
                parameters=canonical_json(request),
                started=datetime.now(UTC),
            )
            with (
                _open_desk(recipe.models if asks_models else None, settings, build, retry_failed) as desk,
                _recorded(lineage, info) as run_id,
                StopsTold(),
                cpu_processes(settings.workers) as processes,
                open_progress(desk.paid if desk else None) as progress,
            ):
                run = Run(build, recipe, settings, run_id, processes, progress, desk, retry_failed=retry_failed)
                run.objects.sweep()
                yield run


@contextmanager
def _open_desk(
    models: ModelsRecipe | None, settings: Settings, build: str, retry_failed: bool
) -> Generator[Desk | None, None, None]:
    """Closed last of all, so that replies on their way are stored however the run ends."""
    if models is None:
        yield None
        return
    desk = Desk(models, settings, build, ObjectStore(settings.objects_url), retry_failed=retry_failed)
    try:
        yield desk
    finally:
        desk.close()


@contextmanager
def _recorded(lineage: Lineage, info: RunInfo) -> Generator[str, None, None]:
    run_id = lineage.start_run(info)
    outcome = Outcome.FAILED
    try:
        yield run_id
        outcome = Outcome.COMPLETED
    except (KeyboardInterrupt, TerminationSignal):
        outcome = Outcome.CANCELLED
        raise
    finally:
        lineage.finish_run(run_id, outcome, datetime.now(UTC))


@cache
def code_commit() -> str:
    """The commit of this checkout, with `+` where files differ from it; else what FLAWBENCH_COMMIT says."""
    command = ["git", "describe", "--always", "--abbrev=40", "--dirty=+", "--exclude=*"]
    try:
        described = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False).stdout.strip()
    except FileNotFoundError:  # no git on this machine
        described = ""
    return described or load_settings().commit or "unknown"
