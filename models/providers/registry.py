"""Which module speaks to which provider. Each is imported when it is first needed: an SDK costs a second."""

from core.errors import ConfigurationError
from core.model_specs import ModelSpec
from models.base import Provider


def make_provider(spec: ModelSpec, key: str | None) -> Provider:
    """A client of the model, `key` None where it wants none. No request is sent yet.

    Raises ConfigurationError for a parameter that the provider does not have and for an SDK that is not installed."""
    match spec.provider:
        case "openai":
            from models.providers.openai_chat import OpenAIProvider

            return OpenAIProvider(spec, key)
        case _:
            raise ConfigurationError(f"There is no provider {spec.provider}.", "Use openai.")
