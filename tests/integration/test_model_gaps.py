"""What a run owes to what it asked: the reply of that very picture and that very server, kept in the bytes in which it
came, and all good replies where one is bad."""

import asyncio
import hashlib
import shutil
import subprocess
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from ask_rows import Job, ask_for

from core.model_specs import GeneratorShare, ModelSpec, ModelsRecipe, PanelRecipe
from core.pictures import encode_png
from core.records import Picture
from core.taxonomy import DUAL_KINDS
from models.base import CallError, Received
from models.fault_server.plan import FaultPlan
from models.fault_server.started import StartedFaultServer
from models.openai_batches import OpenAIBatches
from models.reply_store import ReplyStore
from storage.files import Files
from storage.objects import ObjectStore

pytestmark = pytest.mark.integration

Command = Callable[..., "subprocess.CompletedProcess[str]"]
Query = Callable[[Path, str], list[dict[str, Any]]]
Provider = Literal["openai", "gemini", "anthropic"]
# Line ends, blanks, an order and escapes that no serialiser of ours would write.
BODIES: dict[str, bytes] = {
    "openai": b'{\r\n "usage" : {"prompt_tokens":3, "completion_tokens":2},"model":"m" , "choices":[ {"index":0,'
    b'"finish_reason":"stop","message":{"role":"assistant", "content":"caf\\u00e9 \xc3\xa9 SAID"}} ] }\n',
    "gemini": b'{\r\n "modelVersion":"m" , "candidates":[ {"finishReason":"STOP","content":{"role":"model","parts":'
    b'[{"text":"caf\\u00e9 \xc3\xa9 SAID"}]}} ],"usageMetadata":{"promptTokenCount":3, "candidatesTokenCount":2} }\n',
    "anthropic": b'{\r\n "model":"m" , "content":[ {"text":"caf\\u00e9 \xc3\xa9 SAID","type":"text"} ],'
    b'"type":"message", "stop_reason":"end_turn", "role":"assistant","usage":{"input_tokens":3, "output_tokens":2} }\n',
}
REFUSED = b'{"error":{"message":"Incorrect API key provided.","type":"invalid_request_error","code":"invalid_api_key"}}'


class OddServer(ThreadingHTTPServer):
    """Answers every row in its own words and with the hash of what was asked, but the one that holds `refused` with a
    401."""

    def __init__(self, provider: str, said: str, refused: bytes | None = None) -> None:
        super().__init__(("127.0.0.1", 0), OddAnswers)
        self.refused = refused
        self.sent: list[bytes] = []
        self.listing: tuple[int, bytes] | None = None
        self._body, self._said = BODIES[provider], said

    def answer(self, asked: bytes) -> bytes:
        said = f"{self._said} {hashlib.sha256(asked).hexdigest()}"
        return self._body.replace(b"SAID", said.encode())


class OddAnswers(BaseHTTPRequestHandler):
    server: OddServer  # type: ignore[assignment]

    def do_GET(self) -> None:
        """What it says of models, or the file of replies of a batch."""
        self._send(*(self.server.listing or (200, b"\n".join(self.server.sent))))

    def do_POST(self) -> None:
        asked = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        refused = self.server.refused is not None and self.server.refused in asked
        body = REFUSED if refused else self.server.answer(asked)
        self.server.sent.append(body)
        self._send(401 if refused else 200, body)

    def _send(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *_: object) -> None:
        """Nothing is written to the terminal."""


@contextmanager
def odd_server(provider: str, said: str, refused: bytes | None = None) -> Generator[OddServer]:
    with OddServer(provider, said, refused) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def models_at(url: str, provider: Provider = "openai", repair_turns: int = 1) -> ModelsRecipe:
    spec = ModelSpec(provider=provider, name="fake-1", family="fake", base_url=url)
    return ModelsRecipe(
        name="test",
        models={"a": spec},
        generators=(GeneratorShare(model="a", share=1),),
        repair_turns=repair_turns,
    )


def of(server: OddServer) -> str:
    return f"http://127.0.0.1:{server.server_port}/v1"


def ask(models: ModelsRecipe, folder: Path, rows: range, **job: object) -> dict[str, Any]:
    return ask_for(Job.model_validate({"models": models, "folder": str(folder), "rows": tuple(rows), **job}))


