"""Where the tasks of a run put their questions to models: one caller with one pace, one budget and one reply store for
all of them, and a record of every reply that was used."""

import asyncio
import os
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from core.calls import Answer, Call, Proposal, Role
from core.errors import ConfigurationError
from core.model_specs import ModelsRecipe
from core.records import Blob, Picture, Stage
from core.settings import Settings
from core.taxonomy import AnySubtype
from injectors.premise.entries import premise_pictures
from injectors.prompted.examples import example_pictures
from models.call_rows import call_rows
from models.caller import Caller, Outcome
from models.loop import LoopThread
from models.preflight import preflight
from models.reply_store import ReplyStore
from storage.files import Files
from storage.objects import ObjectStore
from tasks.stores import open_ledger

Result = TypeVar("Result")

_FRESH_SECONDS = 5.0


class Desk:
    """For one run. Raises ConfigurationError before any money is spent."""

    def __init__(
        self, models: ModelsRecipe, settings: Settings, build: str, objects: ObjectStore, *, retry_failed: bool
    ) -> None:
        if settings.replay and retry_failed:
            raise ConfigurationError(
                "--retry-failed asks models again, and FLAWBENCH_REPLAY lets none be asked.", "Leave out one of them."
            )
        if not settings.replay:
            preflight(models, os.environ)
        self.models = models
        self._objects = objects
        self._examples: Mapping[str, bytes] = {**example_pictures(), **premise_pictures()}
        self._ledger = open_ledger(settings, build)
        self._caller = Caller(
            models=models,
            store=ReplyStore(Files(settings.objects_url)),
            ledger=self._ledger,
            read_picture=self.read_picture,
            put_blob=objects.put,
            environment=os.environ,
            build=build,
            replay=settings.replay,
            retry_failed=retry_failed,
        )
        self._loop = LoopThread()

    def read_picture(self, picture: Picture) -> bytes:
        """Of the store, or of the examples in the prompts. Raises StorageError."""
        return self._examples.get(picture.sha256) or self._objects.get(picture)

    def count_bytes(self, picture: Picture) -> int | None:
        """Of a stored one. Raises StorageError."""
        return self._objects.size(picture)

    def paid(self) -> float:
        """US dollars by all runs of this build, as of some seconds ago for those of other processes."""
        return self._ledger.spent(_FRESH_SECONDS)

    def store_picture(self, blob: Blob) -> None:
        """Raises StorageError."""
        self._objects.put(blob)

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """From the thread of a task; raises what the work raises."""
        return self._loop.run(work)

    def close(self) -> None:
        """Calls on their way may still end and are stored."""
        self._loop.run(self._caller.close())
        self._loop.close()

    def asking(self, stage: Stage, item: str, subtype: AnySubtype | None, roles: Mapping[Role, str]) -> "Asking":
        return Asking(self, stage, item, subtype, roles)

    async def ask(self, proposal: Proposal, name: str) -> Outcome:
        return await self._caller.ask(proposal, name)


@dataclass
class Asking:
    """The questions about one item. `roles` says which model, by its key, plays which role."""

    desk: Desk
    stage: Stage
    item: str
    subtype: AnySubtype | None
    roles: Mapping[Role, str]
    calls: list[Call] = field(default_factory=list)

    async def __call__(self, proposal: Proposal) -> Answer:
        return await self.ask(proposal, self._model_for(proposal.role))

    async def ask(self, proposal: Proposal, name: str) -> Answer:
        """The answer names its call as the lineage does."""
        answer, calls = call_rows(await self.desk.ask(proposal, name), self.stage, self.item, self.subtype)
        self.calls += calls
        return answer

    def _model_for(self, role: Role) -> str:
        if role not in self.roles:
            raise ConfigurationError(
                f"{self.subtype or self.stage} asks for a model with the role {role}, and {self.desk.models.name} has"
                " none.",
                f"Name one under `{role}` in {self.desk.models.file}.",
            )
        return self.roles[role]


async def gather_all(work: Sequence[Coroutine[Any, Any, Result]]) -> list[Result]:
    """All at once, in order; the first error ends the others. Calls that are on their way are still stored."""
    tasks = [asyncio.ensure_future(one) for one in work]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
