"""Randomness that depends on what an item is, never on when or where it is handled (A34): the same seed and item give
the same flaw whatever the order, the shard or the number of workers."""

import hashlib
import random
from collections.abc import Callable, Iterable
from typing import TypeVar

Item = TypeVar("Item")


def stream(seed: int, *names: str) -> random.Random:
    """A random stream of its own for one (seed, item, purpose)."""
    return random.Random(int.from_bytes(_digest(seed, names)))


def ordered(items: Iterable[Item], seed: int, purpose: str, key: Callable[[Item], str]) -> list[Item]:
    """The items in an order drawn from the seed and each item's own key: the order they came in does not matter."""
    return sorted(items, key=lambda item: (_digest(seed, (purpose, key(item))), key(item)))


def _digest(seed: int, names: tuple[str, ...]) -> bytes:
    return hashlib.sha256("\x1f".join((str(seed), *names)).encode()).digest()
