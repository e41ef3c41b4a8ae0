"""What servers say of tokens, held against what can be."""

import json

import pytest

from core.model_specs import Parameters
from models.base import Message, ModelRequest, TextPart, Usage
from models.providers.content_format import parse_content
from models.providers.messages_format import parse_message
from models.usage import believe

REQUEST = ModelRequest(
    provider="openai",
    model="m",
    base_url=None,
    system="",
    messages=(Message(role="user", parts=(TextPart(text="a" * 20_000),)),),
    parameters=Parameters(max_tokens=50_000),
)


@pytest.mark.parametrize(
    ("said", "believed"),
    [
        (Usage(prompt=5_000, completion=60_000), Usage(prompt=5_000, completion=60_000)),
        (Usage(prompt=200_000, completion=500_000), Usage(prompt=200_000, completion=500_000)),
        (Usage(prompt=200_001, completion=9), Usage(completion=9, doubtful=True)),
        (Usage(prompt=9, completion=500_001), Usage(prompt=9, doubtful=True)),
        (Usage(prompt=9, cached=10**9, reasoning=10**9, image=10**9), Usage(prompt=9, doubtful=True)),
        (Usage(prompt=9, doubtful=True), Usage(prompt=9, doubtful=True)),
        (Usage(), Usage()),
    ],
    ids=["usual", "most", "in", "out", "details", "no_count", "silent"],
)
def test_numbers_far_beyond_the_request_are_not_believed(said: Usage, believed: Usage) -> None:
    assert believe(said, REQUEST) == believed


@pytest.mark.parametrize("count", [10**30, -1, 1.5, "12", float("nan"), float("inf"), True], ids=str)
def test_what_is_no_count_spoils_the_sum_that_it_is_part_of_and_nothing_else(count: object) -> None:
    tokens = {"input_tokens": count, "cache_read_input_tokens": 5, "output_tokens": 7}
    message = {"content": [{"type": "text", "text": "hi"}], "usage": tokens}
    expected = Usage(completion=7, cached=5, doubtful=True)
    assert parse_message(json.dumps(message)).usage == expected
    metadata = {"promptTokenCount": 9, "candidatesTokenCount": 7, "thoughtsTokenCount": count}
    content = {"candidates": [{"content": {"parts": [{"text": "hi"}]}}], "usageMetadata": metadata}
    assert parse_content(json.dumps(content)).usage == Usage(prompt=9, doubtful=True)
