"""Which models a run asks: those of the command, else of the recipe, else of the environment; else none, and rules make
the flaws. What is chosen is told before anything is paid."""

import json
from collections.abc import Mapping

from core.errors import ConfigurationError
from core.model_specs import ModelsRecipe, load_models, override
from core.settings import Settings

NO_MODELS = "none"
LOCAL = "local"
PAPER = "mmpcbench"
UNASKED_BUDGET_USD = 5.0
"""For models that nobody named: keys in the environment alone must not cost much."""


def choose_models(
    asked: str | None,
    changes: tuple[str, ...],
    of_recipe: ModelsRecipe | None,
    settings: Settings,
    environment: Mapping[str, str],
) -> ModelsRecipe | None:
    """`asked` is a preset, a file or `none`; `changes` are `KEY=VALUE`. Raises ConfigurationError."""
    if asked == NO_MODELS:
        return None
    models = load_models(asked) if asked is not None else of_recipe or _of_environment(settings, environment)
    if models is None:
        if changes:
            key = changes[0].partition("=")[0]
            raise ConfigurationError(f"`{key}` is set but no models are used.", "Name them with --models.")
        return None
    return override(models, _local_changes(models, settings) + changes)


def tell_unused_keys(asked: str | None, settings: Settings, environment: Mapping[str, str]) -> str | None:
    """For a run without models: what the environment lacks to use the paper's, where it has some of their keys and
    nothing asks for rules alone."""
    if asked or settings.models:
        return None
    keys = _paper_keys(load_models(PAPER))
    missing = [key for key in keys if not environment.get(key)]
    if len(missing) == len(keys):
        return None
    return f"no models, rules alone: preset {PAPER} also wants {', '.join(missing)}"


def _paper_keys(paper: ModelsRecipe) -> list[str]:
    return list(dict.fromkeys(spec.key_variable for spec in paper.models.values() if spec.key_variable))


def _of_environment(settings: Settings, environment: Mapping[str, str]) -> ModelsRecipe | None:
    if settings.models:
        return None if settings.models == NO_MODELS else load_models(settings.models)
    if settings.base_url or settings.model:
        _require_both(settings)
        return load_models(LOCAL)
    paper = load_models(PAPER)
    if not all(environment.get(key) for key in _paper_keys(paper)):
        return None
    return paper.model_copy(update={"budget_usd": UNASKED_BUDGET_USD})


def _require_both(settings: Settings) -> None:
    given = {"FLAWBENCH_BASE_URL": settings.base_url, "FLAWBENCH_MODEL": settings.model}
    missing = [name for name, value in given.items() if not value]
    if missing:
        other = next(name for name in given if name not in missing)
        raise ConfigurationError(
            f"{other} is set and {missing[0]} is not: a server and the name of the model on it go together.",
            f"Set {missing[0]} as well, unset {other}, or name other models with --models.",
        )


def _local_changes(models: ModelsRecipe, settings: Settings) -> tuple[str, ...]:
    """The server named in the environment, for the one model of the preset `local`."""
    if models.name != LOCAL:
        return ()
    given = {"base_url": settings.base_url, "name": settings.model, "key_variable": settings.api_key_variable}
    # Quoted: `yes` and `7` are names of models, not values of YAML.
    return tuple(
        f"models.{key}.{field}={json.dumps(value)}" for key in models.models for field, value in given.items() if value
    )
