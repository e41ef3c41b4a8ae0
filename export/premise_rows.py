"""Rows of a release of premise pairs: one for each question, and those of training questions once more in the form that
trainers take."""

from typing import NamedTuple

from core.errors import ExportError
from core.premises import PremiseAnswer, PremiseQuestion, Split
from core.records import Picture, Sample
from core.taxonomy import PREMISES

TRAIN = "train"
NOT_VERIFIED = "none"


class PremiseItem(NamedTuple):
    """A question of the build, the sample whose picture it asks about, the models of another family that verified its
    premise, and what is to be answered to it."""

    question: PremiseQuestion
    sample: Sample
    split: Split
    verified: str = NOT_VERIFIED
    answer: PremiseAnswer | None = None


class Message(NamedTuple):
    role: str
    content: str


class PremiseRow(NamedTuple):
    """Fields are the columns in their order; `export.premise_dataset` says what each holds."""

    id: str
    question: str
    images: tuple[Picture, ...]
    subtype: str
    level: str
    label: bool
    premise: str
    replacement: str | None
    stated: str
    caption: str
    answer: str | None
    pair_id: str | None
    split: str
    stage: str | None
    verified: str
    generator: str
    families: tuple[str, ...]
    language: str
    source: str
    source_id: str
    licence: str
    attribution: str


class SftRow(NamedTuple):
    """A prompt and its target (J-7, J-10)."""

    id: str
    images: tuple[Picture, ...]
    prompt: tuple[Message, ...]
    completion: tuple[Message, ...]
    label: bool
    subtype: str
    pair_id: str | None
    teacher: str
    language: str
    licence: str
    attribution: str


class GrpoRow(NamedTuple):
    """A prompt without a target, and what rewards compare a reply with (J-11, J-12)."""

    id: str
    images: tuple[Picture, ...]
    prompt: tuple[Message, ...]
    label: bool
    subtype: str
    premise: str
    replacement: str | None
    reference: str | None
    pair_id: str | None
    language: str
    licence: str
    attribution: str


def make_premise_row(item: PremiseItem) -> PremiseRow:
    """Raises ExportError when the sample is not the one that the question names."""
    question, sample = item.question, item.sample
    if question.sample != sample.id or len(sample.pictures) != 1:
        raise ExportError(
            f"Question {question.id} asks about the one picture of {question.sample} but was given {sample.id}.",
            "Pass the sample that the question names.",
        )
    return PremiseRow(
        id=question.id,
        question=question.question,
        images=sample.pictures,
        subtype=question.subtype.value,
        level=PREMISES[question.subtype].level.value,
        label=question.label,
        premise=question.premise.text,
        replacement=question.replacement,
        stated=question.stated,
        caption=question.premise.caption,
        answer=question.answer,
        pair_id=question.pair,
        split=item.split if item.split is Split.TEST else TRAIN,
        stage=None if item.split is Split.TEST else item.split,
        verified=item.verified,
        generator=question.generator,
        families=question.families,
        language=question.language.value,
        source=sample.source,
        source_id=sample.source_id,
        licence=sample.licence,
        attribution=sample.attribution,
    )


def make_sft_row(item: PremiseItem) -> SftRow | None:
    """None for a question that no answer was found for: a target is never made up."""
    question, sample, answer = item.question, item.sample, item.answer
    if answer is None:
        return None
    target = f"<think>\n{answer.think}\n</think>\n\n<answer>\n{answer.answer}\n</answer>"
    return SftRow(
        id=question.id,
        images=sample.pictures,
        prompt=(Message("user", question.question),),
        completion=(Message("assistant", target),),
        label=question.label,
        subtype=question.subtype.value,
        pair_id=question.pair,
        teacher=answer.generator,
        language=question.language.value,
        licence=sample.licence,
        attribution=sample.attribution,
    )


def make_grpo_row(item: PremiseItem) -> GrpoRow:
    question, sample = item.question, item.sample
    return GrpoRow(
        id=question.id,
        images=sample.pictures,
        prompt=(Message("user", question.question),),
        label=question.label,
        subtype=question.subtype.value,
        premise=question.premise.text,
        replacement=question.replacement,
        reference=question.answer,
        pair_id=question.pair,
        language=question.language.value,
        licence=sample.licence,
        attribution=sample.attribution,
    )
