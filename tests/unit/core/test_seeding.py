import hashlib
import random

from hypothesis import given
from hypothesis import strategies as st

from core.seeding import ordered, stream

NAMES = st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=30, unique=True)


def draw(generator: random.Random) -> list[float]:
    return [generator.random() for _ in range(5)]


def test_stream_is_seeded_by_the_hash_of_seed_and_names() -> None:
    digest = hashlib.sha256(b"42\x1fsmp_1\x1fmismatch").digest()
    assert draw(stream(42, "smp_1", "mismatch")) == draw(random.Random(int.from_bytes(digest, "big")))


def test_drawing_from_one_stream_leaves_the_others_alone() -> None:
    expected = draw(stream(42, "b"))
    draw(stream(42, "a"))
    random.seed(1)
    assert draw(stream(42, "b")) == expected


def test_seed_and_every_name_count() -> None:
    drawn = [
        tuple(draw(generator))
        for generator in (
            stream(1, "a", "b"),
            stream(2, "a", "b"),
            stream(1, "a", "c"),
            stream(1, "b", "a"),
            stream(1, "ab"),
            stream(1, "a"),
            stream(1),
        )
    ]
    assert len(set(drawn)) == len(drawn)


@given(NAMES, st.integers(0, 2**32), st.randoms())
def test_order_does_not_depend_on_the_order_of_arrival(names: list[str], seed: int, shuffler: random.Random) -> None:
    expected = ordered(names, seed, "sampling", str)
    shuffler.shuffle(names)
    assert ordered(names, seed, "sampling", str) == expected


@given(NAMES, st.data())
def test_taking_an_item_away_leaves_the_order_of_the_others(names: list[str], data: st.DataObject) -> None:
    gone = data.draw(st.sampled_from(names))
    before = ordered(names, 42, "sampling", str)
    after = ordered([name for name in names if name != gone], 42, "sampling", str)
    assert after == [name for name in before if name != gone]


def test_order_holds_every_item_and_differs_by_seed_and_purpose() -> None:
    names = [str(number) for number in range(50)]
    orders = [ordered(names, seed, purpose, str) for seed, purpose in ((1, "a"), (2, "a"), (1, "b"))]
    assert all(sorted(order) == sorted(names) for order in orders)
    assert len({tuple(order) for order in orders}) == 3


def test_every_item_is_first_about_equally_often() -> None:
    firsts = [ordered(["a", "b", "c", "d"], seed, "x", str)[0] for seed in range(800)]
    assert all(150 < firsts.count(name) < 250 for name in "abcd")
