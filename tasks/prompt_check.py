"""Every prompt of a run, made up once at its start about a question of our own: a variable that is missing or unknown,
or a file that cannot be read, is told before anything is paid (the same would else end the run at its first use)."""

import random
from collections.abc import Collection, Sequence

from core.calls import Answer, AnswerStatus
from core.model_specs import ModelsRecipe
from core.premises import Pairing, PremiseQuestion
from core.recipe import Recipe
from core.records import Language, Picture, Sample, Subject
from core.taxonomy import PremiseSubtype, Subtype
from filters.blindness import needs_blind_solve, propose_blind_solve
from filters.panel import propose_validation
from filters.premise_verification import verification_proposal
from filters.twins import propose_twin
from injectors.base import PromptContext
from injectors.premise.answers import AnswerWriter
from injectors.premise.captioning import propose_caption
from injectors.premise.entries import load_entries, load_unpictured
from injectors.premise.extraction import propose_extraction
from injectors.premise.questioning import propose_question
from injectors.premise.rules import make_questions
from injectors.prompted import source_rewriting
from injectors.prompted.examples import load_examples
from injectors.prompted.inter_visual_contradiction import INTER_VISUAL_CONTRADICTION
from injectors.prompted.replies import PictureEditReply
from injectors.registry import PROMPT_INJECTORS
from tasks.model_identity import asks_models
from tasks.stand_ins import stand_in_flaw

_ALL = 10**6
_TEXTS = {
    Language.ENGLISH: ("A cart of 3 kg rolls down the ramp in <image 1>.", "How fast is it at the end?"),
    Language.CHINESE: ("一辆 3 kg 的小车沿 <image 1> 中的斜面滑下。", "小车到底端时的速度是多少？"),
}


def check_prompts(recipe: Recipe, seconds: Collection[Subtype] = ()) -> None:
    """`seconds`: what second flaws the run makes; without any it makes the subtypes of its targets.

    Raises ConfigurationError that names the file and the variable."""
    models = recipe.models
    if models is None:
        return
    wanted = [subtype for subtype, count in recipe.targets.items() if count]
    for sample in _samples():
        if models.rewriter and not seconds:
            source_rewriting.propose(sample, _context())
        for subtype in seconds or wanted:
            if asks_models(subtype, models):
                _check_injector(subtype, sample)
        if models.panel.validators:
            _check_panel(sample, {*wanted, *seconds}, models, twins=models.panel.twins and not seconds)


def check_premise_prompts(recipe: Recipe) -> None:
    """Raises ConfigurationError that names the file and the variable."""
    models, premises = recipe.models, recipe.premises
    if models is None or premises is None:
        return
    labels = (None,) if premises.pairing is Pairing.MATCHED else (True, False)
    for sample in _samples():
        for subtype in (subtype for subtype, count in premises.targets.items() if count):
            questions = _check_premises(subtype, sample, labels)
            if models.panel.validators:
                for question in questions:
                    verification_proposal(question, sample)


def _check_injector(subtype: Subtype, sample: Sample) -> None:
    PROMPT_INJECTORS[subtype].propose(sample, _context())
    if subtype is Subtype.INTER_VISUAL_CONTRADICTION:
        for example in load_examples(subtype, PictureEditReply):
            instruction = Answer(AnswerStatus.OK, "", "", "", "", value=example.reply)
            INTER_VISUAL_CONTRADICTION.accept(sample, (instruction,), _context())


def _check_panel(sample: Sample, subtypes: Collection[Subtype], models: ModelsRecipe, *, twins: bool) -> None:
    for candidate in (stand_in_flaw(sample, subtype) for subtype in sorted(subtypes)):
        propose_validation(candidate, sample, show_original=models.panel.show_original)
        if needs_blind_solve(candidate):
            propose_blind_solve(candidate, sample)
    if twins:
        propose_twin(sample)


def _check_premises(
    subtype: PremiseSubtype, sample: Sample, labels: Sequence[bool | None]
) -> tuple[PremiseQuestion, ...]:
    """One pair of questions, made of what is on file."""
    entry = next(entry for entry in (*load_entries(), *load_unpictured()) if entry.subtype is subtype)
    questions = make_questions(sample, entry)
    propose_extraction(sample, subtype, _context())
    propose_caption(sample, subtype, questions[0].premise.text, _context())
    for label in labels:
        propose_question(sample, questions[0].premise, label, _context())
    for question in questions:
        AnswerWriter(question).propose(sample, _context())
    return questions


def _context() -> PromptContext:
    """With every example there is."""
    return PromptContext(random.Random(0), _read_nothing, _ALL)


def _read_nothing(picture: Picture) -> bytes:
    raise AssertionError(picture)


def _samples() -> list[Sample]:
    """One in each language, that no injector refuses to ask about."""
    return [
        Sample(
            source="check",
            source_id=language,
            context=context,
            query=query,
            pictures=(Picture(sha256="0" * 64, media_type="image/png", width=64, height=64),),
            answer="7 m/s",
            subject=Subject.PHYSICS,
            language=language,
            licence="CC0-1.0",
            attribution="flawbench",
        )
        for language, (context, query) in _TEXTS.items()
    ]
