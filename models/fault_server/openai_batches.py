"""OpenAI's files and batches: https://platform.openai.com/docs/api-reference/batch. All is held in memory."""

import json
from typing import Any

from models.fault_server.batches import Batch, BatchDesk, Row
from models.fault_server.formats import OPENAI
from models.fault_server.openai_format import CREATED, write_chat_error
from models.fault_server.plan import Spoil
from models.fault_server.server import Outcome

_PREFIX = "batch_"


class OpenAIBatches:
    """Every method gives the HTTP status and body."""

    def __init__(self, desk: BatchDesk) -> None:
        self._desk = desk
        self._files: dict[str, bytes] = {}

    def upload(self, data: bytes, name: str, purpose: str) -> Outcome:
        file_id = f"file-{len(self._files)}"
        self._files[file_id] = data
        described = {"id": file_id, "object": "file", "bytes": len(data), "created_at": CREATED, "filename": name}
        return Outcome(200, {**described, "purpose": purpose, "status": "processed"})

    def content(self, file_id: str) -> Outcome:
        batch = self._desk.find(file_id.partition("-of-")[2])
        if batch and batch.state == "completed":
            return Outcome(200, self._results(batch, good=file_id.startswith("output")))
        if file_id in self._files:
            return Outcome(200, self._files[file_id])
        return _error(404, f"There is no file {file_id}.")

    def create(self, body: dict[str, Any]) -> Outcome:
        lines = self._files.get(body.get("input_file_id", ""))
        if lines is None:
            return _error(400, f"There is no file {body.get('input_file_id')!r}.")
        try:
            rows = [_read_row(line, body["endpoint"]) for line in lines.splitlines() if line.strip()]
        except (KeyError, TypeError, ValueError) as error:
            return _error(400, f"A line of the file is no request: {error!r}")
        if not rows or len({row.name for row in rows}) < len(rows):
            return _error(400, "The file is empty or has a custom_id twice.")
        return Outcome(200, _describe(self._desk.submit(_PREFIX, OPENAI, rows, body)))

    def get(self, batch_id: str) -> Outcome:
        batch = self._desk.look(batch_id)
        return Outcome(200, _describe(batch)) if batch else _error(404, f"There is no batch {batch_id}.")

    def cancel(self, batch_id: str) -> Outcome:
        batch = self._desk.find(batch_id)
        if batch:
            self._desk.cancel(batch)
        return self.get(batch_id)

    def list(self, after: str | None, limit: int) -> Outcome:
        """Newest first, a page at a time."""
        batches = self._desk.newest_first(_PREFIX)
        ids = [batch.id for batch in batches]
        start = ids.index(after) + 1 if after in ids else 0
        page = batches[start : start + limit]
        return Outcome(
            200,
            {
                "object": "list",
                "data": [_describe(batch) for batch in page],
                "first_id": page[0].id if page else None,
                "last_id": page[-1].id if page else None,
                "has_more": start + limit < len(batches),
            },
        )

    def _results(self, batch: Batch, good: bool) -> bytes:
        lines = enumerate(_lines(batch, good))
        return "".join(_spoil(line, self._desk.spoil_of(number)) for number, line in lines).encode()


def _read_row(line: bytes, endpoint: str) -> Row:
    row = json.loads(line)
    if row["method"] != "POST" or row["url"] != endpoint:
        raise ValueError(f"method and url are {row['method']} {row['url']}, not POST {endpoint}")
    return Row(row["custom_id"], row["url"], row["body"])


def _describe(batch: Batch) -> dict[str, Any]:
    good = sum(outcome.status == 200 for outcome in batch.outcomes)
    bad = len(batch.outcomes) - good
    ended = int(batch.ended) if batch.ended else None
    return {
        "id": batch.id,
        "object": "batch",
        "endpoint": batch.details["endpoint"],
        "errors": None,
        "input_file_id": batch.details["input_file_id"],
        "completion_window": batch.details.get("completion_window", "24h"),
        "status": batch.state,
        "output_file_id": f"output-of-{batch.id}" if good else None,
        "error_file_id": f"error-of-{batch.id}" if bad else None,
        "created_at": int(batch.created),
        "in_progress_at": int(batch.created),
        "completed_at": ended if batch.state == "completed" else None,
        "cancelled_at": ended if batch.state == "cancelled" else None,
        "request_counts": {"total": len(batch.rows), "completed": good, "failed": bad},
        "metadata": batch.details.get("metadata"),
    }


def _lines(batch: Batch, good: bool) -> list[str]:
    lines = [
        {
            "id": f"batch_req_{batch.id}_{number}",
            "custom_id": row.name,
            "response": {"status_code": outcome.status, "request_id": f"req_{number}", "body": outcome.body},
            "error": None,
        }
        for number, (row, outcome) in enumerate(zip(batch.rows, batch.outcomes, strict=True))
        if (outcome.status == 200) is good
    ]
    return [json.dumps(line) + "\n" for line in reversed(lines)]


def _spoil(line: str, how: Spoil | None) -> str:
    match how:
        case None:
            return line
        case Spoil.MISSING:
            return ""
        case Spoil.CUT:
            return line[: len(line) // 2] + "\n"
        case Spoil.NO_JSON:
            return "no result\n"
        case Spoil.FOREIGN:
            return json.dumps(json.loads(line) | {"custom_id": "of another batch"}) + "\n"


def _error(status: int, message: str) -> Outcome:
    return Outcome(status, write_chat_error(status, message))
