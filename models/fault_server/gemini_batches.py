"""Gemini's batches with inlined requests: https://ai.google.dev/gemini-api/docs/batch-mode."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from models.fault_server.batches import Batch, BatchDesk, Row
from models.fault_server.formats import GEMINI
from models.fault_server.gemini_format import write_generate_error
from models.fault_server.plan import Spoil
from models.fault_server.server import Outcome

_PREFIX = "gemini-"
_STATES = {
    "in_progress": "BATCH_STATE_RUNNING",
    "completed": "BATCH_STATE_SUCCEEDED",
    "cancelled": "BATCH_STATE_CANCELLED",
    "expired": "BATCH_STATE_EXPIRED",
}
_INTERNAL = 13
_RPC_CODES = {400: 3, 429: 8, 503: 14}
"""Errors of rows are of google.rpc.Status, with its codes."""


class GeminiBatches:
    """Every method gives the HTTP status and body."""

    def __init__(self, desk: BatchDesk) -> None:
        self._desk = desk

    def create(self, path: str, body: dict[str, Any]) -> Outcome:
        model = path.rpartition("/")[2].partition(":")[0]
        try:
            asked = body["batch"]["inputConfig"]["requests"]["requests"]
            details = {
                "model": f"models/{model}",
                "displayName": body["batch"].get("displayName"),
                "metadata": [row.get("metadata") for row in asked],
            }
            single = f"/v1beta/models/{model}:generateContent"
            rows = [Row(str(number), single, row["request"]) for number, row in enumerate(asked)]
        except (KeyError, TypeError, AttributeError) as error:
            return _error(400, f"no batch with inlined requests: {error!r}")
        return Outcome(200, _describe(self._desk.submit(_PREFIX, GEMINI, rows, details), self._desk.spoil_of))

    def get(self, batch_id: str) -> Outcome:
        batch = self._desk.look(batch_id)
        if batch is None:
            return _error(404, f"There is no batch {batch_id}.")
        return Outcome(200, _describe(batch, self._desk.spoil_of))

    def cancel(self, batch_id: str) -> Outcome:
        batch = self._desk.find(batch_id)
        if batch is None:
            return _error(404, f"There is no batch {batch_id}.")
        self._desk.cancel(batch)
        return Outcome(200, {})

    def list(self, page_token: str | None, page_size: int) -> Outcome:
        """Newest first, a page at a time."""
        batches = self._desk.newest_first(_PREFIX)
        start = int(page_token or 0)
        page = [_describe(batch, self._desk.spoil_of) for batch in batches[start : start + page_size]]
        body: dict[str, Any] = {"operations": page}
        if start + page_size < len(batches):
            body["nextPageToken"] = str(start + page_size)
        return Outcome(200, body)


def _describe(batch: Batch, spoil_of: Callable[[int], Spoil | None]) -> dict[str, Any]:
    name = f"batches/{batch.id}"
    created = datetime.fromtimestamp(batch.created, UTC).isoformat()
    metadata: dict[str, Any] = {
        "@type": "type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatch",
        "name": name,
        "model": batch.details["model"],
        "displayName": batch.details["displayName"],
        "state": _STATES[batch.state],
        "createTime": created,
        "updateTime": created,
    }
    if batch.state == "completed":
        pairs = zip(batch.outcomes, batch.details["metadata"], strict=True)
        whole = enumerate(_inlined(outcome, tag) for outcome, tag in pairs)
        answers = [row for number, one in whole for row in _spoil(one, spoil_of(number))]
        metadata["output"] = {"inlinedResponses": {"inlinedResponses": answers}}
    return {"name": name, "metadata": metadata, "done": batch.state != "in_progress"}


def _inlined(outcome: Outcome, tag: dict[str, str] | None) -> dict[str, Any]:
    reply: dict[str, Any] = {"metadata": tag} if tag else {}
    if outcome.status == 200:
        return {**reply, "response": outcome.body}
    code = _RPC_CODES.get(outcome.status or 0, _INTERNAL)
    return {**reply, "error": {"code": code, "message": f"the row failed with {outcome.status}"}}


def _spoil(row: dict[str, Any], how: Spoil | None) -> list[Any]:
    match how:
        case None:
            return [row]
        case Spoil.MISSING:
            return []
        case Spoil.CUT:
            return [{"metadata": row["metadata"]}]
        case Spoil.NO_JSON:
            return ["no result"]
        case Spoil.FOREIGN:
            return [{**row, "metadata": {"key": "of another batch"}}]


def _error(status: int, message: str) -> Outcome:
    return Outcome(status, write_generate_error(status, message))
