"""One fault server for all tests of this folder, and the SDKs that ask it."""

from collections.abc import Iterator

import openai
import pytest
from google import genai
from google.genai import types

from models.fault_server.plan import FaultPlan
from models.fault_server.started import StartedFaultServer, started_fault_server


@pytest.fixture(scope="module")
def running() -> Iterator[StartedFaultServer]:
    with started_fault_server() as server:
        yield server


@pytest.fixture
def server(running: StartedFaultServer) -> StartedFaultServer:
    running.set(FaultPlan())
    running.reset()
    return running


@pytest.fixture
def client(server: StartedFaultServer) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(api_key="k", base_url=f"{server.url}/v1", max_retries=0, timeout=10) as client:
        yield client


@pytest.fixture
def gemini(server: StartedFaultServer) -> Iterator[genai.Client]:
    with genai.Client(api_key="k", http_options=types.HttpOptions(base_url=server.url)) as client:
        yield client
