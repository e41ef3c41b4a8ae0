"""A release says which models made and judged it."""

import pytest

from core.model_specs import ModelSpec, ModelsRecipe, PanelRecipe, Price
from export.card import render_card
from export.facts import ReleaseFacts
from export.manifest import describe_release
from export.roles import list_roles
from export.rows import ReleaseItem, make_flawed_row, make_twin_rows

MODELS = ModelsRecipe.model_validate(
    {
        "name": "tested",
        "models": {
            key: {"provider": "openai", "name": f"model-{key}", "family": key, "base_url": f"http://{key}.inside/v1"}
            for key in ("a", "b", "c", "smith")
        }
        | {"painter": {"provider": "gemini", "name": "model-painter", "family": "painter"}},
        "generators": [{"model": "a", "share": 0.75}, {"model": "b", "share": 0.25}],
        "image_editor": "painter",
        "rewriter": "smith",
        "panel": {"validators": ["a", "b"], "reserve": ["c"]},
        "few_shot": 4,
        "budget_usd": 5,
    }
)


@pytest.fixture
def modelled(facts: ReleaseFacts) -> ReleaseFacts:
    recipe = facts.recipe.model_copy(update={"models": MODELS})
    return facts._replace(recipe=recipe, prompts=("ambiguity@1", "validate@2"))


def test_the_card_names_every_role_and_the_prompts(modelled: ReleaseFacts, items: list[ReleaseItem]) -> None:
    card = render_card(modelled, [make_flawed_row(item) for item in items], make_twin_rows(items))
    for line in (
        "| generators and their shares of the questions | `openai:model-a` 75%, `openai:model-b` 25% |",
        "| image editor | `gemini:model-painter` |",
        "| rewriter of source texts | `openai:model-smith` |",
        "| examples in a prompt | 4 |",
        "| validators | `openai:model-a`, `openai:model-b` |",
        "| reserve of validators | `openai:model-c` |",
        "| prompts | `ambiguity@1`, `validate@2` |",
    ):
        assert line in card


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"ask": "all"}, "asks all of those"),
        ({"rule": "majority"}, "more than half"),
        ({"show_original": True}, "the source question"),
    ],
    ids=["ask", "rule", "original"],
)
def test_the_panel_is_told_as_it_is_set(changes: dict[str, object], text: str) -> None:
    def tell(panel: PanelRecipe) -> str:
        return str(list(list_roles(MODELS.model_copy(update={"panel": panel}))))

    assert text not in tell(MODELS.panel)
    assert text in tell(MODELS.panel.model_copy(update=changes))


def test_the_manifest_holds_the_recipe_without_what_cannot_change_a_reply(
    modelled: ReleaseFacts, items: list[ReleaseItem]
) -> None:
    rows = [make_flawed_row(item) for item in items]
    manifest = describe_release(modelled, rows, [])
    text = manifest.model_dump_json()
    assert manifest.recipe_content["name"] == "tiny"
    assert '"few_shot":4' in text
    assert '"base_url":"left out"' in text
    assert '"base_url":null' in text
    assert not any(word in text for word in (".inside", "budget_usd", "price", "key_variable"))
    assert manifest.prompts == ("ambiguity@1", "validate@2")
    cheaper = MODELS.model_copy(update={"budget_usd": 1.0, "prices": {"model-a": _price()}})
    recipe = modelled.recipe.model_copy(update={"models": cheaper})
    assert describe_release(modelled._replace(recipe=recipe), rows, []) == manifest
    spec: ModelSpec = MODELS.models["a"].model_copy(update={"name": "other"})
    changed = MODELS.model_copy(update={"models": {**MODELS.models, "a": spec}})
    recipe = modelled.recipe.model_copy(update={"models": changed})
    assert describe_release(modelled._replace(recipe=recipe), rows, []).content != manifest.content


def test_recipes_of_other_runs_are_named_with_their_models(modelled: ReleaseFacts, items: list[ReleaseItem]) -> None:
    rules = modelled.recipe.model_copy(update={"name": "added", "models": None, "seed": 9})
    facts = modelled._replace(recipe=rules, further=(modelled.recipe,))
    rows = [make_flawed_row(item) for item in items]
    manifest, alone = (describe_release(found, rows, []) for found in (facts, facts._replace(further=())))
    assert manifest.content != alone.content
    (entry,) = manifest.further_recipes
    assert (entry.recipe, entry.recipe_id) == ("tiny", modelled.recipe.id)
    assert "model-painter" in str(entry.recipe_content)
    whole, further = render_card(facts, rows, make_twin_rows(items)).split("Rows of other runs are in this release too")
    assert "| models | none: rules made its flaws |" in whole
    assert f"| recipe | `tiny` (`{modelled.recipe.id}`) |" in further
    assert "| image editor | `gemini:model-painter` |" in further


def test_rows_with_a_twin_that_was_judged_valid_are_counted_by_subtype(
    facts: ReleaseFacts, items: list[ReleaseItem]
) -> None:
    judged = [item._replace(valid_twin=item.parent is items[0].parent, twin_panel="a+b") for item in items]
    test = [make_flawed_row(item) for item in judged]
    counted, plain = (render_card(facts, test, make_twin_rows(found)) for found in (judged, items))
    ends = {line.split(" | ")[1]: line.split(" | ")[-2:] for line in counted.splitlines() if line.count(" | ") == 5}
    assert ends["`intra_textual_contradiction`"] == ["1", "1 |"]
    assert ends["`mismatch`"] == ["1", "0 |"]
    assert "With a valid twin" in counted
    assert "With a valid twin" not in plain


def _price() -> Price:
    return Price(input=1, output=2, date="2026-11-01")
