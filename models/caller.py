"""The one door to the models: a proposal goes in, an answer comes out, and every reply on the way is stored, counted
and paid once."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.calls import Answer, Proposal
from core.errors import ConfigurationError
from core.model_specs import ModelSpec, ModelsRecipe
from core.records import Blob
from models.base import Asked, ModelRequest, ReadPicture
from models.budget import Budget
from models.disk import Disk
from models.known_names import NameCheck
from models.ledger import Ledger
from models.lines import Line
from models.pace import Pace
from models.payments import time_now
from models.preflight import asked_models
from models.prices import find_price
from models.providers.registry import make_provider
from models.providers.replay import ReplayProvider
from models.reading import make_answer
from models.repair import Question, mend
from models.reply_store import ReplyStore
from models.sending import Sender
from models.shelf import Fetched, Surroundings

if TYPE_CHECKING:
    from models.batch import BatchMode


@dataclass(frozen=True, slots=True)
class Outcome:
    """`answer` is that of the last reply; its `call` is empty until `models.call_rows` names it. `asked` are all
    replies that were used, in order, each with the question that it answers."""

    answer: Answer
    asked: tuple[Asked, ...]
    proposal: Proposal
    spec: ModelSpec


class Caller:
    """All calls of one run in one process. Belongs to one event loop, see `models.loop`.

    `environment` holds the keys, which go to the providers alone. `build` is noted in replies as the one that paid.
    `replay`: nothing is sent, and a reply that is not stored is an error. `retry_failed`: what failed for good or was
    refused in an earlier run is asked for again."""

    def __init__(
        self,
        models: ModelsRecipe,
        store: ReplyStore,
        ledger: Ledger,
        read_picture: ReadPicture,
        put_blob: Callable[[Blob], None],
        environment: Mapping[str, str],
        build: str,
        replay: bool = False,
        retry_failed: bool = False,
    ) -> None:
        self._models = models
        self._environment = environment
        self._lines: dict[str, Line] = {}
        self._replay = replay
        self._store = store
        self._disk = Disk()
        around = Surroundings(store, ledger, read_picture, put_blob, build, time_now() if retry_failed else "")
        budget = Budget(None if replay else models.budget_usd, ledger, models.file)
        self._names = NameCheck({} if replay else asked_models(models), models.file, environment)
        self._sender = Sender(around, budget, self._disk, self._names)

    async def ask(self, proposal: Proposal, model: str, draw: int = 0) -> Outcome:
        """`model` is a key of `models` in the recipe. A reply that cannot be used is asked for again at most
        `repair_turns` times; what is still of no use is an answer with that status.

        Raises ModelCallError when the run has to end, StorageError, ConfigurationError."""
        line = self._line(model)
        question: Question | None = Question(proposal, draw)
        fetched = await self._fetch(line, question)
        asked = [fetched.asked]
        while len(asked) <= self._models.repair_turns:
            question = mend(question, fetched.reading, fetched.asked.parsed.text)
            if question is None:
                break
            fetched = await self._fetch(line, question)
            asked.append(fetched.asked)
        last = fetched.asked
        answer = make_answer(line.spec, last.parsed.text, fetched.reading, last.blobs)
        return Outcome(answer, tuple(asked), proposal, line.spec)

    async def close(self, grace_seconds: float = 20.0) -> None:
        """Calls in flight may end within the grace; what waits is given up."""
        await self._sender.close(grace_seconds)
        await self._names.close()
        lines = self._lines.values()
        await asyncio.gather(*(line.provider.close() for line in lines))
        await asyncio.gather(*(line.batches.close() for line in lines if line.batches))
        self._disk.close()

    async def _fetch(self, line: Line, question: Question) -> Fetched:
        return await self._sender.fetch(line, question.request(line.spec), question.proposal.reply)

    def _line(self, model: str) -> Line:
        line = self._lines.get(model)
        if line is None:
            spec = self._models.models.get(model)
            if spec is None:
                known = ", ".join(sorted(self._models.models))
                raise ConfigurationError(f"There is no model {model!r} in the recipe.", f"Use one of: {known}.")
            line = self._make_line(model, spec)
            self._lines[model] = line
        return line

    def _make_line(self, model: str, spec: ModelSpec) -> Line:
        pace, price, file = Pace(spec.limits), find_price(spec, self._models), self._models.file
        if self._replay or spec.replay:
            switch = "FLAWBENCH_REPLAY" if self._replay else f"`models.{model}.replay` in {file}"
            return Line(model, file, spec, ReplayProvider(self._note_missed, switch), pace, price=None)
        key = self._environment.get(spec.key_variable) if spec.key_variable else None
        batches = self._make_batches(model, spec, key) if spec.batch else None
        return Line(model, file, spec, make_provider(spec, key), pace, price, batches)

    def _make_batches(self, model: str, spec: ModelSpec, key: str | None) -> "BatchMode":
        from models.batch import BatchMode  # its SDK is loaded only where it is used, as with the providers

        return BatchMode(spec, key, self._store.files, self._disk, f"`models.{model}.batch` in {self._models.file}")

    async def _note_missed(self, request: ModelRequest) -> None:
        await self._disk.run(lambda: self._store.note_missed(request))
