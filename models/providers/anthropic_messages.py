"""Claude through the official SDK, an optional extra. The SDK keeps connections, authentication and errors; its request
transforms and reply models are left out."""

import httpx2
from anthropic import APIStatusError, AsyncAnthropic, DefaultAioHttpClient
from pydantic import ValidationError

from core.errors import ConfigurationError
from core.model_specs import PROVIDER_SERVERS, ModelSpec
from models.base import CallError, ModelRequest, ReadPicture, Received
from models.providers.attachments import encode_pictures
from models.providers.bodies import Wire
from models.providers.faults import status_error
from models.providers.key_masking import NO_KEY
from models.providers.messages_format import messages_body, parse_message
from models.providers.sdk_calls import call_sdk
from models.providers.sdk_transport import LIMITS, TIMEOUT, receive

_JSON = {"Content-Type": "application/json"}


class AnthropicProvider:
    """One model; `key` None for a server that wants none."""

    def __init__(self, spec: ModelSpec, key: str | None) -> None:
        self._key = key
        self._client = AsyncAnthropic(
            api_key=key or NO_KEY,
            base_url=spec.base_url or PROVIDER_SERVERS["anthropic"],
            http_client=DefaultAioHttpClient(limits=LIMITS),
            max_retries=0,
            timeout=TIMEOUT,
        )

    async def ask(self, request: ModelRequest, read_picture: ReadPicture, timeout_seconds: float) -> Received:
        """Raises CallError; ConfigurationError when a picture is wanted, which messages do not make."""
        if request.wants_picture:
            raise ConfigurationError(
                f"Model {request.model} of provider anthropic makes no pictures.",
                "Let `image_editor` name a model of provider gemini.",
            )
        body = messages_body(request, await encode_pictures(request, read_picture))
        posted = self._client.post("/v1/messages", cast_to=httpx2.Response, content=body, options={"headers": _JSON})
        response = await call_sdk(posted, _translate, self._key, timeout_seconds)
        request_id = response.headers.get("request-id") or response.headers.get("x-request-id")
        return receive(response, parse_message, request_id, self._key)

    async def close(self) -> None:
        await self._client.close()


def _translate(error: BaseException, key: str | None) -> CallError | None:
    if not isinstance(error, APIStatusError):
        return None
    try:
        told = _ErrorBody.model_validate(error.body).error
    except ValidationError:
        told = _Error(message=error.response.text)
    return status_error(error.status_code, told.message, {told.type}, error.response.headers, key)


class _Error(Wire):
    type: str = ""
    message: str


class _ErrorBody(Wire):
    error: _Error
