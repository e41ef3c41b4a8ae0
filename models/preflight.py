"""What can be known to go wrong before any money is spent: keys, prices and parameters of all models that stand in a
role."""

from collections.abc import Mapping

from core.errors import ConfigurationError
from core.model_specs import ModelSpec, ModelsRecipe
from models.batch_server import BATCH_PROVIDERS
from models.prices import find_price
from models.providers.registry import check_spec


def used_models(models: ModelsRecipe) -> dict[str, ModelSpec]:
    """Those that stand in a role, by their keys in the file."""
    names = {share.model for share in models.generators} | {*models.panel.validators, *models.panel.reserve}
    names |= {name for name in (models.image_editor, models.rewriter, models.question_writer) if name}
    return {name: spec for name, spec in models.models.items() if name in names}


def asked_models(models: ModelsRecipe) -> dict[str, ModelSpec]:
    """Those of them whose replies are not only replayed."""
    return {name: spec for name, spec in used_models(models).items() if not spec.replay}


def preflight(models: ModelsRecipe, environment: Mapping[str, str]) -> None:
    """Raises ConfigurationError that names the file, its key and the variable to set."""
    _require_keys(models, environment)
    _require_plain_keys(models, environment)
    for name, spec in asked_models(models).items():
        check_spec(spec, models.file)
        if spec.batch and (spec.provider not in BATCH_PROVIDERS or name == models.image_editor):
            raise ConfigurationError(
                f"The models {models.name} set `models.{name}.batch`, but {spec.id} has no batch mode here"
                f"{' for edited pictures' if name == models.image_editor else ''}.",
                f"Remove `models.{name}.batch` in {models.file}: it is for text models of providers openai and gemini.",
            )
        if models.budget_usd is not None and find_price(spec, models) is None:
            price = spec.price or spec.name
            raise ConfigurationError(
                f"The models {models.name} have a budget of {models.budget_usd:g} US dollars, but `{name}` asks "
                f"{spec.id}, whose price {price} is unknown.",
                f"Write its price under `prices.{price}` in {models.file} (0 for a server of your own), set "
                f"`models.{name}.price` to a known one, or remove `budget_usd`.",
            )


def _require_keys(models: ModelsRecipe, environment: Mapping[str, str]) -> None:
    missing = {
        name: spec
        for name, spec in asked_models(models).items()
        if spec.key_variable and not environment.get(spec.key_variable, "").strip()
    }
    if missing:
        variables = ", ".join(sorted({str(spec.key_variable) for spec in missing.values()}))
        asked = ", ".join(f"{spec.id} as `{name}`" for name, spec in missing.items())
        first = next(iter(missing))
        raise ConfigurationError(
            f"The models {models.name} ask {asked}, but these variables are not set: {variables}.",
            f"Set each to the key of that account, or change `models.{first}.key_variable` in {models.file}; where "
            f"every reply is stored, `models.{first}.replay: true` (or FLAWBENCH_REPLAY=1 for all) needs none.",
        )


def _require_plain_keys(models: ModelsRecipe, environment: Mapping[str, str]) -> None:
    for variable in sorted({spec.key_variable or "" for spec in asked_models(models).values()} - {""}):
        key = environment.get(variable, "")
        if key and not (key.isascii() and key.isprintable() and key == key.strip()):
            raise ConfigurationError(
                f"{variable} holds what no key has: a blank at an end, a line break or a letter beyond ASCII.",
                f"Set {variable} to the key alone, without the end of a line.",
            )
