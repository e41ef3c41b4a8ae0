import pytest

from core.makers import name_makers, name_panels
from core.model_specs import ModelsRecipe, load_models
from core.recipe import Recipe, SourceRecipe
from core.taxonomy import Subtype

PAPER = load_models("mmpcbench")


def make_recipe(models: ModelsRecipe | None) -> Recipe:
    return Recipe(name="r", sources=(SourceRecipe(reader="starter"),), targets={Subtype.MISMATCH: 1}, models=models)


@pytest.mark.parametrize(
    ("models", "makers", "panels"),
    [
        ([], "", ""),
        ([None], "rules", "no panel"),
        ([load_models("local")], "local (local)", "no panel"),
        (
            [None, PAPER, PAPER],
            "rules, mmpcbench (gpt-5.1, gemini-3-pro-preview, doubao-seed-1-6-vision-250815)",
            "no panel, panel all",
        ),
    ],
    ids=["nothing", "rules", "local", "rules and models"],
)
def test_makers_and_panels_are_named_once_each(models: list[ModelsRecipe | None], makers: str, panels: str) -> None:
    recipes = [make_recipe(found) for found in models]
    assert (name_makers(recipes), name_panels(recipes)) == (makers, panels)
