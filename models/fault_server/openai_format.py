"""Chat completions: https://platform.openai.com/docs/api-reference/chat, and every server that is compatible."""

from typing import Any

from models.fault_server.question import BadRequestError, Question, Said

CREATED = 1_700_000_000
"""A fixed time, so that the same request gets the same bytes."""


def read_chat(_: str, body: dict[str, Any]) -> Question:
    """Raises BadRequestError."""
    try:
        messages = body["messages"]
        users = [message for message in messages if message["role"] == "user"]
        texts, pictures = _read_content(users[0]["content"])
        asked = body.get("response_format") or {}
        return Question(
            model=body["model"],
            system="\n".join(
                _read_system(message) for message in messages if message["role"] in ("system", "developer")
            ),
            texts=texts,
            pictures=pictures,
            later=tuple(text for user in users[1:] for text in _read_content(user["content"])[0]),
            turns=sum(message["role"] == "assistant" for message in messages),
            schema=asked["json_schema"]["schema"] if asked.get("type") == "json_schema" else None,
            wants_json=asked.get("type") == "json_object",
            reasons=body.get("reasoning_effort") not in (None, "none"),
            max_tokens=body.get("max_completion_tokens") or body.get("max_tokens"),
        )
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise BadRequestError(f"not a chat completion: {error!r}") from error


def write_chat(question: Question, said: Said, key: str, model: str) -> dict[str, Any]:
    prompt, completion = question.prompt_tokens, said.completion_tokens
    return {
        "id": f"chatcmpl-{key}-{question.turns}",
        "object": "chat.completion",
        "created": CREATED,
        "model": model,
        "choices": [
            {
                "index": 0,
                "message": {
                    "role": "assistant",
                    "content": None if said.refused else said.text,
                    "refusal": said.text if said.refused else None,
                },
                "logprobs": None,
                "finish_reason": "length" if said.truncated else "stop",
            }
        ],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
            "prompt_tokens_details": {"cached_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": said.reasoning_tokens},
        },
    }


def write_chat_error(status: int, message: str) -> dict[str, Any]:
    kinds = {401: "invalid_api_key", 429: "rate_limit_exceeded", 400: "invalid_request_error"}
    kind = kinds.get(status, "server_error")
    return {"error": {"message": message, "type": kind, "param": None, "code": kind}}


def _read_system(message: dict[str, Any]) -> str:
    return "\n".join(_read_content(message["content"])[0])


def _read_content(content: str | list[dict[str, Any]]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if isinstance(content, str):
        return (content,), ()
    texts = tuple(part["text"] for part in content if part["type"] == "text")
    pictures = tuple(_read_data_url(part["image_url"]["url"]) for part in content if part["type"] == "image_url")
    return texts, pictures


def _read_data_url(url: str) -> str:
    head, found, data = url.partition(";base64,")
    if not found or not head.startswith("data:image/"):
        raise BadRequestError("image_url is no data URL of a picture in base64")
    return data
