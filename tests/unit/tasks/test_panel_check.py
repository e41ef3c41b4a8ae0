"""A panel that could not judge what a build makes is refused before anything is made."""

from typing import Any

import pytest

from core.errors import ConfigurationError
from core.model_specs import load_models
from core.recipe import Recipe
from tasks.panel_check import check_panel


def recipe(subtype: str, models: object, **roles: Any) -> Recipe:
    content = {"name": "tiny", "sources": [{"reader": "starter"}], "targets": {subtype: 1}}
    return Recipe.model_validate(content | {"models": models and {**models, **roles}})  # type: ignore[dict-item]


def models(**families: str) -> dict[str, Any]:
    """`a` makes flaws, `painter` edits pictures; models of the families given."""
    specs = {key: {"provider": "gemini", "name": f"m-{key}", "family": family} for key, family in families.items()}
    return {"name": "mine", "models": specs, "generators": [{"model": "a", "share": 1}], "image_editor": "painter"}


FOUR = models(a="f", painter="g", b="h", c="i")


@pytest.mark.parametrize(
    ("subtype", "roles"),
    [
        ("ambiguity", {"panel": {"validators": ["a", "b", "c"]}}),
        ("ambiguity", {"panel": {"validators": ["a", "painter"], "reserve": ["b"]}}),
        ("missing_image", {"panel": {"validators": ["a", "painter"]}}),
        ("inter_visual_contradiction", {"panel": {"validators": ["a", "b"], "reserve": ["c"]}}),
        ("inter_visual_contradiction", {"panel": {"validators": ["b", "painter"]}, "image_editor": None}),
        ("ambiguity", {"panel": {"reserve": ["b"]}}),
    ],
    ids=["one touched", "reserve", "made by rules", "editor and maker", "pictures by rules", "no panel"],
)
def test_a_panel_of_two_untouched_families_is_enough(subtype: str, roles: dict[str, Any]) -> None:
    check_panel(recipe(subtype, FOUR, **roles))


@pytest.mark.parametrize(
    ("subtype", "roles", "said"),
    [
        ("ambiguity", {"panel": {"validators": ["a"]}}, "ambiguity candidates that `a` touch: .* left: none"),
        ("ambiguity", {"panel": {"validators": ["a", "b"]}}, r"left: b \(h\)"),
        ("inter_visual_contradiction", {"panel": {"validators": ["a", "b", "painter"]}}, "`a` and `painter` touch"),
        ("missing_image", {"panel": {"validators": ["b", "c"]}, "rewriter": "c"}, "candidates that `c` touch"),
        ("ambiguity", {"panel": {"validators": ["b", "c"]}, "rewriter": "c"}, "`c` and `a` touch"),
    ],
    ids=["nobody", "one", "editor", "rewriter and rules", "rewriter and maker"],
)
def test_a_panel_without_two_is_refused_with_the_subtype_and_who_made_it(
    subtype: str, roles: dict[str, Any], said: str
) -> None:
    with pytest.raises(ConfigurationError, match=f"{said}") as caught:
        check_panel(recipe(subtype, FOUR, **roles))
    assert "`panel.reserve`" in caught.value.fix


def test_families_are_the_same_however_they_are_written() -> None:
    spelled = models(a="Open AI", painter="g", b="openai", c="i")
    with pytest.raises(ConfigurationError, match=r"left: c \(i\)"):
        check_panel(recipe("ambiguity", spelled, panel={"validators": ["b", "c"]}))


@pytest.mark.parametrize("preset", ["mmpcbench", "jba", "local"])
def test_presets_can_judge_every_subtype(preset: str) -> None:
    for subtype in ("ambiguity", "inter_visual_contradiction", "mismatch"):
        check_panel(recipe(subtype, load_models(preset).model_dump()))


def test_rules_alone_need_no_panel() -> None:
    check_panel(recipe("ambiguity", None))
