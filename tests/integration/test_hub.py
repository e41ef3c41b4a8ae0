"""A data set of the Hub at a pinned commit, from an imitation of the Hub on loopback: what is asked of it, in which
revision, and how much of which files is fetched."""

import ast
import hashlib
import io
import json
import os
import random
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

pytestmark = pytest.mark.integration

NAME = "somebody/questions"
COMMIT = "0123456789abcdef" * 2 + "01234567"
CARD = "---\nconfigs: [{config_name: default, data_files: [{split: train, path: '*.parquet'}]}]\n---\n"
READ = f"""
from core.recipe import ColumnMapping, SourceRecipe
from sources.registry import reader

mapping = ColumnMapping(id="id", query="question", subject="=mathematics", licence="=CC0-1.0")
recipe = SourceRecipe(reader="mapped", location="{NAME}", revision="{COMMIT}", take=TAKE, mapping=mapping)
print([item.sample.source_id for item in reader("mapped").read(recipe)])
"""
ROWS, ROWS_IN_A_GROUP, PICTURE_BYTES = 5000, 100, 4096


def _parquet(name: str) -> bytes:
    """20 MB in 50 groups of rows."""
    noise = random.Random(name)
    columns = {
        "id": [f"{name}{row}" for row in range(ROWS)],
        "question": [f"How much is {name} times {row}?" for row in range(ROWS)],
        "picture": [noise.randbytes(PICTURE_BYTES) for _ in range(ROWS)],
    }
    sink = io.BytesIO()
    pq.write_table(pa.table(columns), sink, row_group_size=ROWS_IN_A_GROUP, write_statistics=False)
    return sink.getvalue()


FILES = {"README.md": CARD.encode(), "a.parquet": _parquet("a"), "b.parquet": _parquet("b")}


class _Hub(BaseHTTPRequestHandler):
    """Knows one commit of one data set, and answers nothing about another."""

    protocol_version = "HTTP/1.1"
    asked: list[str]
    sent: int

    def do_GET(self) -> None:
        path = unquote(self.path.partition("?")[0])
        self.asked.append(path)
        file = path.removeprefix(f"/datasets/{NAME}/resolve/{COMMIT}/")
        if file in FILES:
            self._send_file(FILES[file])
        elif path == f"/api/datasets/{NAME}/tree/{COMMIT}":
            self._send(200, json.dumps([_entry(name) for name in FILES]).encode())
        elif path == f"/api/datasets/{NAME}/revision/{COMMIT}":
            self._send(200, json.dumps({"id": NAME, "sha": COMMIT}).encode())
        else:
            self._send(404, b"", {"X-Error-Code": "EntryNotFound"})

    do_HEAD = do_GET  # noqa: N815 - the library names it

    def _send_file(self, content: bytes) -> None:
        headers = {"ETag": f'"{hashlib.sha1(content).hexdigest()}"', "X-Repo-Commit": COMMIT}
        wanted = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if wanted is None:
            self._send(200, content, headers)
            return
        first, last = int(wanted[1]), int(wanted[2])
        self._send(206, content[first : last + 1], headers | {"Content-Range": f"bytes {first}-{last}/{len(content)}"})

    def _send(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            type(self).sent += len(body)
            self.wfile.write(body)

    def log_message(self, format: str, *_: object) -> None: ...


def _entry(name: str) -> dict[str, object]:
    return {"type": "file", "path": name, "size": len(FILES[name]), "oid": hashlib.sha1(FILES[name]).hexdigest()}


@pytest.fixture
def hub() -> Iterator[ThreadingHTTPServer]:
    _Hub.asked, _Hub.sent = [], 0
    with ThreadingHTTPServer(("127.0.0.1", 0), _Hub) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def _read(take: int, hub: ThreadingHTTPServer, root: Path, home: Path) -> list[str]:
    """In a process of its own, which ends right after the last row."""
    place = {"HF_ENDPOINT": f"http://127.0.0.1:{hub.server_port}", "HF_HOME": str(home)}
    code = READ.replace("TAKE", str(take))
    read = subprocess.run(
        [sys.executable, "-c", code], cwd=root, env={**os.environ, **place}, capture_output=True, text=True, check=False
    )
    assert read.returncode == 0, read.stderr
    return ast.literal_eval(read.stdout)


def test_a_few_rows_of_a_pinned_data_set_are_asked_for_at_that_commit_and_fetch_no_second_file(
    hub: ThreadingHTTPServer, root: Path, tmp_path: Path
) -> None:
    assert _read(3, hub, root, tmp_path) == ["a0", "a1", "a2"]
    assert [path for path in _Hub.asked if COMMIT not in path.split("/")] == []
    fetched = {path.rsplit("/", 1)[1] for path in _Hub.asked if path.endswith(".parquet")}
    assert fetched == {"a.parquet"}


def test_300_rows_of_a_file_of_20_mb_fetch_their_groups_of_rows_and_1_mib_after_each(
    hub: ThreadingHTTPServer, root: Path, tmp_path: Path
) -> None:
    assert _read(300, hub, root, tmp_path) == [f"a{row}" for row in range(300)]
    groups = 300 // ROWS_IN_A_GROUP
    group_bytes = len(FILES["a.parquet"]) * ROWS_IN_A_GROUP // ROWS
    ends = 10 * (64 << 10)
    assert _Hub.sent < groups * (group_bytes + (1 << 20)) + ends < len(FILES["a.parquet"]) / 3
