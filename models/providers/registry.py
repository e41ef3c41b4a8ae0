"""Which module speaks to which provider. Each is imported when it is first needed: an SDK costs a second."""

from collections.abc import Callable
from importlib.util import find_spec

from core.errors import ConfigurationError
from core.model_specs import ModelSpec
from models.base import Parsed, Provider
from models.providers.chat_format import parse_chat
from models.providers.content_format import parse_content
from models.providers.messages_format import parse_message
from models.providers.scripted import ScriptedProvider, parse_scripted

_PARSERS: dict[str, Callable[[str], Parsed]] = {
    "openai": parse_chat,
    "gemini": parse_content,
    "anthropic": parse_message,
    "scripted": parse_scripted,
}
_FOREIGN_PARAMETERS = {
    "openai": {"thinking_budget": "Use `reasoning_effort`, or the provider `gemini` or `anthropic`."},
    "anthropic": {"seed": "Remove it: Claude's samples cannot be repeated."},
}


def make_provider(spec: ModelSpec, key: str | None) -> Provider:
    """A client of the model that `check_spec` let pass, `key` None where it wants none. No request is sent yet."""
    match spec.provider:
        case "openai":
            from models.providers.openai_chat import OpenAIProvider

            return OpenAIProvider(spec, key)
        case "gemini":
            from models.providers.gemini_content import GeminiProvider

            return GeminiProvider(spec, key)
        case "anthropic":
            from models.providers.anthropic_messages import AnthropicProvider

            return AnthropicProvider(spec, key)
        case "scripted":
            return ScriptedProvider()


def parse_stored(provider: str, body: str) -> Parsed:
    """What a stored body of that provider says. Raises ValueError for a body that is none of it."""
    return _PARSERS[provider](body)


def check_spec(spec: ModelSpec, file: str) -> None:
    """Raises ConfigurationError for an SDK that is not installed, and for what would be left out of the request or
    refused by the provider."""
    if spec.provider == "anthropic":
        _require_anthropic()
    foreign = dict(_FOREIGN_PARAMETERS.get(spec.provider, {}))
    if spec.provider == "gemini" and spec.parameters.reasoning_effort is not None:
        foreign["thinking_budget"] = "Keep it or `reasoning_effort`, not both."
    for name, fix in foreign.items():
        value = getattr(spec.parameters, name)
        if value is not None:
            raise ConfigurationError(
                f"Model {spec.id} in {file} has `parameters.{name}: {value}`, which {spec.provider} does not take"
                f"{' besides `reasoning_effort`' if spec.provider == 'gemini' else ''}.",
                fix,
            )


def _require_anthropic() -> None:
    if find_spec("anthropic") is None:
        raise ConfigurationError(
            "A model of provider anthropic is configured, but its SDK is not installed.",
            "Run `uv sync --extra anthropic`.",
        )
