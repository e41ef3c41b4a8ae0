"""The validators that a recipe's models name, as the rules of who may judge take them."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from core.model_specs import ModelsRecipe
from filters.validators import Shortage, Validator, choose_validators


class NamedValidators(NamedTuple):
    first: list[Validator]
    reserve: list[Validator]


def named_validators(models: ModelsRecipe) -> NamedValidators:
    return NamedValidators(_find(models.panel.validators, models), _find(models.panel.reserve, models))


def choose_panel(
    models: ModelsRecipe, touched: Collection[str], seed: int, item: str
) -> tuple[Validator, ...] | Shortage:
    """`touched` are the families that made the item."""
    return choose_validators(touched, *named_validators(models), models.panel.ask, seed, item)


def _find(names: Iterable[str], models: ModelsRecipe) -> list[Validator]:
    return [Validator(name, models.models[name].family) for name in names]
