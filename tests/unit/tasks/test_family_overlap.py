"""Families that make and judge are told, and are no error."""

import logging

import pytest

from core.model_specs import load_models
from core.recipe import Recipe
from tasks.family_overlap import find_overlap, tell_overlap


def test_the_families_of_the_paper_make_and_judge() -> None:
    found = find_overlap(load_models("mmpcbench"))
    assert found["google"] == ("generator", "image_editor", "validator")
    assert found["openai"] == ("generator", "validator")
    assert "anthropic" not in found


def test_a_reserve_of_the_family_of_a_rewriter_is_an_overlap_however_it_is_spelled() -> None:
    models = load_models("mmpcbench")
    writer = models.models["claude"].model_copy(update={"name": "claude-other", "family": "ANTHROPIC"})
    models = models.model_copy(update={"models": {**models.models, "writer": writer}, "rewriter": "writer"})
    assert find_overlap(models)["anthropic"] == ("rewriter", "reserve")


def test_one_line_names_families_and_roles(caplog: pytest.LogCaptureFixture) -> None:
    content = {"name": "tiny", "sources": [{"reader": "starter"}], "targets": {"ambiguity": 1}}
    recipe = Recipe.model_validate(content | {"models": "mmpcbench"})
    with caplog.at_level(logging.WARNING, "flawbench.progress"):
        tell_overlap(recipe)
        tell_overlap(recipe.model_copy(update={"models": None}))
        tell_overlap(Recipe.model_validate(content | {"models": "local"}))
    (told,) = caplog.messages
    assert "google (generator, image_editor, validator)" in told
    assert "\n" not in told


def test_families_apart_are_no_overlap() -> None:
    assert find_overlap(load_models("jba")) == {}
