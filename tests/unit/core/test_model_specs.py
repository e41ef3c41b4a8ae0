"""What a file of models may hold, what of it shapes the data, and which models a run gets."""

from pathlib import Path

import pytest

from core.errors import ConfigurationError
from core.model_choice import choose_models
from core.model_specs import PRESETS_FOLDER, RUNTIME_FIELDS, ModelSpec, ModelsRecipe, load_models, override
from core.recipe import load_recipe
from core.settings import Settings

KEYS: dict[str, str] = dict.fromkeys(("OPENAI_API_KEY", "GEMINI_API_KEY", "ARK_API_KEY", "ANTHROPIC_API_KEY"), "k")
SHIPPED = sorted(path.stem for path in PRESETS_FOLDER.glob("*.yaml"))
MINIMAL = """
name: mine
models:
  a: {provider: openai, name: one, family: f, base_url: "http://127.0.0.1:1/v1"}
generators: [{model: a, share: 1.0}]
"""


def write(folder: Path, text: str) -> str:
    path = folder / "models.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_presets_can_be_used_and_carry_their_name(name: str) -> None:
    assert load_models(name).name == name


def test_the_paper_has_its_quota_and_three_families_on_the_panel() -> None:
    models = load_models("mmpcbench")
    assert [share.share for share in models.generators] == [0.60, 0.25, 0.15]
    assert len({models.models[name].family for name in models.panel.validators}) == 3


def test_presets_ask_the_models_of_their_papers_and_never_scripted_ones() -> None:
    paper, other = load_models("mmpcbench"), load_models("jba")
    assert paper.models[paper.image_editor or ""].provider == "gemini"
    finders = [other.models[name].name for name in (other.generators[0].model, other.question_writer or "")]
    assert finders == ["Qwen/Qwen2.5-VL-72B-Instruct", "Qwen/Qwen3-32B"]
    assert "scripted" not in {spec.provider for name in SHIPPED for spec in load_models(name).models.values()}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (MINIMAL.replace("share: 1.0", "share: 0.5"), "add up to 1"),
        (MINIMAL.replace("model: a", "model: b"), "b stands in a role"),
        (MINIMAL + "panel: {validators: [judge]}\n", "judge stands in a role"),
        (MINIMAL.replace("provider: openai", "provider: acme"), "models.a.provider"),
        (MINIMAL + "colour: red\n", "colour"),
        (MINIMAL + "api_key: x\n", "did you mean `key_variable`"),
        (MINIMAL + "budget_usd: true\n", "`budget_usd`: .*number"),
        (MINIMAL + "few_shot: true\n", "`few_shot`: .*integer"),
        (MINIMAL + "repair_turns: 01\n", "not the same number"),
        (MINIMAL + "image_editor: a\n", "models of provider openai make no pictures"),
        (MINIMAL.replace("openai", "anthropic") + "image_editor: a\n", "provider anthropic make no pictures"),
    ],
    ids=[
        "shares",
        "generator",
        "validator",
        "provider",
        "unknown key",
        "key instead of its variable",
        "true as dollars",
        "true as count",
        "octal",
        "editor of openai",
        "editor of anthropic",
    ],
)
def test_a_bad_file_is_refused_with_its_key(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=said):
        load_models(write(tmp_path, text))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("http://127.0.0.1:1/v1", "HTTP://127.0.0.1:1/v1/"),
        ("http://host/v1", "http://Host:80/v1"),
        (None, "https://api.openai.com/v1"),
    ],
    ids=["case and slash", "port", "default"],
)
def test_one_model_on_one_server_has_one_family(first: str | None, second: str | None) -> None:
    def read(second_family: str, **changes: object) -> ModelsRecipe:
        one = {"provider": "openai", "name": "one", "family": "Open AI", "base_url": first}
        two = {**one, "family": second_family, "base_url": second, "name": "ONE", **changes}
        share = {"model": "a", "share": 1}
        return ModelsRecipe.model_validate({"name": "n", "models": {"a": one, "b": two}, "generators": [share]})

    with pytest.raises(ValueError, match=r"`a` and `b` are openai:ONE on one server with two families"):
        read("other")
    read("openai")
    read("other", name="two")
    read("other", base_url="http://127.0.0.2:1/v1")


def test_an_unknown_name_lists_the_presets() -> None:
    with pytest.raises(ConfigurationError, match="local, mmpcbench"):
        load_models("gpt-best")


