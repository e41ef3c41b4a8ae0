"""Rows to Parquet files that `datasets` opens with pictures decoded. Row groups are written one after the other, so
memory does not grow with the number of rows; same rows give same bytes."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypedDict, cast

import pyarrow as pa
import pyarrow.parquet as pq
from datasets import Features, Image, List, Value

from core.errors import ExportError
from core.identity import bytes_hash
from core.records import Picture
from export.rows import Row

ReadPicture = Callable[[Picture], bytes]

ROW_GROUP_ROWS = 100
ROW_GROUP_BYTES = 32 * 2**20


class EmbeddedPicture(TypedDict):
    """The storage form of `datasets.Image`."""

    bytes: bytes
    path: None


class Column(NamedTuple):
    feature: Value | Image | List
    meaning: str


def write_split(
    split: str,
    rows: Sequence[Row],
    columns: Mapping[str, Column],
    rows_per_file: int,
    folder: Path,
    read_picture: ReadPicture,
) -> None:
    """`SPLIT-00000-of-0000N.parquet` ... in `folder`. Raises ExportError when a stored picture is not the one named."""
    starts = range(0, len(rows), rows_per_file)
    for number, start in enumerate(starts):
        path = folder / f"{split}-{number:05d}-of-{len(starts):05d}.parquet"
        _write_file(path, rows[start : start + rows_per_file], columns, read_picture)


def _write_file(path: Path, rows: Sequence[Row], columns: Mapping[str, Column], read_picture: ReadPicture) -> None:
    schema = Features({name: column.feature for name, column in columns.items()}).arrow_schema
    leaves = {name: list(_leaves(name, column.feature)) for name, column in columns.items()}
    pictures = [leaf for name in _picture_columns(columns) for leaf in leaves[name]]
    texts = [leaf for found in leaves.values() for leaf in found if leaf not in pictures]
    with path.open("wb") as handle:
        with pq.ParquetWriter(  # its types know neither of the two forms by column
            handle,
            schema,
            compression=dict.fromkeys(texts, "zstd") | dict.fromkeys(pictures, "none"),  # pyright: ignore[reportArgumentType]
            use_dictionary=texts,  # pyright: ignore[reportArgumentType]
            write_page_index=True,
        ) as writer:
            for group in _group_rows(rows, _picture_columns(columns), read_picture):
                writer.write_table(pa.Table.from_pylist(group, schema=schema))
        handle.flush()
        os.fsync(handle.fileno())


def _picture_columns(columns: Mapping[str, Column]) -> list[str]:
    lists = {name: column.feature for name, column in columns.items() if isinstance(column.feature, List)}
    return [name for name, feature in lists.items() if isinstance(feature.feature, Image)]


def _leaves(name: str, feature: object) -> Iterator[str]:
    """The columns of the file that one column becomes."""
    match feature:
        case List():
            yield from _leaves(f"{name}.list.element", feature.feature)
        case Image():
            yield from (f"{name}.bytes", f"{name}.path")
        case dict():
            for key, value in feature.items():
                yield from _leaves(f"{name}.{key}", value)
        case _:
            yield name


def _group_rows(
    rows: Sequence[Row], picture_columns: Sequence[str], read_picture: ReadPicture
) -> Iterator[list[dict[str, object]]]:
    """Groups of at most ROW_GROUP_ROWS rows that end once they hold ROW_GROUP_BYTES of pictures."""
    group: list[dict[str, object]] = []
    size = 0
    for row in rows:
        cells = row._asdict()
        shown = {name: [_embed(found, cells["id"], read_picture) for found in cells[name]] for name in picture_columns}
        group.append({**{name: _as_plain(value) for name, value in cells.items()}, **shown})
        size += sum(len(cell["bytes"]) for embedded in shown.values() for cell in embedded)
        if len(group) == ROW_GROUP_ROWS or size >= ROW_GROUP_BYTES:
            yield group
            group, size = [], 0
    if group:
        yield group


def _as_plain(value: object) -> object:
    """Structs as dictionaries: a named tuple would be taken for a list."""
    if not isinstance(value, tuple):
        return value
    items = cast("tuple[object, ...]", value)
    fields: tuple[str, ...] | None = getattr(items, "_fields", None)
    plain = [_as_plain(item) for item in items]
    return dict(zip(fields, plain, strict=True)) if fields else plain


def _embed(picture: Picture, row: str, read_picture: ReadPicture) -> EmbeddedPicture:
    return {"bytes": read_named(picture, row, read_picture), "path": None}


def read_named(picture: Picture, row: str, read_picture: ReadPicture) -> bytes:
    """Raises ExportError when the stored picture is not the one named."""
    data = read_picture(picture)
    if bytes_hash(data) != picture.sha256:
        raise ExportError(
            f"Picture {picture.sha256} of row {row} has other bytes in the object store.",
            "Delete that object and build again: it is written anew.",
        )
    return data
