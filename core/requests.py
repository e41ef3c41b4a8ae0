"""What one run is asked to do: a recipe and how this run narrows it. The command line and the flows share it."""

import os

from pydantic import Field, TypeAdapter, ValidationError

from core.errors import ConfigurationError
from core.model_choice import NO_MODELS, choose_models
from core.model_specs import ModelsRecipe, override
from core.plain_numbers import Number
from core.recipe import BuildName, Recipe, load_recipe
from core.records import Record
from core.settings import load_settings
from core.taxonomy import Subtype

RECIPE = Field(default="starter", description="name of a shipped recipe, or path of a YAML file")
SOURCES = Field(default=None, description="readers of the recipe to use; all of them when left out")
SUBTYPES = Field(default=None, description="subtypes to build; all that the recipe names when left out")
LIMIT = Field(default=None, ge=1, le=10**9, description="take at most this many questions; targets shrink to it")
SEED = Field(default=None, ge=0, lt=2**64, description="seed of all choices; the recipe's own when left out")


class ModelChoice(Record):
    """Which models a run asks. `use`: a preset, a file of models, or `none` for rules alone; left out, those of the
    recipe or else of the environment. `changes`: `KEY=VALUE` with a dotted key of that file. `budget_usd`: the run
    stops before it would be passed. `retry_failed`: requests that failed for good or were refused in earlier runs are
    asked again."""

    use: str | None = None
    changes: tuple[str, ...] = ()
    budget_usd: Number | None = Field(default=None, gt=0)
    retry_failed: bool = False

    def resolve(self, of_recipe: ModelsRecipe | None) -> ModelsRecipe | None:
        """Raises ConfigurationError."""
        models = choose_models(self.use, self.changes, of_recipe, load_settings(), os.environ)
        if self.budget_usd is None or self.use == NO_MODELS:
            return models
        if models is None:
            raise ConfigurationError(
                "A budget is given but no models are used.", "Name them with --models, or leave the budget out."
            )
        return override(models, (f"budget_usd={self.budget_usd}",))


DEFAULT_MODELS = ModelChoice()
MODELS = Field(default=DEFAULT_MODELS, description="which models to ask, and the budget; rules alone when none are set")


class BuildRequest(Record):
    recipe: str = RECIPE
    sources: tuple[str, ...] | None = SOURCES
    subtypes: tuple[Subtype, ...] | None = SUBTYPES
    limit: int | None = LIMIT
    seed: int | None = SEED
    models: ModelChoice = MODELS

    def resolve(self) -> Recipe:
        """The recipe as this run uses it. Raises ConfigurationError that names the value."""
        recipe = load_recipe(self.recipe, with_models=self.models.use is None)
        if recipe.premises is not None:
            raise ConfigurationError(
                f"Recipe {self.recipe} is one of premise pairs, which `build` does not make nor `plan` estimate.",
                f"Build it with `flawbench premises --recipe {self.recipe}`; with `--limit 2 --budget 1` first, "
                f"`flawbench cost {recipe.name}` says what a few of them cost, and no reply is paid for twice.",
            )
        targets = recipe.targets
        if self.subtypes is not None:
            require_known(set(self.subtypes), set(targets), "subtype", self.recipe)
            targets = {name: count for name, count in targets.items() if name in self.subtypes}
        if self.limit is not None:
            shrunk = {name: min(count, self.limit) for name, count in targets.items()}
            targets = {name: shrunk[name] for name in self.subtypes or shrunk}
        narrowed = narrow(recipe, self.recipe, self.sources, self.seed, self.models)
        return narrowed.model_copy(update={"targets": targets})


def narrow(recipe: Recipe, name: str, sources: tuple[str, ...] | None, seed: int | None, models: ModelChoice) -> Recipe:
    """To some of its sources, another seed, other models. Raises ConfigurationError."""
    changes: dict[str, object] = {"models": models.resolve(recipe.models)}
    if seed is not None:
        changes["seed"] = seed
    if sources is not None:
        require_known(set(sources), {source.reader for source in recipe.sources}, "source", name)
        changes["sources"] = tuple(source for source in recipe.sources if source.reader in sources)
    return recipe.model_copy(update=changes)


def require_known(asked: set[str], known: set[str], kind: str, recipe: str) -> None:
    """Raises ConfigurationError."""
    unknown = sorted(str(name) for name in asked - known)
    if unknown:
        raise ConfigurationError(
            f"Recipe {recipe} has no {kind} {', '.join(unknown)}.",
            f"Use some of: {', '.join(sorted(str(name) for name in known))}.",
        )


def require_build_name(name: str) -> str:
    """Raises ConfigurationError for what cannot name a build and its release folder."""
    try:
        return TypeAdapter(BuildName).validate_python(name)
    except ValidationError as error:
        raise ConfigurationError(
            f"{ascii(name)[:80]} cannot name a build.",
            "Use lower-case letters, digits, `.`, `_` and `-`, at most 64, the first a letter or a digit.",
        ) from error


def make_request(
    recipe: str,
    sources: tuple[str, ...] | None,
    subtypes: tuple[Subtype, ...] | None,
    limit: int | None,
    seed: int | None,
    models: ModelChoice = DEFAULT_MODELS,
) -> BuildRequest:
    """Raises ConfigurationError that names the parameter."""
    try:
        return BuildRequest(recipe=recipe, sources=sources, subtypes=subtypes, limit=limit, seed=seed, models=models)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise ConfigurationError(
            f"`{first['loc'][0]}` is {str(first['input'])[:80]!r}: {first['msg']}.", "Give another value."
        ) from error
