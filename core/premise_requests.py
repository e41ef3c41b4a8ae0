"""What one run of premise pairs is asked to do: a recipe with `premises` and how this run narrows it."""

from pydantic import Field

from core.errors import ConfigurationError
from core.recipe import Recipe, load_recipe
from core.records import Record
from core.requests import LIMIT, MODELS, SEED, SOURCES, ModelChoice, narrow, require_known
from core.taxonomy import PremiseSubtype

PREMISE_RECIPE = Field(default="premises", description="name of a shipped recipe, or path of a YAML file")
PREMISE_SUBTYPES = Field(default=None, description="premise subtypes to build; all that the recipe names when left out")


class PremiseRequest(Record):
    recipe: str = PREMISE_RECIPE
    sources: tuple[str, ...] | None = SOURCES
    subtypes: tuple[PremiseSubtype, ...] | None = PREMISE_SUBTYPES
    limit: int | None = LIMIT
    seed: int | None = SEED
    models: ModelChoice = MODELS

    def resolve(self) -> Recipe:
        """The recipe as this run uses it. Raises ConfigurationError that names the value."""
        recipe = load_recipe(self.recipe, with_models=self.models.use is None)
        if recipe.premises is None:
            raise ConfigurationError(
                f"Recipe {self.recipe} has no `premises`.",
                f"Build it with `flawbench build --recipe {self.recipe}`, or name a recipe of premise pairs.",
            )
        targets = recipe.premises.targets
        if self.subtypes is not None:
            require_known(set(self.subtypes), set(targets), "subtype", self.recipe)
            targets = {name: count for name, count in targets.items() if name in self.subtypes}
        if self.limit is not None:
            targets = {name: min(count, self.limit) for name, count in targets.items()}
        premises = recipe.premises.model_copy(update={"targets": targets})
        narrowed = narrow(recipe, self.recipe, self.sources, self.seed, self.models)
        return narrowed.model_copy(update={"premises": premises})