def test_a_dotted_key_is_changed_and_an_unknown_one_is_refused(tmp_path: Path) -> None:
    models = load_models(write(tmp_path, MINIMAL))
    changed = override(models, ("models.a.limits.concurrency=7", "budget_usd=2.5"))
    assert (changed.models["a"].limits.concurrency, changed.budget_usd) == (7, 2.5)
    for change in ("models.b.name=x", "models.a.colour=red", "budget_usd"):
        with pytest.raises(ConfigurationError):
            override(models, (change,))


def test_only_what_can_change_a_reply_changes_the_recipe(tmp_path: Path) -> None:
    text = "name: tiny\nsources: [{reader: starter}]\ntargets: {mismatch: 3}\nmodels: mmpcbench\n"
    path = tmp_path / "recipe.yaml"
    path.write_text(text, encoding="utf-8")
    recipe = load_recipe(str(path))
    assert recipe.models is not None
    free = override(recipe.models, ("models.gpt.limits.concurrency=7", "budget_usd=2", "models.gpt.attempts=2"))
    other = override(recipe.models, ("models.gpt.parameters.temperature=1",))
    assert recipe.model_copy(update={"models": free}).id == recipe.id
    assert recipe.model_copy(update={"models": other}).id != recipe.id


def test_every_field_of_a_model_either_shapes_or_is_named_as_runtime() -> None:
    spec = ModelSpec(provider="openai", name="one", family="f")
    assert spec.shaping().keys() | RUNTIME_FIELDS == set(ModelSpec.model_fields)
    assert not spec.shaping().keys() & RUNTIME_FIELDS


@pytest.mark.parametrize(
    ("asked", "settings", "environment", "chosen"),
    [
        (None, {}, {}, None),
        ("none", {"base_url": "http://x/v1"}, KEYS, None),
        (None, {}, KEYS, "mmpcbench"),
        (None, {}, {"OPENAI_API_KEY": "k"}, None),
        (None, {"base_url": "http://x/v1", "model": "m"}, {}, "local"),
        (None, {"models": "jba"}, KEYS, "jba"),
        ("local", {"models": "jba"}, KEYS, "local"),
    ],
    ids=["nothing", "none wins", "all keys", "one key", "base_url", "setting", "command"],
)
def test_which_models_a_run_gets(
    asked: str | None, settings: dict[str, str], environment: dict[str, str], chosen: str | None
) -> None:
    models = choose_models(asked, (), None, Settings.model_validate(settings), environment)
    assert (models.name if models else None) == chosen


def test_the_local_server_is_the_one_of_the_environment() -> None:
    settings = Settings(base_url="http://10.0.0.1/v1", model="qwen", api_key_variable="MY_KEY")
    models = choose_models(None, (), None, settings, {})
    assert models is not None
    spec = models.models["local"]
    assert (spec.base_url, spec.name, spec.key_variable) == ("http://10.0.0.1/v1", "qwen", "MY_KEY")


def test_keys_alone_never_spend_much_unless_a_budget_is_named() -> None:
    unasked = choose_models(None, (), None, Settings(), KEYS)
    named = choose_models(None, ("budget_usd=100",), None, Settings(), KEYS)
    asked = choose_models("mmpcbench", (), None, Settings(), KEYS)
    assert [models.budget_usd for models in (unasked, named, asked) if models] == [5.0, 100, None]


@pytest.mark.parametrize("given", [{"base_url": "http://x/v1"}, {"model": "m"}], ids=["server", "model"])
def test_a_server_and_a_model_go_together(given: dict[str, str]) -> None:
    with pytest.raises(ConfigurationError, match="go together"):
        choose_models(None, (), None, Settings.model_validate(given), {})


def test_models_may_stand_beside_their_recipe_and_others_may_take_their_place(tmp_path: Path) -> None:
    write(tmp_path, MINIMAL)
    path = tmp_path / "recipe.yaml"
    text = "name: tiny\nsources: [{reader: starter}]\ntargets: {mismatch: 3}\nmodels: "
    path.write_text(text + "models.yaml\n", encoding="utf-8")
    beside = load_recipe(str(path)).models
    assert beside is not None
    assert beside.name == "mine"
    path.write_text(text + "nowhere.yaml\n", encoding="utf-8")
    assert load_recipe(str(path), with_models=False).models is None
    with pytest.raises(ConfigurationError, match=r"nowhere\.yaml"):
        load_recipe(str(path))
