"""Parts into the tables, in bulk: Arrow columns in, SQL over JSON, no loop over rows. Rows that are there are left
alone."""

from collections.abc import Iterable, Sequence

import pyarrow as pa
from duckdb import DuckDBPyConnection

from storage.database import load_query
from storage.parts import Part

_SHARDS = pa.schema(
    [
        ("key", pa.string()),
        ("stage", pa.string()),
        ("subtype", pa.string()),
        ("source", pa.string()),
        ("injector_version", pa.int32()),
        ("seed", pa.uint64()),
        ("parameters", pa.string()),
        ("run_id", pa.string()),
        ("code_commit", pa.string()),
        ("started", pa.timestamp("us", "UTC")),
        ("seconds", pa.float64()),
        ("rows", pa.uint32()),
    ]
)


def find_ledger_keys(connection: DuckDBPyConnection) -> set[str]:
    return {key for (key,) in connection.execute("SELECT key FROM shards").fetchall()}


def ingest_parts(connection: DuckDBPyConnection, parts: Sequence[Part]) -> int:
    """Rows and ledger rows of all parts that the ledger has not. Returns how many parts these were."""
    known = find_ledger_keys(connection)
    new = {part.info.key: part for part in parts if part.info.key not in known}
    if not new:
        return 0
    _stage_rows(connection, list(new.values()))
    _stage_shards(connection, list(new.values()))
    connection.execute(load_query("ingest"))
    connection.execute(load_query("ingest_premises"))
    connection.unregister("staged")
    connection.unregister("staged_shards")
    return len(new)


def forget_shards(connection: DuckDBPyConnection, keys: Iterable[str]) -> None:
    """They are no longer done: the ledger lacks them, and calls that were not answered are gone with their votes."""
    connection.register("forgotten", pa.table({"key": sorted(keys)}))
    connection.execute(load_query("forget_shards"))
    connection.unregister("forgotten")


def _stage_rows(connection: DuckDBPyConnection, parts: Sequence[Part]) -> None:
    rows = pa.concat_tables([part.columns for part in parts])
    owners = pa.concat_arrays([pa.repeat(part.info.key, part.columns.num_rows) for part in parts])
    positions = pa.array(range(rows.num_rows), pa.int64())
    connection.register("staged", rows.append_column("shard_key", owners).append_column("position", positions))


def _stage_shards(connection: DuckDBPyConnection, parts: Sequence[Part]) -> None:
    rows = [part.info.model_dump() | {"rows": part.columns.num_rows} for part in parts]
    connection.register("staged_shards", pa.Table.from_pylist(rows, schema=_SHARDS))
