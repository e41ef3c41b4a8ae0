"""Who may judge a candidate: never a model family that touched it, because a model that made a flaw would confirm it
(A9, A31)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from core.model_specs import family_key
from core.records import Decision, FlawedSample, Sample, Stage
from core.seeding import ordered
from filters.base import DropReason, drop

PAIR = 2


class Validator(NamedTuple):
    """`name` is the key in the file of models, `family` who made the model."""

    name: str
    family: str


@dataclass(frozen=True, slots=True)
class Shortage:
    """Fewer than two may judge: `touched` families are excluded, `left` is who remains."""

    touched: tuple[str, ...]
    left: tuple[Validator, ...]

    @property
    def evidence(self) -> str:
        touched = ", ".join(self.touched) or "none"
        left = ", ".join(f"{validator.name} ({validator.family})" for validator in self.left) or "none"
        return f"families that touched it: {touched}; validators and reserve left: {left}; {PAIR} are needed"


def touched_families(candidate: FlawedSample, parent: Sample) -> frozenset[str]:
    """Of the generator, the image editor and the rewriter (A9)."""
    return frozenset(parent.families).union(*(flaw.families for flaw in candidate.flaws))


def choose_validators(
    touched: Collection[str],
    validators: Sequence[Validator],
    reserve: Sequence[Validator],
    ask: Literal["two", "all"],
    seed: int,
    item: str,
) -> tuple[Validator, ...] | Shortage:
    """At least two whose family did not touch the item, or a Shortage (A9). `two`: of more than two, two are drawn by
    seed and item, whatever the order given. `all`: every one of `validators`. The reserve, in its order, fills up to
    two. Two of one family are taken only when nobody of another family is left, the reserve included."""
    excluded = {family_key(family) for family in touched}
    allowed = _allowed(validators, excluded)
    spare = [validator for validator in _allowed(reserve, excluded) if validator not in allowed]
    if ask == "all" and len(allowed) >= PAIR:
        return tuple(allowed)
    drawn = ordered(allowed, seed, f"panel:{item}", lambda validator: validator.name)
    chosen = _take_pair([*drawn, *spare])
    if len(chosen) < PAIR:
        return Shortage(tuple(sorted(touched)), chosen)
    return chosen


def choose_verifier(
    touched: Collection[str], validators: Sequence[Validator], reserve: Sequence[Validator], seed: int, item: str
) -> Validator | None:
    """One whose family did not touch the item, drawn by seed and item; of the reserve only where there is no other."""
    excluded = {family_key(family) for family in touched}
    allowed = _allowed(validators, excluded)
    drawn = ordered(allowed, seed, f"verify:{item}", lambda validator: validator.name)
    return next(iter((*drawn, *_allowed(reserve, excluded))), None)


def drop_for_shortage(candidate: FlawedSample, shortage: Shortage, decided_by: str) -> Decision:
    """NO_VALIDATOR: nobody is asked and nothing is paid."""
    return drop(candidate, Stage.PANEL, decided_by, DropReason.NO_VALIDATOR, shortage.evidence)


def _allowed(validators: Sequence[Validator], excluded: set[str]) -> list[Validator]:
    unique = {validator.name: validator for validator in validators}
    return [validator for validator in unique.values() if family_key(validator.family) not in excluded]


def _take_pair(pool: list[Validator]) -> tuple[Validator, ...]:
    """The first, and the first of another family after it, or else the second."""
    if len(pool) < PAIR:
        return tuple(pool)
    first, *others = pool
    return first, next((other for other in others if family_key(other.family) != family_key(first.family)), others[0])
