"""A part is what one finished shard has to say, as one Parquet file that is never changed. Workers on any machine write
parts; the one process that holds the lineage file ingests them, so a crash on either side loses nothing."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import AwareDatetime, Field, ValidationError, field_validator

from core.errors import StorageError
from core.identity import canonical_json
from core.records import Record, Stage
from core.taxonomy import AnySubtype
from storage.files import Files

_METADATA_KEY = b"flawbench.part"
_SUFFIX = ".parquet"
_SCHEMA = pa.schema([("table", pa.string()), ("id", pa.string()), ("record", pa.string())])


class Row(NamedTuple):
    """One row for a table of the lineage file; `record` is canonical JSON."""

    table: str
    id: str
    record: str


class PartInfo(Record):
    """What was computed, by which code, in which run. `key` names the shard by its content: the same inputs, code
    version and parameters give the same key. `parameters` is canonical JSON; `seconds` is the time of work."""

    key: str = Field(pattern=r"^[0-9a-f]{64}$")
    stage: Stage
    subtype: AnySubtype | None = None
    source: str | None = None
    injector_version: int | None = None
    seed: int | None = None
    parameters: str = "{}"
    run_id: str
    code_commit: str
    started: AwareDatetime
    seconds: float = Field(ge=0, allow_inf_nan=False)

    @field_validator("parameters")
    @classmethod
    def _canonical(cls, value: str) -> str:
        if canonical_json(json.loads(value)) != value:
            raise ValueError("must be canonical JSON: use core.identity.canonical_json")
        return value


@dataclass(frozen=True, slots=True)
class Part:
    """`columns` holds the rows as an Arrow table of three text columns: table, id, record."""

    info: PartInfo
    columns: pa.Table

    def rows(self, table: str) -> Iterator[Row]:
        """The rows for one table, in the order they were written."""
        names, ids, records = (column.to_pylist() for column in self.columns.itercolumns())
        for name, row_id, record in zip(names, ids, records, strict=True):
            if name == table:
                yield Row(table, row_id, record)


class PartStore:
    """`url` is a local folder or an fsspec URL; parts stand in `parts/<stage>/<key>.parquet`."""

    def __init__(self, url: str) -> None:
        self._files = Files(url)

    def write(self, info: PartInfo, rows: Iterable[Row]) -> None:
        """Stores the part whole or not at all; a part that is there stays as it is. Raises StorageError."""
        if self.exists(info.stage, info.key):
            return
        sink = pa.BufferOutputStream()
        columns = make_part(info, rows).columns
        pq.write_table(
            columns.replace_schema_metadata({_METADATA_KEY: info.model_dump_json()}),
            sink,
            compression="zstd",
            write_page_checksum=True,
        )
        self._files.write(part_name(info.stage, info.key), sink.getvalue().to_pybytes())

    def read(self, stage: Stage, key: str) -> Part:
        """Raises StorageError when the part is absent or damaged."""
        name = part_name(stage, key)
        data = self._files.read(name)
        if data is None:
            raise StorageError(f"There is no part {name} in {self._files.url}.", "Run the same command again.")
        try:
            with pq.ParquetFile(pa.BufferReader(data), page_checksum_verification=True) as file:
                columns = file.read(use_threads=False)  # `pq.read_table` takes three times as long for a small part
            info = PartInfo.model_validate_json((columns.schema.metadata or {})[_METADATA_KEY])
            columns = columns.replace_schema_metadata(None).cast(_SCHEMA)
        except (pa.ArrowException, OSError, KeyError, ValidationError) as error:
            raise StorageError(
                f"The part {name} in {self._files.url} is damaged: {str(error).splitlines()[0]}.",
                "Delete this file and run the same command again: only its shard is computed anew.",
            ) from error
        return Part(info, columns)

    def exists(self, stage: Stage, key: str) -> bool:
        return self._files.size(part_name(stage, key)) is not None

    def keys(self, stage: Stage) -> set[str]:
        """Of all parts of a stage, by one listing."""
        names = self._files.names(f"parts/{stage.value}")
        return {name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX)}

    def remove(self, stage: Stage, key: str) -> None:
        """Raises StorageError."""
        self._files.remove(part_name(stage, key))

    def sweep(self) -> int:
        """Deletes the temporary files of killed writers and returns how many."""
        return self._files.sweep()


def make_part(info: PartInfo, rows: Iterable[Row]) -> Part:
    """A part in memory, as it would be read back."""
    tables, ids, records = zip(*rows, strict=True) if (rows := list(rows)) else ((), (), ())
    return Part(info, pa.table([tables, ids, records], schema=_SCHEMA))


def part_name(stage: Stage, key: str) -> str:
    return f"parts/{stage.value}/{key}{_SUFFIX}"
