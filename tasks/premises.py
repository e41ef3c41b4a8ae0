"""Tasks of the flow of premise pairs: pictures to verified questions, answers for training, and what the build consists
of."""

from collections.abc import Sequence

from prefect import task
from prefect.cache_policies import NO_CACHE

from core.errors import ConfigurationError
from core.model_specs import ModelsRecipe
from core.recipe import Recipe
from core.records import Decision, Sample, Stage
from filters.premise_splits import PremiseItem, Selection
from filters.validators import choose_verifier
from sources.starter import NAME as STARTER
from storage.membership import ItemKind
from storage.parts import Part
from storage.premise_rows import questions_in
from storage.rows import decisions_in
from tasks.fan_out import Done
from tasks.losses import describe_losses
from tasks.members import Items, set_members
from tasks.named_validators import named_validators
from tasks.pools import Pool
from tasks.premise_identity import answer_identity, rules_identity
from tasks.premise_planning import PremisePlan, training_questions
from tasks.premise_shards import gather_items, make_premises, write_answers
from tasks.premise_specs import AnswerShard, PremiseShard
from tasks.replacing import tell_leaving
from tasks.runs import Run
from tasks.selection import in_order, store_decisions
from tasks.specs import PartName, cut


@task(name="make-premises", task_run_name="{shard.name}", cache_policy=NO_CACHE)
def make_premise_shard(shard: PremiseShard, run: Run) -> None:
    make_premises(shard, run)


@task(name="write-answers", task_run_name="{shard.name}", cache_policy=NO_CACHE)
def answer_shard(shard: AnswerShard, run: Run) -> None:
    write_answers(shard, run)


def check_premises(recipe: Recipe) -> None:
    """Before anything is paid. Raises ConfigurationError where nobody knows a premise, or where premises that are to be
    verified can be by nobody."""
    models = recipe.models
    if models is None:
        if STARTER not in {source.reader for source in recipe.sources}:
            raise ConfigurationError(
                "Without models only premises of the starter pictures are known, and the recipe has no source "
                "`starter`.",
                "Name models with --models (docs/models.md), or add the source `starter`.",
            )
        return
    for share in models.generators if models.panel.validators else ():
        families = {models.models[name].family for name in _makers(share.model, models)}
        if choose_verifier(families, *named_validators(models), recipe.seed, "") is None:
            raise ConfigurationError(
                f"No validator of the models {models.name} may verify a premise that `{share.model}` finds: all are of "
                f"the families {', '.join(sorted(families))}, which touch it.",
                "Add a model of another family under `panel.validators`, or remove `panel.validators`: rows then say "
                "`verified: none`.",
            )


def _makers(generator: str, models: ModelsRecipe) -> tuple[str, ...]:
    return (generator, *(name for name in (models.question_writer, models.rewriter) if name))


def verified_items(done: Done[PremiseShard]) -> list[PremiseItem]:
    """Those that no validator saw otherwise."""
    part = done.parts[0]
    dropped = {found.item for found in decisions_in(part) if found.stage is Stage.PANEL and not found.keep}
    return [item for item in gather_items(questions_in(part)) if item[0].item not in dropped]


def answer_shards(pool: Pool, plan: PremisePlan, parts: Sequence[Part], run: Run) -> list[AnswerShard]:
    """Of the questions for the first stage of training."""
    models = run.recipe.models
    teacher = models.generators[0].model if models else ""
    identity = answer_identity(models, teacher) if models else rules_identity()
    wanted = training_questions(plan.select())
    held = {question.id: part for part in in_order(parts) for question in questions_in(part)}
    return [
        AnswerShard(
            pool=pool.name,
            made=tuple(dict.fromkeys(PartName(Stage.INJECT, held[name].info.key) for name in chosen)),
            questions=tuple(chosen),
            seed=run.recipe.seed,
            teacher=teacher,
            identity=identity,
        )
        for chosen in cut(wanted)
    ]


@task(name="select-premises", cache_policy=NO_CACHE)
def store_selection(selection: Selection, run: Run) -> None:
    store_decisions(selection.decisions, run)


@task(name="record-premises", cache_policy=NO_CACHE)
def record_premises(parts: Sequence[Part], pool: Sequence[Sample], plan: PremisePlan, run: Run) -> None:
    """The build consists of this run alone. Raises ConfigurationError when nothing was kept; a build that had something
    stays."""
    selection, before = plan.select(), run.lineage.members(run.build, ItemKind.QUESTION)
    if not selection.splits and before:
        raise _kept_nothing(f"build {run.build} stays as it was, with {len(before)} questions", parts, selection, run)
    decided = [(found.id, found.subtype) for part in in_order(parts) for found in decisions_in(part)]
    questions = [(question.id, question.subtype) for item in plan.selected() for question in item]
    tell_leaving(run, ItemKind.QUESTION, [item for item, _ in questions])
    members: Items = {
        ItemKind.RECIPE: [(run.recipe.id, None)] if questions else [],
        ItemKind.DECISION: [*decided, *((found.id, found.subtype) for found in selection.decisions)],
        ItemKind.SAMPLE: [(sample.id, None) for sample in pool],
        ItemKind.QUESTION: questions,
    }
    set_members(members, run, replace=True)
    run.lineage.set_splits(run.build, selection.splits)
    if not questions:
        raise _kept_nothing(f"there is nothing for build {run.build}", parts, selection, run)


def _kept_nothing(what: str, parts: Sequence[Part], selection: Selection, run: Run) -> ConfigurationError:
    decisions: Sequence[Decision] = selection.decisions
    return ConfigurationError(
        f"This run kept no premise question: {what}. {describe_losses(parts, decisions, run)}",
        f"See every reason with `flawbench funnel {run.build}`, then add pictures or change the models.",
    )
