"""What a call costs: by the tokens that the provider counted after it, and at most before it. Prices are a data file
with dates, since they change without notice; a price that nobody wrote down is unknown and never zero."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from core.errors import ConfigurationError
from core.faults import tell_faults
from core.model_specs import ModelSpec, ModelsRecipe, Price
from core.yaml_files import read_yaml_mapping
from models.base import ModelRequest, Usage

PRICES_FILE = Path(__file__).resolve().parent / "prices.yaml"
_PRICES: TypeAdapter[dict[str, Price]] = TypeAdapter(dict[str, Price])
_MILLION = 1_000_000
_OVERHEAD_TOKENS = 200
"""More than the markers of roles and messages, and the name of a schema, that a provider puts around a request."""
_TOLD_TOKENS = 1000
"""More than a model is told of what is wrong with its reply."""
_TEXT_BYTES_A_TOKEN = 4
_ASSUMED_SHARE_OF_OUTPUT = 0.25


def find_price(spec: ModelSpec, models: ModelsRecipe) -> Price | None:
    """The price of the recipe, or else of the shipped table; None where neither has one."""
    name = spec.price or spec.name
    return models.prices.get(name) or shipped_prices().get(name)


@lru_cache(maxsize=1)
def shipped_prices() -> Mapping[str, Price]:
    return read_prices(PRICES_FILE)


def read_prices(path: Path) -> Mapping[str, Price]:
    """Raises ConfigurationError that names the file, the key and the value."""
    try:
        return _PRICES.validate_python(read_yaml_mapping(path))
    except ValidationError as error:
        raise ConfigurationError(
            f"{path} cannot be used: {tell_faults(error)}.", "Correct it; docs/models.md has every key of a price."
        ) from None


def actual_cost(price: Price, usage: Usage, pictures: int, batch: bool) -> float | None:
    """In US dollars; None where the provider did not count. `pictures`: how many were made."""
    if usage.prompt is None or usage.completion is None:
        return None
    cached = min(usage.cached or 0, usage.prompt)
    cached_price = price.input if price.cached_input is None else price.cached_input
    tokens = (usage.prompt - cached) * price.input + cached * cached_price + usage.completion * price.output
    return _in_mode(price, tokens / _MILLION + pictures * price.picture_out, batch)


def worst_cost(price: Price, request: ModelRequest, batch: bool) -> float:
    """In US dollars, never less than the actual cost: a token has at least one byte, a picture at most
    `image_tokens`, a reply at most `max_tokens`."""
    tokens = worst_input_tokens(request, price) * price.input + request.parameters.max_tokens * price.output
    return _in_mode(price, tokens / _MILLION + request.wants_picture * price.picture_out, batch)


def worst_repair_cost(price: Price, request: ModelRequest, repairs: int, batch: bool) -> float:
    """In US dollars: that often asked again, each time with what was said and told before, and with twice the room."""
    room = 2 * request.parameters.max_tokens
    said = room + _TOLD_TOKENS
    sent = sum(worst_input_tokens(request, price) + number * said for number in range(1, repairs + 1))
    tokens = sent * price.input + repairs * room * price.output
    return _in_mode(price, tokens / _MILLION + repairs * request.wants_picture * price.picture_out, batch)


def worst_input_tokens(request: ModelRequest, price: Price) -> int:
    return text_bytes(request) + _OVERHEAD_TOKENS + count_pictures(request) * price.image_tokens


def likely_input_tokens(request: ModelRequest, image_tokens: int) -> int:
    """About 4 bytes a token, pictures at half of what they can count as."""
    return text_bytes(request) // _TEXT_BYTES_A_TOKEN + count_pictures(request) * image_tokens // 2


def likely_output_tokens(request: ModelRequest) -> int:
    """A quarter of what is allowed: an assumption, not a measurement."""
    return int(request.parameters.max_tokens * _ASSUMED_SHARE_OF_OUTPUT)


def likely_cost(price: Price, request: ModelRequest, batch: bool) -> float:
    tokens = likely_input_tokens(request, price.image_tokens) * price.input
    tokens += likely_output_tokens(request) * price.output
    return _in_mode(price, tokens / _MILLION + request.wants_picture * price.picture_out, batch)


def text_bytes(request: ModelRequest) -> int:
    """Of all texts of the request in UTF-8, with the schema of the reply."""
    texts = [request.system, request.reply_schema or ""]
    texts += [part.text for message in request.messages for part in message.parts if part.kind == "text"]
    return sum(len(text) if text.isascii() else len(text.encode()) for text in texts)


def count_pictures(request: ModelRequest) -> int:
    return sum(part.kind == "picture" for message in request.messages for part in message.parts)


def _in_mode(price: Price, usd: float, batch: bool) -> float:
    return usd * price.batch_factor if batch else usd