def texts(ran: dict[str, Any]) -> dict[str, str]:
    return {row: found["text"] for row, found in ran["rows"].items()}


@pytest.mark.parametrize("provider", ["openai", "gemini", "anthropic"])
def test_a_stored_reply_is_byte_for_byte_what_the_server_sent(provider: Provider, tmp_path: Path) -> None:
    with odd_server(provider, "ok") as server:
        url = of(server) if provider == "openai" else of(server).removesuffix("/v1")
        said = texts(ask(models_at(url, provider), tmp_path, range(3)))
    assert all(text.startswith("café é ok ") for text in said.values())
    store = ReplyStore(Files(str(tmp_path / "objects")))
    stored = [reply.body for reply in map(store.get, sorted(store.keys())) if reply]
    assert sorted(body.encode() for body in stored if body) == sorted(server.sent)
    assert len(set(server.sent)) == 3


def test_a_reply_of_a_batch_is_what_stands_in_its_line() -> None:
    body = BODIES["openai"].replace(b"\r\n", b"").strip()
    bodies = {name: body.replace(b"SAID", name.encode() + b' \\"body\\": 1') for name in ("a", "b")}
    with odd_server("openai", "ok") as server:
        server.sent = [
            b'{"custom_id":"%b", "response": {"body" : %b ,"status_code":200}}' % (name.encode(), sent)
            for name, sent in bodies.items()
        ]
        found = asyncio.run(read_batch(models_at(of(server)).models["a"]))
    assert {name: one.body.encode() for name, one in found.items() if isinstance(one, Received)} == bodies


async def read_batch(spec: ModelSpec) -> Mapping[str, Received | CallError]:
    batches = OpenAIBatches(spec, None)
    try:
        return await batches.results(["file-1"])
    finally:
        await batches.close()


def test_another_server_gives_its_own_replies(tmp_path: Path) -> None:
    with odd_server("openai", "of one") as one, odd_server("openai", "of another") as other:
        first, second, again = (texts(ask(models_at(of(server)), tmp_path, range(5))) for server in (one, other, one))
        assert (len(one.sent), len(other.sent)) == (5, 5)
    assert all(text.startswith("café é of one ") for text in first.values())
    assert all(text.startswith("café é of another ") for text in second.values())
    assert again == first


def test_other_bytes_of_a_picture_get_a_reply_of_their_own(tmp_path: Path) -> None:
    before, after = (store_picture(tmp_path, side) for side in (16, 20))
    with odd_server("openai", "ok") as server:
        first, second = (
            texts(ask(models_at(of(server)), tmp_path, range(3), pictures=[shown.model_dump()]))
            for shown in (before, after)
        )
    assert {row for row in first if first[row] != second[row]} == {"0"}
    assert len(server.sent) == 4


@pytest.mark.parametrize("provider", ["openai", "gemini", "anthropic"])
def test_a_name_that_the_server_does_not_know_ends_the_run_before_any_call(
    server: StartedFaultServer, provider: Provider, tmp_path: Path
) -> None:
    """Of the validator, which would be asked last."""
    server.set(FaultPlan(unknown_models=("org/typo",) if provider == "openai" else ("typo",)))
    url = f"{server.url}/v1" if provider == "openai" else server.url
    models = models_at(url, provider)
    judge = models.models["a"].model_copy(update={"name": "org/typo" if provider == "openai" else "typo"})
    models = models.model_copy(
        update={"models": {**models.models, "judge": judge}, "panel": PanelRecipe(validators=("judge",))}
    )
    stopped = ask(models, tmp_path, range(20))
    assert (stopped["rows"], server.counts().asked) == ({}, 0)
    assert "`models.judge.name: " in stopped["errors"][0]
    assert "typo`, and http" in stopped["errors"][0]
    server.set(FaultPlan())
    ran = ask(models, tmp_path, range(20))
    asked = len(server.log())
    assert ask(models, tmp_path, range(20))["rows"] == ran["rows"]
    assert len(server.log()) == asked


