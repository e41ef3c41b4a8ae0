import asyncio
import json
from typing import Any

import pytest

from core.calls import AnswerStatus
from core.errors import ConfigurationError, ModelCallError, StorageError
from core.model_specs import ModelSpec, Parameters
from core.records import Picture
from models.base import Message, ModelRequest, TextPart
from models.providers.registry import check_spec, parse_stored
from models.providers.replay import ReplayProvider
from models.requests import request_key


def spec(provider: str, **parameters: Any) -> ModelSpec:
    values = {"provider": provider, "name": "m", "family": "f", "parameters": Parameters(**parameters)}
    return ModelSpec.model_validate(values)


def read_nothing(picture: Picture) -> bytes:
    raise AssertionError(picture)


REQUEST = ModelRequest(
    provider="openai",
    model="m",
    base_url=None,
    system="",
    messages=(Message(role="user", parts=(TextPart(text="a"),)),),
    parameters=Parameters(),
)


@pytest.mark.parametrize(
    ("provider", "parameters", "name"),
    [
        ("openai", {"thinking_budget": 5}, "thinking_budget"),
        ("anthropic", {"seed": 1}, "seed"),
        ("gemini", {"thinking_budget": 5, "reasoning_effort": "low"}, "thinking_budget"),
    ],
)
def test_a_parameter_that_would_not_arrive_is_an_error(provider: str, parameters: dict[str, Any], name: str) -> None:
    with pytest.raises(ConfigurationError, match=rf"my\.yaml has `parameters.{name}"):
        check_spec(spec(provider, **parameters), "my.yaml")


async def fail_to_note(request: ModelRequest) -> None:
    raise StorageError(f"No {request.model} on a full disk.", "Free space.")


def test_a_replay_that_misses_names_the_key_and_the_model_and_keeps_the_request() -> None:
    noted: list[ModelRequest] = []

    async def note(request: ModelRequest) -> None:
        noted.append(request)

    provider = ReplayProvider(note, "FLAWBENCH_REPLAY")
    with pytest.raises(ModelCallError, match="openai:m") as raised:
        asyncio.run(provider.ask(REQUEST, read_nothing, 1.0))
    assert request_key(REQUEST) in raised.value.message
    assert f"why-miss {request_key(REQUEST)} KEY" in raised.value.fix
    assert noted == [REQUEST]


def test_a_replay_that_misses_over_a_store_that_cannot_be_written_promises_no_comparison() -> None:
    provider = ReplayProvider(fail_to_note, "FLAWBENCH_REPLAY")
    with pytest.raises(ModelCallError, match=f"{request_key(REQUEST)}.*No m on a full disk") as raised:
        asyncio.run(provider.ask(REQUEST, read_nothing, 1.0))
    assert "why-miss" not in raised.value.fix


@pytest.mark.parametrize(
    ("provider", "body"),
    [
        ("openai", {"choices": [{"message": {"content": "Yes."}}]}),
        ("gemini", {"candidates": [{"content": {"parts": [{"text": "Yes."}]}}]}),
        ("anthropic", {"content": [{"type": "text", "text": "Yes."}]}),
        ("scripted", {"scripted": "Yes.", "model": "m"}),
    ],
)
def test_stored_bodies_are_read_as_those_of_their_provider(provider: str, body: object) -> None:
    parsed = parse_stored(provider, json.dumps(body))
    assert (parsed.status, parsed.text) == (AnswerStatus.OK, "Yes.")


@pytest.mark.parametrize("provider", ["openai", "gemini", "anthropic", "scripted"])
def test_a_stored_body_that_is_nested_too_deeply_is_none_of_a_provider(provider: str) -> None:
    deep = "[" * 5000 + "]" * 5000
    with pytest.raises(ValueError, match="deeply"):
        parse_stored(provider, f'{{"choices": {deep}, "content": {deep}, "scripted": {deep}, "half": "\\ud800"}}')
