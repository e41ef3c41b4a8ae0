"""Which model gets which sample: the quota holds at every point, and growing the pool moves as little as possible."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model_specs import GeneratorShare
from core.recipe import DegradationRecipe
from core.records import Stage
from core.taxonomy import Subtype
from tasks.queues import PromptQueue, apportion, deal, interleave, order_for
from tasks.specs import PartName, PromptShard

PAPER = (
    GeneratorShare(model="gpt", share=0.60),
    GeneratorShare(model="gemini", share=0.25),
    GeneratorShare(model="doubao", share=0.15),
)
IDENTITIES = {"gpt": "g", "gemini": "e", "doubao": "d"}
POOL = [f"smp_{number:04d}" for number in range(400)]


def make_queue(pool: list[str], seed: int = 42) -> PromptQueue:
    template = PromptShard(
        pool=PartName(Stage.SAMPLE, "pool"),
        subtype=Subtype.AMBIGUITY,
        injector_version=1,
        seed=seed,
        samples=(),
        degradation=DegradationRecipe(),
        generator="gpt",
        identity="",
    )
    return PromptQueue(template, order_for(pool, seed, Subtype.AMBIGUITY), PAPER, IDENTITIES)


@pytest.mark.parametrize(
    ("total", "counts"),
    [(20, [12, 5, 3]), (100, [60, 25, 15]), (7, [4, 2, 1]), (1, [1, 0, 0]), (0, [0, 0, 0])],
)
def test_the_papers_quota_by_largest_remainder(total: int, counts: list[int]) -> None:
    """7 samples are worth 4.2, 1.75 and 1.05: 4 and 1 and 1, and the one that is left goes to 1.75."""
    assert apportion(total, [share.share for share in PAPER]) == counts


@given(st.integers(0, 500), st.lists(st.integers(1, 20), min_size=1, max_size=6))
def test_quotas_add_up_and_are_within_one(total: int, weights: list[int]) -> None:
    shares = [float(Fraction(weight, sum(weights))) for weight in weights]
    counts = apportion(total, shares)
    assert sum(counts) == total
    assert all(abs(count - total * share) < 1 + 1e-6 for count, share in zip(counts, shares, strict=True))


def test_every_beginning_of_the_order_keeps_the_quota() -> None:
    order = order_for(POOL, 42, Subtype.AMBIGUITY)
    dealt = deal(order, PAPER, 42, Subtype.AMBIGUITY)
    merged = interleave(dealt, order, PAPER)
    assert sorted(merged) == sorted(POOL)
    for length in (1, 20, 137, 400):
        counts = Counter(dealt[sample] for sample in merged[:length])
        assert all(abs(counts[share.model] - share.share * length) <= 1 for share in PAPER)


def test_samples_that_are_added_move_few_others_to_another_model() -> None:
    before = deal(POOL, PAPER, 42, Subtype.AMBIGUITY)
    after = deal([*POOL, *(f"smp_new{number}" for number in range(10))], PAPER, 42, Subtype.AMBIGUITY)
    assert sum(before[sample] != after[sample] for sample in POOL) <= 10


def test_a_queue_hands_out_exactly_what_is_asked_for_in_shards_of_one_model() -> None:
    queue = make_queue(POOL)
    shards = queue.take(130)
    assert sum(len(shard.samples) for shard in shards) == queue.handed_out == 130
    assert max(len(shard.samples) for shard in shards) == 50
    counts: Counter[str] = Counter()
    for shard in shards:
        assert isinstance(shard, PromptShard)
        counts[shard.generator] += len(shard.samples)
        assert shard.identity == IDENTITIES[shard.generator]
    assert all(abs(counts[share.model] - share.share * 130) <= 1 for share in PAPER)
    rest = queue.take(10_000)
    taken = [sample for shard in [*shards, *rest] for sample in shard.samples]
    assert sorted(taken) == sorted(POOL)
    assert queue.take(5) == []


def test_the_order_of_the_pool_does_not_matter() -> None:
    one, two = make_queue(POOL).take(60), make_queue(POOL[::-1]).take(60)
    assert [shard.key for shard in one] == [shard.key for shard in two]
