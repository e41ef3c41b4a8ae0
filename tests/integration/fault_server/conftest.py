"""The SDKs that ask the fault server."""

from collections.abc import Iterator

import openai
import pytest
from google import genai
from google.genai import types

from models.fault_server.started import StartedFaultServer


@pytest.fixture
def client(server: StartedFaultServer) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(api_key="k", base_url=f"{server.url}/v1", max_retries=0, timeout=10) as client:
        yield client


@pytest.fixture
def gemini(server: StartedFaultServer) -> Iterator[genai.Client]:
    with genai.Client(api_key="k", http_options=types.HttpOptions(base_url=server.url)) as client:
        yield client
