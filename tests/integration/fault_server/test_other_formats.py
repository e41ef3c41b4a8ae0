"""Gemini and Anthropic, as their SDKs see them."""

import io
import json
from typing import Any

import anthropic
import numpy as np
import pytest
from google import genai
from google.genai import errors as genai_errors
from google.genai import types
from PIL import Image

from models.fault_server.plan import FaultPlan
from models.fault_server.started import StartedFaultServer

pytestmark = pytest.mark.integration

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"verdict": {"enum": ["yes", "no"]}, "reason": {"type": "string", "maxLength": 20}},
    "required": ["verdict", "reason"],
    "additionalProperties": False,
}


def png(picture: Image.Image) -> bytes:
    made = io.BytesIO()
    picture.save(made, "PNG")
    return made.getvalue()


def test_gemini_answers_with_a_schema_and_counts(gemini: genai.Client, server: StartedFaultServer) -> None:
    config = types.GenerateContentConfig(
        system_instruction="Be brief.",
        response_mime_type="application/json",
        response_json_schema=SCHEMA,
        thinking_config=types.ThinkingConfig(thinking_budget=64),
    )
    reply = gemini.models.generate_content(model="gemini-x", contents="one two three", config=config)
    assert json.loads(reply.text or "")["verdict"] == "yes"
    assert (reply.model_version, bool(reply.response_id)) == ("gemini-x", True)
    assert reply.usage_metadata
    assert reply.usage_metadata.prompt_token_count == 5
    assert reply.usage_metadata.thoughts_token_count
    assert server.log()[0].model == "gemini-x"


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P", "L"])
def test_gemini_sends_back_the_picture_with_a_rectangle_recoloured(gemini: genai.Client, mode: str) -> None:
    given = Image.new("RGB", (200, 100), (90, 140, 200)).convert(mode)
    part = types.Part.from_bytes(data=png(given), mime_type="image/png")
    reply = gemini.models.generate_content(model="gemini-flash-image", contents=[part, "Make it red."])
    assert reply.candidates
    assert reply.candidates[0].content
    made = [part.inline_data for part in reply.candidates[0].content.parts or [] if part.inline_data]
    assert made[0].mime_type == "image/png"
    edited = Image.open(io.BytesIO(made[0].data or b""))
    assert edited.size == given.size
    before, after = (np.asarray(picture.convert("RGB"), dtype=int) for picture in (given, edited))
    changed = np.abs(before - after).max(axis=2) > 60
    assert 0.12 < changed.mean() < 0.18
    rows, columns = np.nonzero(changed)
    assert changed[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1].all()


@pytest.mark.parametrize(
    ("data", "problem"),
    [(b"no picture", "decoded"), (None, "no picture to edit")],
    ids=["broken", "absent"],
)
def test_gemini_refuses_to_edit_what_is_no_picture(gemini: genai.Client, data: bytes | None, problem: str) -> None:
    parts: list[Any] = ["Make it red."]
    if data:
        parts.append(types.Part.from_bytes(data=data, mime_type="image/png"))
    with pytest.raises(genai_errors.ClientError, match=problem):
        gemini.models.generate_content(model="gemini-flash-image", contents=parts)


def test_gemini_faults_have_geminis_form(gemini: genai.Client, server: StartedFaultServer) -> None:
    server.set(FaultPlan(share_refusal=1))
    blocked = gemini.models.generate_content(model="g", contents="a")
    assert blocked.prompt_feedback
    assert blocked.prompt_feedback.block_reason == "SAFETY"
    server.set(FaultPlan(share_truncated=1))
    cut = gemini.models.generate_content(model="g", contents="a")
    assert cut.candidates
    assert cut.candidates[0].finish_reason == "MAX_TOKENS"
    server.set(FaultPlan(requests_per_second=0.001))
    gemini.models.generate_content(model="g", contents="a")
    with pytest.raises(genai_errors.ClientError, match="RESOURCE_EXHAUSTED"):
        gemini.models.generate_content(model="g", contents="a")
    server.set(FaultPlan(require_key="right"))
    with pytest.raises(genai_errors.ClientError, match="API_KEY_INVALID"):
        gemini.models.generate_content(model="g", contents="a")


def test_anthropic_answers_with_text_with_a_schema_and_with_a_tool(server: StartedFaultServer) -> None:
    with anthropic.Anthropic(api_key="k", base_url=server.url, max_retries=0) as client:

        def say(**more: Any) -> anthropic.types.Message:
            messages: Any = [{"role": "user", "content": "one two three"}]
            return client.messages.create(model="c", max_tokens=50, system="Be brief.", messages=messages, **more)

        plain = say()
        assert (plain.stop_reason, plain.usage.input_tokens) == ("end_turn", 5)
        formatted = say(output_config={"format": {"type": "json_schema", "schema": SCHEMA}})
        assert isinstance(formatted.content[0], anthropic.types.TextBlock)
        assert json.loads(formatted.content[0].text)["verdict"] == "yes"
        tool = {"name": "reply", "input_schema": SCHEMA}
        used = say(tools=[tool], tool_choice={"type": "tool", "name": "reply"})
        assert isinstance(used.content[0], anthropic.types.ToolUseBlock)
        assert used.content[0].input["verdict"] == "yes"
        server.set(FaultPlan(share_refusal=1))
        assert say().stop_reason == "refusal"
        server.set(FaultPlan(share_503_once=1))
        with pytest.raises(anthropic.InternalServerError):
            say()
