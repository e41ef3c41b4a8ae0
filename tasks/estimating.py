"""What a build would ask and pay, before it does: its questions in its order, until the targets are reached or likely
to be, and what they cost."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from core.model_specs import ModelsRecipe
from core.recipe import Recipe
from core.records import FlawedSample, Record, Stage
from core.taxonomy import Subtype
from models.prices import (
    find_price,
    likely_cost,
    likely_input_tokens,
    likely_output_tokens,
    worst_cost,
    worst_repair_cost,
)
from storage.rows import candidates_in
from tasks.foreseen_panel import ForeseenPanel
from tasks.foresight import Candidate, Foreseen, Foresight, Question, State
from tasks.model_identity import asks_models
from tasks.planning import rule_shards
from tasks.pools import Pool
from tasks.queues import deal, order_for, preference
from tasks.runs import Run

ACCEPTED = 0.9
"""Share of the questions asked that become candidates: an assumption."""
_IMAGE_TOKENS = 1500
_ROUNDING = 1e-6


class PlanLine(Record):
    """Of one stage and model, by its key. `stored` calls need no payment; `guessed` are those that follow from answers
    to come, so that only their number is estimated. Tokens and money are likely values of what is to be paid;
    `usd_most` is the worst case when each is asked once. At most so many `repairs` may follow, for `usd_repairs`. Money
    is None without a price."""

    stage: str
    model: str
    calls: int
    stored: int
    guessed: int
    repairs: int
    tokens_in: int
    tokens_out: int
    usd_likely: float | None
    usd_most: float | None
    usd_repairs: float | None


def estimate(pool: Pool, run: Run) -> list[PlanLine]:
    """By stage and model; empty where no model would be asked."""
    models = run.recipe.models
    if models is None:
        return []
    groups: defaultdict[tuple[Stage, str], list[Foreseen]] = defaultdict(list)
    for found in foresee(pool, models, run):
        groups[found.stage, found.model].append(found)
    return [_sum(stage, name, found, models) for (stage, name), found in sorted(groups.items())]


def foresee(pool: Pool, models: ModelsRecipe, run: Run) -> list[Foreseen]:
    foresight = Foresight(models, run)
    panel = ForeseenPanel(models, run.recipe.seed, foresight)
    asked = [foresight.rewrite(sample) for sample in pool.samples]
    questions = {question.sample.id: question for question in asked}
    made = _made_by_rules(pool._replace(samples=[question.sample for question in asked]), run)
    twins: dict[str, Question] = {}
    walk = _Walk(run.recipe, models, foresight, panel)
    for subtype, target in run.recipe.targets.items():
        twins |= walk.until(target, walk.candidates(subtype, questions, made.get(subtype, {})), questions)
    if models.panel.validators and models.panel.twins:
        for question in twins.values():
            panel.judge_twin(question)
    return foresight.found


class _Walk:
    """Through the questions of one subtype in the order of the build."""

    def __init__(self, recipe: Recipe, models: ModelsRecipe, foresight: Foresight, panel: ForeseenPanel) -> None:
        self._recipe, self._models, self._foresight, self._panel = recipe, models, foresight, panel

    def candidates(
        self, subtype: Subtype, questions: Mapping[str, Question], made: Mapping[str, FlawedSample | None]
    ) -> Iterator[Candidate]:
        """Those that are stored, and for the rest as many as are likely to be made."""
        names, seed, guessed = list(questions), self._recipe.seed, 0
        dealt = deal(order_for(names, seed, subtype), self._models.generators, seed, subtype)
        for name in preference(names, subtype, self._recipe):
            question = questions[name]
            if name in made:
                flawed = made[name]
                candidate = self._foresight.filtered(flawed, question.sample) if flawed else None
            elif not asks_models(subtype, self._models):
                candidate = self._foresight.stand_in(question, subtype, ())
            else:
                candidate = self._foresight.inject(question, subtype, dealt[name])
                if candidate and not candidate.sure:
                    guessed += 1
                    if int(guessed * ACCEPTED) == int((guessed - 1) * ACCEPTED):
                        continue
            if candidate:
                yield candidate

    def until(
        self, target: int, candidates: Iterator[Candidate], questions: Mapping[str, Question]
    ) -> dict[str, Question]:
        """Before the panel, until those that pass or are likely to are as many as wanted. Gives the questions of as
        many."""
        passed, used = 0.0, dict[str, Question]()
        while passed < target - _ROUNDING and (candidate := next(candidates, None)):
            question = questions[candidate.flawed.parent]
            before, passed = passed, passed + self._panel.judge(candidate, question.sample)
            if int(passed + _ROUNDING) > int(before + _ROUNDING):
                used[question.sample.id] = question
        return used


def _made_by_rules(pool: Pool, run: Run) -> dict[Subtype, dict[str, FlawedSample | None]]:
    """What earlier runs stored, by the question; None where no candidate came of it."""
    made: dict[Subtype, dict[str, FlawedSample | None]] = {}
    for subtype, shards in rule_shards(pool, run.recipe).items():
        found: dict[str, FlawedSample | None] = {}
        for shard in shards:
            (injected,) = shard.parts
            if run.parts.exists(*injected):
                found |= dict.fromkeys(shard.samples)
                found |= {flawed.parent: flawed for flawed in candidates_in(run.parts.read(*injected))}
        made[subtype] = found
    return made


def _sum(stage: Stage, name: str, found: list[Foreseen], models: ModelsRecipe) -> PlanLine:
    spec = models.models[name]
    price = find_price(spec, models)
    paid = [one.request for one in found if one.state is not State.STORED]
    image_tokens = price.image_tokens if price else _IMAGE_TOKENS
    repairs = _repairs(stage, models)
    return PlanLine(
        stage=stage.value,
        model=name,
        calls=len(found),
        stored=len(found) - len(paid),
        guessed=sum(one.state is State.GUESSED for one in found),
        repairs=repairs * len(paid),
        tokens_in=sum(likely_input_tokens(request, image_tokens) for request in paid),
        tokens_out=sum(likely_output_tokens(request) for request in paid),
        usd_likely=sum(likely_cost(price, request, spec.batch) for request in paid) if price else None,
        usd_most=sum(worst_cost(price, request, spec.batch) for request in paid) if price else None,
        usd_repairs=sum(worst_repair_cost(price, request, repairs, spec.batch) for request in paid) if price else None,
    )


def _repairs(stage: Stage, models: ModelsRecipe) -> int:
    """After one question at most. What an injector or the rewriter cannot use is asked for once more, and repaired as
    often again."""
    questions = 2 if stage in (Stage.INJECT, Stage.REWRITE) else 1
    return questions * (1 + models.repair_turns) - 1
