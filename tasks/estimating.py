"""What a build would ask and pay, before it does: the real first questions of every injector that asks a model, and for
the panel the same number of items as the paper's rates let expect."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from core.calls import Proposal
from core.model_specs import ModelsRecipe
from core.recipe import Recipe
from core.records import Flaw, FlawedSample, Record, Sample, Stage, TextPart, TextRemoval
from core.seeding import stream
from core.taxonomy import Subtype
from filters.panel import propose_validation
from filters.twins import propose_twin
from filters.validators import Shortage, Validator, choose_validators
from injectors.base import PromptContext
from injectors.registry import PROMPT_INJECTORS
from models.base import ModelRequest
from models.prices import find_price, likely_cost, likely_input_tokens, likely_output_tokens, worst_cost
from models.reply_store import ReplyStore
from models.requests import make_request, request_key
from storage.files import Files
from tasks.model_identity import asks_models
from tasks.pools import Pool
from tasks.queues import deal, order_for, preference
from tasks.runs import Run

ACCEPTED = 0.9
"""Share of the questions asked that become candidates: an assumption."""
PASSED = 0.4
"""Share of the candidates that the panel keeps in the paper (M-19)."""
_IMAGE_TOKENS = 1500


class PlanLine(Record):
    """Of one stage and model, by its key. Tokens and money are likely values; `usd_most` is the worst case. Money is
    None without a price. `stored` calls need no payment; for the panel they cannot be known before there are
    candidates."""

    stage: str
    model: str
    calls: int
    stored: int
    tokens_in: int
    tokens_out: int
    usd_likely: float | None
    usd_most: float | None


class _Asked(NamedTuple):
    stage: Stage
    model: str
    proposal: Proposal
    known: bool


def estimate(pool: Pool, run: Run) -> list[PlanLine]:
    """By stage and model; empty where no model would be asked."""
    models = run.recipe.models
    if models is None:
        return []
    store = ReplyStore(Files(run.settings.objects_url))
    groups: defaultdict[tuple[Stage, str], list[_Asked]] = defaultdict(list)
    for asked in _questions(pool, run.recipe, models):
        groups[asked.stage, asked.model].append(asked)
    return [_sum(stage, name, asked, models, store) for (stage, name), asked in sorted(groups.items())]


def _questions(pool: Pool, recipe: Recipe, models: ModelsRecipe) -> Iterator[_Asked]:
    samples = {sample.id: sample for sample in pool.samples}
    judged: list[tuple[Sample, Subtype, str | None]] = []
    for subtype, target in recipe.targets.items():
        order = preference(list(samples), subtype, recipe)
        asks = asks_models(subtype, models)
        needed = math.ceil(target / (PASSED if models.panel.validators else 1) / (ACCEPTED if asks else 1))
        tried = [samples[name] for name in order[:needed]]
        dealt = deal(order_for(list(samples), recipe.seed, subtype), models.generators, recipe.seed, subtype)
        if asks:
            yield from _injections(tried, subtype, dealt, recipe, models)
        expected = tried[: math.ceil(len(tried) * (ACCEPTED if asks else 1))]
        judged += [(sample, subtype, dealt[sample.id] if asks else None) for sample in expected]
    if models.panel.validators:
        yield from _judgements(judged, recipe, models)


def _injections(
    tried: Iterable[Sample], subtype: Subtype, dealt: dict[str, str], recipe: Recipe, models: ModelsRecipe
) -> Iterator[_Asked]:
    for sample in tried:
        context = PromptContext(stream(recipe.seed, sample.id, subtype), _no_picture, models.few_shot)
        proposal = PROMPT_INJECTORS[subtype].propose(sample, context)
        if isinstance(proposal, Proposal):
            yield _Asked(Stage.INJECT, dealt[sample.id], proposal, True)
            if subtype is Subtype.INTER_VISUAL_CONTRADICTION and models.image_editor:
                yield _Asked(Stage.INJECT, models.image_editor, _picture_edit(proposal, sample), False)


def _judgements(
    judged: Iterable[tuple[Sample, Subtype, str | None]], recipe: Recipe, models: ModelsRecipe
) -> Iterator[_Asked]:
    twins: dict[str, Sample] = {}
    for sample, subtype, generator in judged:
        touched = {models.models[generator].family} if generator else set[str]()
        proposal = propose_validation(_stand_in(sample, subtype), sample, show_original=models.panel.show_original)
        yield from _by_validators(Stage.PANEL, proposal, touched, sample.id, recipe, models)
        twins[sample.id] = sample
    for sample in twins.values() if models.panel.twins else ():
        yield from _by_validators(Stage.TWIN, propose_twin(sample), set(), sample.id, recipe, models)


def _by_validators(
    stage: Stage, proposal: Proposal, touched: set[str], item: str, recipe: Recipe, models: ModelsRecipe
) -> Iterator[_Asked]:
    panel = models.panel
    named, reserve = (
        [Validator(name, models.models[name].family) for name in names] for names in (panel.validators, panel.reserve)
    )
    chosen = choose_validators(touched, named, reserve, panel.ask, recipe.seed, item)
    for validator in () if isinstance(chosen, Shortage) else chosen:
        yield _Asked(stage, validator.name, proposal, stage is Stage.TWIN)


def _stand_in(sample: Sample, subtype: Subtype) -> FlawedSample:
    """As long as a candidate will be; it is never asked about."""
    edit = TextRemoval(part=TextPart.CONTEXT)
    flaw = Flaw(subtype=subtype, generator="plan", injector_version=0, edits=(edit,), explanation="plan")
    return FlawedSample(
        parent=sample.id,
        context=sample.context,
        query=sample.query,
        options=sample.options,
        pictures=sample.pictures,
        flaws=(flaw,),
    )


def _picture_edit(proposal: Proposal, sample: Sample) -> Proposal:
    return Proposal(
        role=proposal.role,
        prompt=proposal.prompt,
        prompt_hash=proposal.prompt_hash,
        system="",
        parts=sample.pictures,
        wants_picture=True,
    )


def _sum(stage: Stage, name: str, asked: list[_Asked], models: ModelsRecipe, store: ReplyStore) -> PlanLine:
    spec = models.models[name]
    price = find_price(spec, models)
    requests: list[ModelRequest] = []
    for question in asked:
        request = make_request(question.proposal, spec)
        if not (question.known and store.has(request_key(request))):
            requests.append(request)
    image_tokens = price.image_tokens if price else _IMAGE_TOKENS
    return PlanLine(
        stage=stage.value,
        model=name,
        calls=len(asked),
        stored=len(asked) - len(requests),
        tokens_in=sum(likely_input_tokens(request, image_tokens) for request in requests),
        tokens_out=sum(likely_output_tokens(request) for request in requests),
        usd_likely=sum(likely_cost(price, request, spec.batch) for request in requests) if price else None,
        usd_most=sum(worst_cost(price, request, spec.batch) for request in requests) if price else None,
    )


def _no_picture(_: object) -> bytes:
    return b""
