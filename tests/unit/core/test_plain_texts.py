"""What may stand in an address, a name and the name of a variable, wherever it is given."""

import traceback
from pathlib import Path

import pytest

from core.errors import ConfigurationError
from core.model_choice import choose_models
from core.model_specs import ModelSpec, load_models, override
from core.plain_texts import require_address
from core.recipe import load_recipe
from core.settings import load_settings

SECRET = "hunter2-secret"
ADDRESSES = {
    "": "no address, or its port|neither http",
    "127.0.0.1:8000/v1": "neither http:// nor https://|no address",
    "file:///etc/passwd": "neither http",
    "ftp://host/v1": "neither http",
    "http://": "names no server",
    "http:///v1": "names no server",
    "http://host:70000/v1": "its port is no number from 1 to 65535",
    "http://host:port/v1": "its port is no number",
    "http://host:0/v1": "its port is no number",
    "http://host:/v1": "its port is no number",
    "http://[::1/v1": "is no address",
    "http://host/v1\n": "holds blanks",
    "http://ho st/v1": "holds blanks",
    "http://h\u00f6st/v1": "holds blanks",
    "http:\\\\host\\v1": "holds blanks",
    f"http://me:{SECRET}@host/v1": "a user or a password",
    f"http://{SECRET}@host/v1": "a user or a password",
    f"ftp://me:{SECRET}@host/v1": "a user or a password",
    f"http://host/v1?key={SECRET}": "holds a `\\?` or `#`",
    f"http://host/v1#{SECRET}": "holds a `\\?` or `#`",
}
FILE = """
name: mine
models:
  a: {{provider: openai, name: one, family: f, {field}}}
generators: [{{model: a, share: 1.0}}]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "models.yaml"


def told(error: ConfigurationError) -> str:
    """All that Prefect would log."""
    return "".join(traceback.format_exception(error))


@pytest.mark.parametrize(
    "address",
    ["http://127.0.0.1:8000/v1", "https://host", "HTTPS://Host/v1/", "http://[::1]:1/v1", "http://a_b.c-d/~x/%20"],
)
def test_an_address_of_a_server_stays_as_it_is(address: str) -> None:
    assert require_address(address) == address


@pytest.mark.parametrize("address", ADDRESSES)
def test_other_addresses_are_refused_with_file_and_key_and_without_what_they_hold(address: str, file: Path) -> None:
    file.write_text(FILE.format(field=f"base_url: {address!a}".replace("'", '"')), encoding="utf-8")
    with pytest.raises(ConfigurationError, match=ADDRESSES[address]) as caught:
        load_models(str(file))
    assert f"{file} cannot be used: `models.a.base_url`" in caught.value.message
    assert SECRET not in told(caught.value)


@pytest.mark.parametrize("variable", ["BASE_URL", "LABEL_STUDIO_URL", "LABEL_STUDIO_LINK"])
@pytest.mark.parametrize("address", [address for address in ADDRESSES if address])
def test_an_address_in_the_environment_is_refused_with_its_variable(
    address: str, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"FLAWBENCH_{variable}", address)
    with pytest.raises(ConfigurationError, match=rf"FLAWBENCH_{variable} .*(?:{ADDRESSES[address]})") as caught:
        load_settings()
    assert SECRET not in told(caught.value)


def test_an_empty_variable_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """As docker-compose passes what is not set."""
    for name in ("BASE_URL", "MODEL", "DATA", "WORKERS"):
        monkeypatch.setenv(f"FLAWBENCH_{name}", "")
    assert (load_settings().base_url, load_settings().model, load_settings().data) == (None, None, Path("data"))


@pytest.mark.parametrize("field", ["base_url", "key_variable", "api_key", "base_url.x"])
def test_a_secret_on_the_command_line_is_refused_and_not_repeated(field: str) -> None:
    change = f"models.local.{field}=http://me:{SECRET}@host/v1"
    with pytest.raises(ConfigurationError, match=rf"models\.local\.{field}") as caught:
        override(load_models("local"), (change,))
    assert SECRET not in told(caught.value)


def test_changes_without_models_do_not_repeat_their_value() -> None:
    with pytest.raises(ConfigurationError, match=r"`models\.a\.base_url` is set") as caught:
        choose_models(None, (f"models.a.base_url=http://me:{SECRET}@host",), None, load_settings(), {})
    assert SECRET not in told(caught.value)


@pytest.mark.parametrize(
    "fields", [f"api_key: {SECRET}", f"key_variable: {SECRET}", f'base_url: "http://x:{SECRET}@h", nmae: b']
)
def test_a_secret_in_the_wrong_place_of_a_file_is_not_repeated(fields: str, file: Path, tmp_path: Path) -> None:
    file.write_text(FILE.format(field=fields), encoding="utf-8")
    recipe = tmp_path / "recipe.yaml"
    inside = FILE.format(field=fields).strip().replace("\n", "\n  ")
    text = f"name: tiny\nsources: [{{reader: starter}}]\ntargets: {{mismatch: 3}}\nmodels:\n  {inside}\n"
    recipe.write_text(text, encoding="utf-8")
    for load, path in ((load_models, file), (load_recipe, recipe)):
        with pytest.raises(ConfigurationError, match=r"models\.a\.") as caught:
            load(str(path))
        assert SECRET not in told(caught.value)


@pytest.mark.parametrize("name", ["", " m", "m ", "m\n", "m\x1b[2J", "m\u202e", "m\ud800", "m" * 256])
@pytest.mark.parametrize("field", ["name", "family"])
def test_names_that_no_table_can_show_are_refused(field: str, name: str) -> None:
    with pytest.raises(ValueError, match=field):
        ModelSpec.model_validate({"provider": "openai", "name": "m", "family": "f", field: name})


@pytest.mark.parametrize("name", ["models/gemini-3", "tunedModels/x", "a b", "gemini?key=1", "..", "gémini"])
def test_names_of_gemini_are_parts_of_a_path(name: str) -> None:
    with pytest.raises(ValueError, match="write Gemini's names alone"):
        ModelSpec(provider="gemini", name=name, family="google")
    assert ModelSpec(provider="openai", name=name, family="google").name == name
    assert ModelSpec(provider="gemini", name="gemini-3.1-pro_x", family="google").id == "gemini:gemini-3.1-pro_x"


@pytest.mark.parametrize("name", ["yes", "7", "a: b", "null", "# x", '"q"'])
def test_a_model_of_the_environment_is_called_as_it_is_written(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLAWBENCH_BASE_URL", "http://host/v1")
    monkeypatch.setenv("FLAWBENCH_MODEL", name)
    models = choose_models(None, (), None, load_settings(), {})
    assert models
    assert models.models["local"].name == name
