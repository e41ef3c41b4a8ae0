"""Rows to Parquet files that `datasets` opens with pictures decoded. Row groups are written one after the other, so
memory does not grow with the number of rows; same rows give same bytes."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypedDict

import pyarrow as pa
import pyarrow.parquet as pq
from datasets import Features, Image, List, Value

from core.errors import ExportError
from core.identity import bytes_hash
from core.records import Picture
from export.rows import ReleaseRow

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


_TEXT = Value("string")

LABEL = {
    "annotator": Value("int32"),
    "round": Value("int32"),
    "type_compliance": _TEXT,
    "unanswerability": _TEXT,
    "type_compliance_reason": _TEXT,
    "unanswerability_reason": _TEXT,
    "seconds": Value("float64"),
}

COLUMNS: Mapping[str, Column] = {
    "id": Column(_TEXT, "Stable id of the row: a hash of its content."),
    "question": Column(
        _TEXT,
        "The whole text that the model sees: context, query and options lettered A, B, ... with a blank line between "
        "them. Tokens `<image N>` name the N-th picture of `images`, from 1. It may be empty.",
    ),
    "context": Column(_TEXT, "The given facts alone; null where there are none."),
    "query": Column(_TEXT, "What is asked; null where it is missing."),
    "options": Column(List(_TEXT), "Answer options without letters; empty for a free answer."),
    "images": Column(List(Image()), "The pictures that the model sees, none to ten, bytes embedded."),
    "subtype": Column(_TEXT, "The flaw's subtype; null in `twins`."),
    "primary_type": Column(_TEXT, "The flaw's primary type; null in `twins`."),
    "region": Column(_TEXT, "Where the flaw can be seen: text_only, cross_modal or visual_only; null in `twins`."),
    "flaw": Column(_TEXT, "Gold explanation, in English: what was changed, why the question cannot be answered."),
    "edits": Column(_TEXT, "JSON list of every change from the twin to this row, with its place; pictures by SHA-256."),
    "masks": Column(
        List(Image()), "One picture per edit that has a mask, in the order of `edits`: white where changed."
    ),
    "generator": Column(
        _TEXT, "What made the flaw: `rules`, or the models that did in their order, joined by `+`; null in `twins`."
    ),
    "families": Column(
        List(_TEXT), "Makers of all models that touched the row: none of them judged it. Empty where only rules did."
    ),
    "panel": Column(
        _TEXT,
        "Models that judged the row, joined by `+`; where none did, `none` in `test` and null in `twins`.",
    ),
    "review": Column(
        _TEXT,
        "What people made of the row: `accepted`, `rejected`, `open` while verdicts are missing, `none` where it was "
        "before nobody; null in `twins`.",
    ),
    "annotations": Column(
        List(LABEL),
        "Each person's own verdicts: number of the annotator, round (1, or 2 for the third who decides a dispute), "
        "pass, fail or unsure on both criteria, reasons, seconds.",
    ),
    "answer": Column(_TEXT, "Right answer of the twin as text; null in `test` and where the source withholds it."),
    "correct_options": Column(
        List(Value("int32")),
        "Positions of the right options of the twin, from 0; empty in `test` and for free answers.",
    ),
    "source": Column(_TEXT, "Data set of the question."),
    "source_id": Column(_TEXT, "The question's id there."),
    "subject": Column(_TEXT, "One of nine subjects."),
    "language": Column(_TEXT, "`en` or `zh`."),
    "licence": Column(_TEXT, "Licence of the row, joined by AND where pictures come from another question."),
    "attribution": Column(_TEXT, "Whom to credit."),
    "pair_id": Column(_TEXT, "Id of the unmodified twin in the split `twins`; in `twins` the row's own id."),
}

FEATURES = Features({name: column.feature for name, column in COLUMNS.items()})
_PICTURE_LEAVES = [f"{name}.list.element.{part}" for name in ("images", "masks") for part in ("bytes", "path")]
_LIST_LEAVES = [f"{name}.list.element" for name in ("options", "families", "correct_options")]
_LABEL_LEAVES = [f"annotations.list.element.{name}" for name in LABEL]
_TEXT_LEAVES = [*_LIST_LEAVES, *_LABEL_LEAVES, *(name for name, column in COLUMNS.items() if column.feature == _TEXT)]


def write_split(
    split: str, rows: Sequence[ReleaseRow], rows_per_file: int, folder: Path, read_picture: ReadPicture
) -> None:
    """`SPLIT-00000-of-0000N.parquet` ... in `folder`. Raises ExportError when a stored picture is not the one named."""
    starts = range(0, len(rows), rows_per_file)
    for number, start in enumerate(starts):
        path = folder / f"{split}-{number:05d}-of-{len(starts):05d}.parquet"
        _write_file(path, rows[start : start + rows_per_file], read_picture)


def _write_file(path: Path, rows: Sequence[ReleaseRow], read_picture: ReadPicture) -> None:
    schema = FEATURES.arrow_schema
    with path.open("wb") as handle:
        with pq.ParquetWriter(  # its types know neither of the two forms by column
            handle,
            schema,
            compression=dict.fromkeys(_TEXT_LEAVES, "zstd") | dict.fromkeys(_PICTURE_LEAVES, "none"),  # pyright: ignore[reportArgumentType]
            use_dictionary=_TEXT_LEAVES,  # pyright: ignore[reportArgumentType]
            write_page_index=True,
        ) as writer:
            for group in _group_rows(rows, read_picture):
                writer.write_table(pa.Table.from_pylist(group, schema=schema))
        handle.flush()
        os.fsync(handle.fileno())


def _group_rows(rows: Sequence[ReleaseRow], read_picture: ReadPicture) -> Iterator[list[dict[str, object]]]:
    """Groups of at most ROW_GROUP_ROWS rows that end once they hold ROW_GROUP_BYTES of pictures."""
    group: list[dict[str, object]] = []
    size = 0
    for row in rows:
        images = [_embed(picture, row.id, read_picture) for picture in row.images]
        masks = [_embed(picture, row.id, read_picture) for picture in row.masks]
        labels = [label._asdict() for label in row.annotations]
        group.append({**row._asdict(), "images": images, "masks": masks, "annotations": labels})
        size += sum(len(cell["bytes"]) for cell in (*images, *masks))
        if len(group) == ROW_GROUP_ROWS or size >= ROW_GROUP_BYTES:
            yield group
            group, size = [], 0
    if group:
        yield group


def _embed(picture: Picture, row: str, read_picture: ReadPicture) -> EmbeddedPicture:
    data = read_picture(picture)
    if bytes_hash(data) != picture.sha256:
        raise ExportError(
            f"Picture {picture.sha256} of row {row} has other bytes in the object store.",
            "Delete that object and build again: it is written anew.",
        )
    return {"bytes": data, "path": None}
