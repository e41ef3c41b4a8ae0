"""Chat completions through the official SDK: OpenAI itself and every server that speaks its language. The SDK keeps
connections, authentication and errors; its request transforms and reply models, half of its cost, are left out."""

import httpx2
from openai import AsyncOpenAI, DefaultAioHttpClient, RequestOptions

from core.errors import ConfigurationError
from core.model_specs import PROVIDER_SERVERS, ModelSpec
from models.base import ModelRequest, ReadPicture, Received
from models.providers.attachments import encode_pictures
from models.providers.chat_format import chat_body, parse_chat
from models.providers.key_masking import NO_KEY
from models.providers.openai_errors import translate_openai
from models.providers.sdk_calls import call_sdk
from models.providers.sdk_transport import LIMITS, TIMEOUT, receive

# Unless given a key, the SDK draws one for retries that it does not make and a header that OpenAI does not have.
_OPTIONS: RequestOptions = {"headers": {"Content-Type": "application/json"}, "idempotency_key": "unused"}


class OpenAIProvider:
    """One model on one server; `key` None for a server that wants none."""

    def __init__(self, spec: ModelSpec, key: str | None) -> None:
        self._key = key
        self._client = AsyncOpenAI(
            api_key=key or NO_KEY,
            base_url=spec.base_url or PROVIDER_SERVERS["openai"],
            http_client=DefaultAioHttpClient(limits=LIMITS),
            max_retries=0,
            timeout=TIMEOUT,
        )

    async def ask(self, request: ModelRequest, read_picture: ReadPicture, timeout_seconds: float) -> Received:
        """Raises CallError; ConfigurationError when a picture is wanted, which chat completions do not make."""
        if request.wants_picture:
            raise ConfigurationError(
                f"Model {request.model} of provider openai makes no pictures.",
                "Let `image_editor` name a model of provider gemini.",
            )
        body = chat_body(request, await encode_pictures(request, read_picture))
        posted = self._client.post("/chat/completions", cast_to=httpx2.Response, content=body, options=_OPTIONS)
        response = await call_sdk(posted, translate_openai, self._key, timeout_seconds)
        return receive(response, parse_chat, response.headers.get("x-request-id"), self._key)

    async def close(self) -> None:
        await self._client.close()
