"""The work of one shard of premise pairs, in the process of the flow: pictures to questions that a second family
verified, and questions to the answers that a model is to be trained on."""

from collections.abc import Sequence

from core.calls import Role
from core.premises import PremiseAnswer, PremiseQuestion, PremiseVote
from core.records import Decision, Sample, Stage
from core.seeding import stream
from filters.base import DropReason
from filters.premise_splits import PremiseItem
from filters.premise_verification import find_fault, read_verification, verification_proposal
from filters.validators import choose_verifier
from injectors.base import PromptContext, Rejection, RejectionReason
from injectors.premise.answers import AnswerWriter, answer_by_rules
from injectors.premise.injector import PremiseInjector
from injectors.premise.rules import premise_rules
from storage.parts import Row
from storage.premise_rows import answer_rows, premise_vote_rows, question_rows, questions_in
from storage.rows import decision_rows
from tasks.conversations import converse
from tasks.decisions import decide
from tasks.desk import Asking, Desk
from tasks.named_validators import named_validators
from tasks.premise_specs import AnswerShard, PremiseShard
from tasks.prompted_shards import rows_of_calls
from tasks.runs import Run
from tasks.shards import PartFacts, new_part, read_pool

VERIFIED_BY = "verification@1"


def make_premises(shard: PremiseShard, run: Run) -> None:
    """One part with questions, votes, calls and the decisions of the stages INJECT and PANEL."""
    pool = read_pool(run.place.objects_url, shard.pool)
    facts = PartFacts(
        shard.key,
        Stage.INJECT,
        {"generator": shard.generator, "label": shard.label, "identity": shard.identity},
        shard.subtype,
        injector_version=shard.version,
        seed=shard.seed,
    )
    with new_part(facts, run.place) as rows:
        for made in run.await_all([_look_at(pool[name], shard, run) for name in shard.samples]):
            rows += made


async def _look_at(sample: Sample, shard: PremiseShard, run: Run) -> list[Row]:
    asking = (
        run.asking(Stage.INJECT, sample.id, shard.subtype, _roles(shard.generator, run)) if shard.generator else None
    )
    made = await _ask_for_questions(sample, shard, asking, run)
    decided_by = f"premises@{shard.version}"
    if isinstance(made, Rejection):
        decision = decide(Stage.INJECT, sample.id, shard.subtype, made, decided_by)
        return decision_rows(decision) + rows_of_calls(asking, sample.id)
    items = gather_items(made)
    rows = [row for question in made for row in question_rows(question)]
    for item in items:
        rows += decision_rows(decide(Stage.INJECT, sample.id, shard.subtype, item[0].item, decided_by))
        if asking:
            rows += await _verify(item[0], sample, shard.seed, run.desk)
    return rows + rows_of_calls(asking, items[0][0].item)


async def _ask_for_questions(
    sample: Sample, shard: PremiseShard, asking: Asking | None, run: Run
) -> tuple[PremiseQuestion, ...] | Rejection:
    drawn = stream(shard.seed, sample.id, shard.subtype)
    if asking is None:
        return premise_rules(sample, shard.subtype, PromptContext(drawn, run.objects.get), shard.label)
    context = PromptContext(drawn, run.desk.read_picture, run.desk.models.few_shot)
    return await converse(PremiseInjector(shard.subtype, shard.label), sample, context, asking)


async def _verify(question: PremiseQuestion, sample: Sample, seed: int, desk: Desk) -> list[Row]:
    """Votes and the decision on the item of the question. Nothing where no validator is named."""
    if not desk.models.panel.validators:
        return []
    touched = frozenset((*sample.families, *question.families))
    validator = choose_verifier(touched, *named_validators(desk.models), seed, question.item)
    if validator is None:
        evidence = f"families that touched it: {', '.join(sorted(touched))}; no other one is named"
        return decision_rows(_verified(question, DropReason.NO_VALIDATOR, evidence))
    asking = desk.asking(Stage.PANEL, question.item, question.subtype, {})
    vote = read_verification(question, await asking.ask(verification_proposal(question, sample), validator.name))
    decision = _verified(question, find_fault(vote), _tell(vote))
    return [*premise_vote_rows(vote), *decision_rows(decision), *rows_of_calls(asking, question.item)]


def _verified(question: PremiseQuestion, fault: DropReason | None, evidence: str) -> Decision:
    return Decision(
        stage=Stage.PANEL,
        item=question.item,
        output=None if fault else question.item,
        subtype=question.subtype,
        keep=fault is None,
        reason=fault,
        evidence=evidence,
        decided_by=VERIFIED_BY,
    )


def _tell(vote: PremiseVote) -> str:
    replacement = f", what is to be false: {vote.replacement}" if vote.replacement else ""
    return f"{vote.model}: what is to be true: {vote.premise}{replacement}"


def _roles(generator: str, run: Run) -> dict[Role, str]:
    return {Role.GENERATOR: generator, Role.QUESTION_WRITER: run.desk.models.question_writer or generator}


def gather_items(questions: Sequence[PremiseQuestion]) -> list[PremiseItem]:
    """Questions of a pair together, in the order of their first."""
    found: dict[str, PremiseItem] = {}
    for question in questions:
        found[question.item] = (*found.get(question.item, ()), question)
    return list(found.values())


def write_answers(shard: AnswerShard, run: Run) -> None:
    """One part of the stage ANSWER: answers, calls and a decision on each question."""
    pool = read_pool(run.place.objects_url, shard.pool)
    stored = (question for name in shard.made for question in questions_in(run.parts.read(*name)))
    questions = {question.id: question for question in stored}
    facts = PartFacts(shard.key, Stage.ANSWER, {"teacher": shard.teacher, "identity": shard.identity}, seed=shard.seed)
    with new_part(facts, run.place) as rows:
        chosen = [questions[name] for name in shard.questions]
        work = [_answer(question, pool[question.sample], shard, run) for question in chosen]
        for made in run.await_all(work):
            rows += made


async def _answer(question: PremiseQuestion, sample: Sample, shard: AnswerShard, run: Run) -> list[Row]:
    asking = None
    if shard.teacher:
        asking = run.asking(Stage.ANSWER, question.id, question.subtype, {Role.GENERATOR: shard.teacher})
    made = await _ask_for_answer(question, sample, shard.seed, asking, run)
    outcome = made if isinstance(made, Rejection) else made.id
    decided_by = f"teacher:{shard.teacher or 'rules'}@1"
    decision = decide(Stage.ANSWER, question.id, question.subtype, outcome, decided_by)
    rows = [*(answer_rows(made) if isinstance(made, PremiseAnswer) else []), *decision_rows(decision)]
    return rows + rows_of_calls(asking, question.id)


async def _ask_for_answer(
    question: PremiseQuestion, sample: Sample, seed: int, asking: Asking | None, run: Run
) -> PremiseAnswer | Rejection:
    if asking is None:
        return answer_by_rules(question) or Rejection(RejectionReason.NOTHING_TO_CHANGE, "its true answer is unknown")
    context = PromptContext(stream(seed, question.id, "answer"), run.desk.read_picture, run.desk.models.few_shot)
    return await converse(AnswerWriter(question), sample, context, asking)