@pytest.mark.parametrize("status", [404, 405])
def test_a_server_that_lists_no_models_is_asked_all_the_same(tmp_path: Path, status: int) -> None:
    with odd_server("openai", "ok") as server:
        server.listing = (status, b'{"error":{"message":"Invalid URL (GET /v1/models/fake-1)"}}')
        assert len(ask(models_at(of(server)), tmp_path, range(3))["rows"]) == 3


def test_pictures_that_were_never_sent_say_nothing_of_the_model(tmp_path: Path) -> None:
    """More of them than a model may refuse at once."""
    pictures = [store_picture(tmp_path, shade, height=8001).model_dump() for shade in range(1, 13)]
    with odd_server("anthropic", "ok") as server:
        models = models_at(of(server).removesuffix("/v1"), "anthropic")
        ran = ask(models, tmp_path, range(12), pictures=pictures)
        assert server.sent == []
    assert ran["errors"] == []
    assert {found["status"] for found in ran["rows"].values()} == {"failed"}
    assert all("8001 pixels" in found["detail"] for found in ran["rows"].values())


def store_picture(folder: Path, side: int, height: int | None = None) -> Picture:
    blob = encode_png(np.full((height or side, side, 3), side, np.uint8))
    ObjectStore(f"{folder}/objects").put(blob)
    return blob.picture


def test_one_refused_key_among_good_replies_stops_the_run_and_loses_none_of_them(tmp_path: Path) -> None:
    with odd_server("openai", "ok", refused=b"This is row 150.") as server:
        stopped = ask(models_at(of(server)), tmp_path, range(300))
        assert 0 < len(stopped["rows"]) < 300
        assert "key_variable" in stopped["errors"][0]
        kept, sent = len(stopped["rows"]), len(server.sent)
        assert sent == kept + 1
        server.refused = None
        assert len(ask(models_at(of(server)), tmp_path, range(300))["rows"]) == 300
        assert len(server.sent) == sent + 300 - kept


def test_one_bad_row_in_a_hundred_is_asked_once_and_reported(server: StartedFaultServer, tmp_path: Path) -> None:
    server.set(FaultPlan(share_permanent_400=0.01))
    ran = ask(models_at(f"{server.url}/v1"), tmp_path, range(600))
    bad = [found for found in ran["rows"].values() if found["status"] == "failed"]
    assert len(bad) == server.counts().faults["permanent_400"] > 0
    assert all("400" in found["detail"] for found in bad)
    assert (len(ran["rows"]), server.counts().asked) == (600, 600)


@pytest.mark.parametrize(
    ("repair_turns", "empty", "malformed"),
    [(0, ["empty"], ["unparsable"]), (2, ["empty"] * 3, ["unparsable", "ok"])],
    ids=["never", "twice"],
)
def test_replies_of_no_use_are_asked_for_again_as_often_as_the_recipe_says(
    server: StartedFaultServer,
    tmp_path: Path,
    repair_turns: int,
    empty: list[str],
    malformed: list[str],
) -> None:
    server.set(FaultPlan(share_empty=0.3, share_malformed_json=0.3))
    models = models_at(f"{server.url}/v1", repair_turns=repair_turns)
    ran = ask(models, tmp_path, range(60), structured=True)
    assert {tuple(replies) for replies in ran["replies"].values()} == {("ok",), tuple(empty), tuple(malformed)}
    assert all((found["value"] is None) is (found["status"] != "ok") for found in ran["rows"].values())
    assert server.counts().asked == sum(map(len, ran["replies"].values()))


def test_each_of_the_three_kinds_of_two_flaws_is_made_of_a_build(
    command: Command, query: Query, starter: Path, tmp_path: Path
) -> None:
    shutil.copytree(starter, tmp_path / "data")
    command("combine", "starter", "--models", "none", data=tmp_path / "data")
    found = query(
        tmp_path / "data",
        "SELECT DISTINCT json_extract_string(record, '$.flaws[*].subtype') AS flaws FROM build_items "
        "JOIN candidates ON candidates.id = item_id WHERE build = 'starter-dual' AND kind = 'candidate'",
    )
    made = {tuple(row["flaws"]) for row in found}
    for kind in DUAL_KINDS.values():
        assert any(first in kind.first and second == kind.second for first, second in made)
