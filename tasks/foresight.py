"""The questions that a build would put to models, in its order and without asking any: what follows from replies and
candidates that are stored, and where none are, the first question as it will be and stand-ins for what comes after."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from core.calls import Answer, Proposal, Role
from core.model_specs import ModelsRecipe
from core.pictures import pixels_from
from core.records import FlawedSample, Picture, Sample, Stage
from core.seeding import stream
from core.taxonomy import Subtype
from filters.integrity import check
from filters.validators import touched_families
from injectors.base import Injection, PromptContext
from injectors.prompted import source_rewriting
from injectors.prompted.examples import example_pictures
from injectors.registry import PROMPT_INJECTORS
from models.base import ModelRequest
from models.foreseen import StoredAnswers
from models.reply_store import ReplyStore
from models.requests import make_request
from storage.files import Files
from tasks.conversations import converse
from tasks.runs import Run
from tasks.stand_ins import stand_in_edit, stand_in_flaw


class State(StrEnum):
    """STORED: its reply is there. KNOWN: it will be sent as it is here. GUESSED: it follows from answers to come."""

    STORED = "stored"
    KNOWN = "known"
    GUESSED = "guessed"


class Foreseen(NamedTuple):
    """`model` is its key in the recipe."""

    stage: Stage
    model: str
    request: ModelRequest
    state: State


class Question(NamedTuple):
    """A sample as injectors get it; `sure` unless a model is still to put it in other words."""

    sample: Sample
    sure: bool


class Candidate(NamedTuple):
    """`sure`: as the build makes it; else a stand-in as long as one will be. `touched` are model families."""

    flawed: FlawedSample
    sure: bool
    touched: frozenset[str]


class _UnansweredError(Exception):
    """Ends a conversation whose next reply is not stored."""

    def __init__(self, role: Role) -> None:
        super().__init__(role)
        self.role = role


class Foresight:
    """For a run whose recipe names models; `found` grows with every question. Methods raise StorageError."""

    def __init__(self, models: ModelsRecipe, run: Run) -> None:
        self.found: list[Foreseen] = []
        self._models, self._recipe, self._objects = models, run.recipe, run.objects
        self._examples: Mapping[str, bytes] = example_pictures()
        self._answers = StoredAnswers(models, ReplyStore(Files(run.settings.objects_url)), self._read_picture)

    def ask(self, stage: Stage, model: str, proposal: Proposal, *, sure: bool = True) -> Answer | None:
        """None where the answer is not known yet. A question that is not sure is none that could be stored."""
        spec = self._models.models[model]
        if not sure:
            self.found.append(Foreseen(stage, model, make_request(proposal, spec), State.GUESSED))
            return None
        foreseen = self._answers.find(proposal, model)
        self.found += [Foreseen(stage, model, request, State.STORED) for request in foreseen.stored]
        if foreseen.missing:
            self.found.append(Foreseen(stage, model, foreseen.missing, State.KNOWN))
        return foreseen.answer

    def rewrite(self, sample: Sample) -> Question:
        if self._models.rewriter is None:
            return Question(sample, True)
        talk = converse(
            source_rewriting,
            sample,
            self._context(sample, "rewrite"),
            self._asker(Stage.REWRITE, {Role.REWRITER: self._models.rewriter}),
        )
        try:
            result = asyncio.run(talk)
        except _UnansweredError:
            return Question(sample, False)
        return Question(result if isinstance(result, Sample) else sample, True)

    def inject(self, question: Question, subtype: Subtype, generator: str) -> Candidate | None:
        """By models. None where there will be no candidate."""
        sample, editor = question.sample, self._models.image_editor
        edited = subtype is Subtype.INTER_VISUAL_CONTRADICTION and editor is not None
        makers = (generator, editor) if edited and editor else (generator,)
        first = PROMPT_INJECTORS[subtype].propose(sample, self._context(sample, subtype))
        if not isinstance(first, Proposal):
            return None
        if not question.sure:
            self.ask(Stage.INJECT, generator, first, sure=False)
        else:
            roles: dict[Role, str] = dict(zip((Role.GENERATOR, Role.IMAGE_EDITOR), makers, strict=False))
            asker = self._asker(Stage.INJECT, roles)
            try:
                talk = converse(PROMPT_INJECTORS[subtype], sample, self._context(sample, subtype), asker)
                result = asyncio.run(talk)
                return self.filtered(result.candidate, sample) if isinstance(result, Injection) else None
            except _UnansweredError as unanswered:
                edited = edited and unanswered.role is Role.GENERATOR
        if edited and editor:
            self.ask(Stage.INJECT, editor, stand_in_edit(first, sample), sure=False)
        return self.stand_in(question, subtype, makers)

    def filtered(self, flawed: FlawedSample, parent: Sample) -> Candidate | None:
        """None where the programmatic filters drop it."""
        decision = check(flawed, parent, pixels_from(self._read_picture), self._recipe.degradation)
        return Candidate(flawed, True, touched_families(flawed, parent)) if decision.keep else None

    def stand_in(self, question: Question, subtype: Subtype, makers: Iterable[str]) -> Candidate:
        """Of a candidate that these models will make, or rules where there are none."""
        names = [*makers] if question.sure else [*makers, *([self._models.rewriter] if self._models.rewriter else [])]
        families = {self._models.models[name].family for name in names}.union(question.sample.families)
        return Candidate(stand_in_flaw(question.sample, subtype), False, frozenset(families))

    def _asker(self, stage: Stage, roles: Mapping[Role, str]) -> Callable[[Proposal], Awaitable[Answer]]:
        async def ask(proposal: Proposal) -> Answer:
            answer = self.ask(stage, roles[proposal.role], proposal)
            if answer is None:
                raise _UnansweredError(proposal.role)
            return answer

        return ask

    def _context(self, sample: Sample, purpose: str) -> PromptContext:
        return PromptContext(stream(self._recipe.seed, sample.id, purpose), self._read_picture, self._models.few_shot)

    def _read_picture(self, picture: Picture) -> bytes:
        return self._examples.get(picture.sha256) or self._objects.get(picture)
