"""Gemini's generateContent: https://ai.google.dev/api/generate-content, with pictures in and out."""

from typing import Any

from models.fault_server.question import MADE_PICTURE_TOKENS, PICTURE_TOKENS, BadRequestError, Question, Said

_STATUSES = {
    400: "INVALID_ARGUMENT",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
}


def read_generate(path: str, body: dict[str, Any]) -> Question:
    """The model's name stands in the path. Raises BadRequestError."""
    model = path.rpartition("/")[2].partition(":")[0]
    try:
        users = [content for content in body["contents"] if content.get("role", "user") == "user"]
        config = body.get("generationConfig") or {}
        thinking = config.get("thinkingConfig") or {}
        schema = config.get("responseJsonSchema") or config.get("responseSchema")
        return Question(
            model=model,
            system="\n".join(_texts(body.get("systemInstruction") or {"parts": []})),
            texts=_texts(users[0]),
            pictures=tuple(part["inlineData"]["data"] for part in users[0]["parts"] if "inlineData" in part),
            later=tuple(text for user in users[1:] for text in _texts(user)),
            turns=sum(content.get("role") == "model" for content in body["contents"]),
            schema=schema,
            wants_json=config.get("responseMimeType") == "application/json",
            wants_picture="IMAGE" in config.get("responseModalities", ()) or "image" in model,
            reasons=bool(thinking) and thinking.get("thinkingBudget") != 0,
            max_tokens=config.get("maxOutputTokens"),
        )
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise BadRequestError(f"no generateContent: {error!r}") from error


def write_generate(question: Question, said: Said, key: str, model: str) -> dict[str, Any]:
    body = {
        "usageMetadata": _usage(question, said),
        "modelVersion": model,
        "responseId": f"{key}-{question.turns}",
    }
    if said.refused:
        return {"promptFeedback": {"blockReason": "SAFETY"}, **body}
    finish = "MAX_TOKENS" if said.truncated else "STOP"
    content = {"role": "model", "parts": _parts(said)}
    return {"candidates": [{"content": content, "finishReason": finish, "index": 0}], **body}


def write_generate_error(status: int, message: str) -> dict[str, Any]:
    """Gemini calls a wrong key a bad request."""
    if status == 401:
        reason = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}
        return {"error": {"code": 400, "message": message, "status": "INVALID_ARGUMENT", "details": [reason]}}
    return {"error": {"code": status, "message": message, "status": _STATUSES.get(status, "UNKNOWN")}}


def _texts(content: dict[str, Any]) -> tuple[str, ...]:
    return tuple(part["text"] for part in content["parts"] if "text" in part)


def _parts(said: Said) -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = [{"text": said.text}] if said.text else []
    if said.picture:
        parts.append({"inlineData": {"mimeType": "image/png", "data": said.picture}})
    return parts


def _usage(question: Question, said: Said) -> dict[str, Any]:
    """`candidatesTokenCount` holds no thoughts, unlike OpenAI's count."""
    prompt, completion = question.prompt_tokens, said.completion_tokens
    pictures = PICTURE_TOKENS * len(question.pictures)
    usage: dict[str, Any] = {
        "promptTokenCount": prompt,
        "candidatesTokenCount": completion - said.reasoning_tokens,
        "totalTokenCount": prompt + completion,
        "promptTokensDetails": [{"modality": "TEXT", "tokenCount": prompt - pictures}],
    }
    if pictures:
        usage["promptTokensDetails"].append({"modality": "IMAGE", "tokenCount": pictures})
    if said.reasoning_tokens:
        usage["thoughtsTokenCount"] = said.reasoning_tokens
    if said.picture:
        usage["candidatesTokensDetails"] = [{"modality": "IMAGE", "tokenCount": MADE_PICTURE_TOKENS}]
    return usage
