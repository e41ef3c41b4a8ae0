"""What calls cost, and at most may cost."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import ConfigurationError
from core.model_specs import GeneratorShare, ModelSpec, ModelsRecipe, Parameters, Price, load_models
from core.records import Picture
from models.base import Message, ModelRequest, PicturePart, TextPart, Usage
from models.preflight import used_models
from models.prices import actual_cost, find_price, read_prices, shipped_prices, worst_cost

PRICE = Price(input=2.0, output=10.0, cached_input=0.5, image_tokens=1000, picture_out=0.04, date="2026-01-01")
PICTURE = Picture(sha256="a" * 64, media_type="image/png", width=4, height=3)


def request(text: str, pictures: int = 0, max_tokens: int = 100, wants_picture: bool = False) -> ModelRequest:
    parts = (TextPart(text=text), *(PicturePart(picture=PICTURE) for _ in range(pictures)))
    return ModelRequest(
        provider="openai",
        model="m",
        base_url=None,
        system="",
        messages=(Message(role="user", parts=parts),),
        parameters=Parameters(max_tokens=max_tokens),
        wants_picture=wants_picture,
    )


@pytest.mark.parametrize(
    ("usage", "pictures", "batch", "usd"),
    [
        (Usage(prompt=1_000_000, completion=100_000), 0, False, 3.0),
        (Usage(prompt=1_000_000, completion=0, cached=400_000), 0, False, 1.4),
        (Usage(prompt=0, completion=0), 2, False, 0.08),
        (Usage(prompt=1_000_000, completion=100_000), 0, True, 1.5),
        (Usage(prompt=10), 0, False, None),
        (Usage(), 0, False, None),
    ],
    ids=["tokens", "cached", "pictures", "batch", "half_counted", "not_counted"],
)
def test_the_cost_of_a_reply(usage: Usage, pictures: int, batch: bool, usd: float | None) -> None:
    assert actual_cost(PRICE, usage, pictures, batch) == (None if usd is None else pytest.approx(usd))


def test_cached_tokens_cost_as_others_where_no_price_says_otherwise() -> None:
    price = PRICE.model_copy(update={"cached_input": None})
    usage = Usage(prompt=1000, completion=0, cached=1000)
    assert actual_cost(price, usage, 0, False) == pytest.approx(0.002)


@given(st.text(max_size=300), st.integers(0, 5), st.integers(1, 5000), st.booleans())
def test_the_worst_case_is_never_less_than_what_a_reply_costs(
    text: str, pictures: int, max_tokens: int, wants_picture: bool
) -> None:
    """A token has at least one byte, and a reply at most the tokens that it is allowed."""
    asked = request(text, pictures, max_tokens, wants_picture)
    usage = Usage(prompt=len(text.encode(errors="replace")) + pictures * 1000, completion=max_tokens)
    cost = actual_cost(PRICE, usage, int(wants_picture), False)
    assert cost is not None
    assert worst_cost(PRICE, asked, False) >= cost
    assert worst_cost(PRICE, asked, True) == pytest.approx(worst_cost(PRICE, asked, False) / 2)


def test_a_price_of_the_recipe_goes_before_the_shipped_one() -> None:
    spec = ModelSpec(provider="openai", name="gpt-5.1", family="openai")
    shares = (GeneratorShare(model="a", share=1),)
    plain = ModelsRecipe(name="m", models={"a": spec}, generators=shares)
    assert find_price(spec, plain) == shipped_prices()["gpt-5.1"]
    own = ModelsRecipe(name="m", models={"a": spec}, generators=shares, prices={"gpt-5.1": PRICE})
    assert find_price(spec, own) == PRICE
    assert find_price(spec.model_copy(update={"name": "unknown"}), own) is None
    assert find_price(spec.model_copy(update={"name": "unknown", "price": "gpt-5.1"}), own) == PRICE


@pytest.mark.parametrize("preset", ["mmpcbench", "jba", "local"])
def test_every_model_of_a_preset_has_a_price(preset: str) -> None:
    models = load_models(preset)
    assert [name for name, spec in used_models(models).items() if find_price(spec, models) is None] == []


@pytest.mark.parametrize("value", [".inf", "-.inf", ".nan", "-1", "1e400", '"inf"', "1e9"])
@pytest.mark.parametrize("key", ["input", "output", "cached_input", "picture_out", "batch_factor"])
def test_a_price_that_is_no_amount_is_refused_with_its_file_and_key(tmp_path: Path, key: str, value: str) -> None:
    price = {"input": "1", "output": "2", "date": '"2026-01-01"'} | {key: value}
    entry = f"m: {{{', '.join(f'{name}: {found}' for name, found in price.items())}}}"
    table, models = tmp_path / "prices.yaml", tmp_path / "models.yaml"
    table.write_text(entry)
    models.write_text(
        "name: own\nmodels: {a: {provider: openai, name: m, family: f}}\ngenerators: [{model: a, share: 1}]\n"
        f"prices: {{{entry}}}\n"
    )
    with pytest.raises(ConfigurationError, match=rf"prices\.yaml cannot be used: `m\.{key}`"):
        read_prices(table)
    with pytest.raises(ConfigurationError, match=rf"models\.yaml cannot be used: `prices\.m\.{key}`"):
        load_models(str(models))


def test_a_day_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="date"):
        Price(input=1, output=1, date="2026-13-41")
