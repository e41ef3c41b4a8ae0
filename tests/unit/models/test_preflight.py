"""What is found before any money is spent."""

from pathlib import Path

import pytest

from core.errors import ConfigurationError
from core.model_specs import GeneratorShare, ModelSpec, ModelsRecipe, PanelRecipe, Price, load_models, override
from models.preflight import preflight, used_models

KEYS = dict.fromkeys(("OPENAI_API_KEY", "GEMINI_API_KEY", "ARK_API_KEY", "ANTHROPIC_API_KEY"), "k")
SPEC = ModelSpec(provider="openai", name="m-1", family="f", key_variable="M_KEY")
PRICE = Price(input=1, output=1, date="2026-01-01")


def recipe(spec: ModelSpec = SPEC, **changes: object) -> ModelsRecipe:
    models = {"a": spec, "idle": SPEC.model_copy(update={"key_variable": "NOT_SET"})}
    base = ModelsRecipe(name="mine", models=models, generators=(GeneratorShare(model="a", share=1),))
    return base.model_copy(update=changes)


@pytest.mark.parametrize("preset", ["mmpcbench", "jba", "local"])
def test_presets_are_fine_with_their_keys(preset: str) -> None:
    preflight(load_models(preset), KEYS)


@pytest.mark.parametrize("environment", [{}, {"M_KEY": ""}, {"M_KEY": " "}], ids=["unset", "empty", "blank"])
def test_a_missing_key_is_named_with_its_model(environment: dict[str, str]) -> None:
    with pytest.raises(ConfigurationError, match=r"mine ask openai:m-1 as `a`.*M_KEY.*`models\.a\.key_variable`"):
        preflight(recipe(), environment)


def test_what_is_to_be_changed_is_named_with_the_file_that_was_read(tmp_path: Path) -> None:
    file = tmp_path / "my judges.yaml"
    file.write_text(recipe().model_dump_json(), encoding="utf-8")
    changed = override(load_models(str(file)), ("budget_usd=5",))
    with pytest.raises(ConfigurationError, match=f"key_variable` in {file}"):
        preflight(changed, {})
    with pytest.raises(ConfigurationError, match=f"`prices.m-1` in {file}"):
        preflight(changed, {"M_KEY": "k"})
    with pytest.raises(ConfigurationError, match=f"in {file} has `parameters.thinking_budget: 5`"):
        preflight(override(changed, ("models.a.parameters.thinking_budget=5",)), {"M_KEY": "k"})


def test_a_model_without_a_role_needs_no_key() -> None:
    preflight(recipe(), {"M_KEY": "k"})
    assert set(used_models(recipe())) == {"a"}


def test_a_model_that_is_only_replayed_needs_no_key_and_no_price() -> None:
    replayed = override(load_models("mmpcbench"), ("models.gpt.replay=true", "budget_usd=1", "models.gpt.price=none"))
    keys = {spec.key_variable: "k" for spec in replayed.models.values() if spec.key_variable}
    del keys["OPENAI_API_KEY"]
    preflight(replayed, keys)
    with pytest.raises(ConfigurationError, match="OPENAI_API_KEY"):
        preflight(override(replayed, ("models.gpt.replay=false",)), keys)


def test_the_models_of_the_panel_need_keys_too() -> None:
    with pytest.raises(ConfigurationError, match="NOT_SET"):
        preflight(recipe(panel=PanelRecipe(validators=("idle",))), {"M_KEY": "k"})


def test_an_unknown_price_is_an_error_only_with_a_budget() -> None:
    preflight(recipe(), {"M_KEY": "k"})
    with pytest.raises(ConfigurationError, match=r"budget of 5 US dollars.*`prices\.m-1`.*remove `budget_usd`"):
        preflight(recipe(budget_usd=5.0), {"M_KEY": "k"})
    preflight(recipe(budget_usd=5.0, prices={"m-1": PRICE}), {"M_KEY": "k"})


def test_batches_are_only_asked_of_those_who_make_them() -> None:
    batched = {name: SPEC.model_copy(update={"batch": True, "provider": name}) for name in ("openai", "gemini")}
    for spec in batched.values():
        preflight(recipe(spec), {"M_KEY": "k"})
    with pytest.raises(ConfigurationError, match=r"for edited pictures\. Remove `models\.a\.batch`"):
        preflight(recipe(batched["gemini"], image_editor="a"), {"M_KEY": "k"})
    with pytest.raises(ConfigurationError, match=r"no batch mode here\. Remove `models\.a\.batch`"):
        preflight(recipe(SPEC.model_copy(update={"batch": True, "provider": "anthropic"})), {"M_KEY": "k"})


def test_a_key_never_stands_in_an_error() -> None:
    with pytest.raises(ConfigurationError) as caught:
        preflight(recipe(budget_usd=5.0), {"M_KEY": "sk-planted-key"})
    assert "sk-planted-key" not in str(caught.value)


@pytest.mark.parametrize("key", ["key\n", " key", "ke\ny", "thré€"], ids=["line end", "blank", "two lines", "letters"])
def test_what_cannot_be_a_key_is_told_before_any_call(key: str) -> None:
    models = load_models("mmpcbench")
    variables = {str(spec.key_variable) for spec in models.models.values()}
    with pytest.raises(ConfigurationError, match="holds what no key has"):
        preflight(models, dict.fromkeys(variables, key))
