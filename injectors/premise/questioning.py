"""Stage 3: the question, by a model that is shown texts alone (J-4). By default both questions of a pair come out of
one frame; the published scheme asks for a positive or a negative question by prompts of their own."""

from core.calls import Proposal, Role
from core.identity import make_id
from core.premises import Premise, PremiseQuestion
from core.prompts import fence
from core.records import Language, Record, Sample
from injectors.base import PromptContext, Rejection, RejectionReason
from injectors.premise.checks import Written, find_question_fault, find_replacement_fault
from injectors.premise.entries import Entry
from injectors.premise.frames import fill, find_frame_fault
from injectors.premise.prompting import Stage, ask, draw_written, section
from injectors.premise.replies import NegativeReply, PairReply, PositiveReply, QuestionReply
from injectors.prompted.composing import shorten
from injectors.prompted.layout import Part
from injectors.rewriting import MadeBy

VERSION = 1

_STAGES = {
    None: Stage("premise_pair", Role.QUESTION_WRITER, PairReply),
    True: Stage("premise_positive", Role.QUESTION_WRITER, PositiveReply),
    False: Stage("premise_negative", Role.QUESTION_WRITER, NegativeReply),
}


def propose_question(sample: Sample, premise: Premise, label: bool | None, context: PromptContext) -> Proposal:
    """`label` None for a pair. No picture goes along."""
    examples: list[Part] = []
    for number, entry in enumerate(draw_written(premise.subtype, sample, context), start=1):
        reply = _reply_of(entry, sample.language, label)
        examples.append(f"Example {number}:\n{_show(entry.premise(sample.language))}")
        examples.append(f"Reply to example {number}:\n{reply.model_dump_json()}\n\n")
    texts = {"shown": section(premise.subtype, "shown")}
    if label is not True:
        texts["replaced"] = section(premise.subtype, "replaced")
    slots = {"examples": tuple(examples), "material": (_show(premise),)}
    return ask(_STAGES[label], premise.subtype, sample.language, texts, slots)


def read_question(
    sample: Sample, premise: Premise, reply: QuestionReply, made_by: MadeBy
) -> tuple[PremiseQuestion, ...] | Rejection:
    if not reply.possible:
        return Rejection(RejectionReason.MODEL_DECLINED, "the model wrote no question")
    match reply:
        case PairReply():
            return make_pair(sample, premise, reply, made_by)
        case NegativeReply():
            fault = find_replacement_fault(premise, reply.replacement, sample.language)
            return fault or _read_single(sample, premise, reply, reply.replacement, made_by)
        case PositiveReply():
            return _read_single(sample, premise, reply, None, made_by)


def make_pair(
    sample: Sample, premise: Premise, reply: PairReply, made_by: MadeBy
) -> tuple[PremiseQuestion, ...] | Rejection:
    """The positive question first."""
    language, replacement = sample.language, reply.replacement.strip()
    fault = find_replacement_fault(premise, replacement, language) or find_frame_fault(
        reply.frame, premise.text, replacement, language
    )
    if fault is not None:
        return fault
    pair = make_id("prp", [sample.id, premise, reply.frame, replacement])
    questions: list[PremiseQuestion] = []
    for false in (None, replacement):
        filled = fill(reply.frame, false or premise.text)
        written = Written(filled.text, filled.words, filled.start, reply.answer.strip())
        fault = find_question_fault(written, premise, false, language)
        if fault is not None:
            return fault
        questions.append(_record(sample, premise, written, false is None, replacement, pair, made_by))
    return tuple(questions)


def _read_single(
    sample: Sample, premise: Premise, reply: PositiveReply | NegativeReply, replacement: str | None, made_by: MadeBy
) -> tuple[PremiseQuestion, ...] | Rejection:
    question, span = reply.question.strip(), reply.span.strip()
    if not span or question.count(span) != 1:
        detail = f"`span` {shorten(span)} must stand in `question` exactly once, letter for letter"
        return Rejection(RejectionReason.PREMISE_NOT_STATED, detail)
    written = Written(question, span, question.index(span), reply.answer.strip())
    fault = find_question_fault(written, premise, replacement, sample.language)
    return fault or (_record(sample, premise, written, replacement is None, replacement, None, made_by),)


def _record(
    sample: Sample,
    premise: Premise,
    written: Written,
    label: bool,
    replacement: str | None,
    pair: str | None,
    made_by: MadeBy,
) -> PremiseQuestion:
    return PremiseQuestion(
        sample=sample.id,
        premise=premise,
        label=label,
        question=written.question,
        stated=written.stated,
        start=written.start,
        replacement=replacement,
        answer=written.answer,
        pair=pair,
        language=sample.language,
        generator=made_by.generator,
        injector_version=VERSION,
        families=made_by.families,
    )


def _reply_of(entry: Entry, language: Language, label: bool | None) -> Record:
    text = entry.text(language)
    if label is None:
        return PairReply(possible=True, replacement=text.replacement, frame=text.frame, answer=text.answer)
    filled = fill(text.frame, text.premise if label else text.replacement)
    if label:
        return PositiveReply(possible=True, question=filled.text, span=filled.words, answer=text.answer)
    return NegativeReply(
        possible=True, replacement=text.replacement, question=filled.text, span=filled.words, answer=text.answer
    )


def _show(premise: Premise) -> str:
    return f"{fence('caption', premise.caption)}\n{fence('premise', premise.text)}\n"
