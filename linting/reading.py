"""Opens what is to be looked through: a release of ours, a Parquet, JSON or JSON lines file or a folder of them, or a
data set of the Hub; the released files of Judge Before Answer are such JSON."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from core.errors import SourceError
from linting.columns import NEGATED, Role, as_label, find_columns, value_in
from linting.pictures import PictureReader
from linting.rows import DataSet, LintRow
from linting.watching import Watch
from sources.folder import read_lines
from sources.hub import HubTable, read_table, split_names
from sources.json_arrays import read_array

_PATTERNS = ("data/*.parquet", "*.parquet", "*/*.parquet", "*.jsonl", "*.json")
_SHARD = re.compile(r"(.+?)-\d+-of-\d+")
_HUB_ID = re.compile(r"[\w.-]+/[\w.-]+")
_COLUMNS_SEEN_IN = 50
_CHUNK = 1 << 20
_CONVERT = "Convert it: iconv -f LATIN1 -t UTF-8 (or -f UTF-16) OLD > NEW."
_FLAWED, _SOUND = "test", "twins"
_TWIN_COLUMNS = frozenset({"subtype", "pair_id", "primary_type", "edits"})
_PREMISE_COLUMNS = frozenset({"subtype", "pair_id", "stated", "replacement", "stage"})
_NO_DATA = re.compile(r"manifest|dataset_infos?|package|config|tsconfig")


class HubChoice(NamedTuple):
    config: str | None = None
    revision: str | None = None


class RawRow(NamedTuple):
    split: str
    place: str
    values: Mapping[str, object]


def read_data(
    locations: Sequence[str],
    mapping: Mapping[Role, str],
    pictures: Path | None = None,
    hub: HubChoice | None = None,
    watch: Watch | None = None,
) -> DataSet:
    """Each file is a split, or part of one (`test-00000-of-00002`). `pictures`: folder in which names of pictures are
    looked up. Raises SourceError and ConfigurationError when something cannot be read or has not the columns needed."""
    raw = chain.from_iterable(_read(location, hub or HubChoice()) for location in locations)
    first = list(islice(raw, _COLUMNS_SEEN_IN))
    if not first:
        raise SourceError(f"There is no row in {', '.join(locations)}.", "Name a file or folder that holds rows.")
    names = {name for row in first for name in row.values}
    columns = find_columns(names, mapping)
    reader = PictureReader([*([pictures] if pictures else []), *map(_folder, locations)])
    released = names >= _TWIN_COLUMNS
    every = chain(first, raw)
    bad: list[tuple[str, str]] = []
    rows = [_understand(row, columns, reader, released, bad) for row in (watch.reading(every) if watch else every)]
    _require_labels(bad, columns)
    twins = released and {row.split for row in rows} >= {_FLAWED, _SOUND}
    taken = {str(role): column for role, column in columns.items()}
    parts = _part(_with_sources(rows) if twins else rows, twins)
    return DataSet(" ".join(locations), parts, twins, names >= _PREMISE_COLUMNS, taken, tuple(sorted(names)))


def _folder(location: str) -> Path:
    path = _local_path(location)
    return path if path and path.is_dir() else (path or Path(location)).parent


def _read(location: str, hub: HubChoice) -> Iterator[RawRow]:
    path = _local_path(location)
    return _read_path(path) if path else _read_hub(location, hub)


def _local_path(location: str) -> Path | None:
    """None where there is nothing on this machine, or could not be."""
    try:
        path = Path(location).expanduser()
        return path if path.exists() else None
    except (OSError, ValueError, RuntimeError):
        return None


def _read_path(path: Path) -> Iterator[RawRow]:
    for file in _files(path):
        _require_content(file)
        match = _SHARD.fullmatch(file.stem)
        split = match[1] if match else file.stem
        if file.suffix == ".parquet":
            yield from _read_parquet(file, split)
        elif file.suffix == ".jsonl":
            yield from _read_json_lines(file, split)
        else:
            yield from _read_json(file, split)


def _require_content(path: Path) -> None:
    """What else would be said of other encodings and of nothing names neither."""
    try:
        if path.stat().st_size == 0:
            raise SourceError(f"{path} is empty.", "Write or download the file again.")
        if path.suffix == ".parquet":
            return
        with path.open(encoding="utf-8-sig") as stream:
            while stream.read(_CHUNK):
                pass
    except UnicodeDecodeError as error:
        raise SourceError(f"{path} is not UTF-8: {error.reason} at byte {error.start}.", _CONVERT) from error
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}.", "Make the file readable.") from error


def _files(path: Path) -> list[Path]:
    if path.is_file():
        if path.suffix not in (".parquet", ".jsonl", ".json"):
            raise SourceError(f"{path} is no Parquet, JSON or JSON lines file.", "Convert it to one of these.")
        return [path]
    for pattern in _PATTERNS:
        found = [
            one for one in sorted(path.glob(pattern)) if not one.name.startswith(".") and not _NO_DATA.match(one.stem)
        ]
        if found:
            return found
    raise SourceError(f"{path} holds no Parquet, JSON or JSON lines file.", "Name the folder that holds them.")


def _read_parquet(path: Path, split: str) -> Iterator[RawRow]:
    try:
        with pq.ParquetFile(path) as file:
            place = 0
            for batch in file.iter_batches(batch_size=100):
                for values in batch.to_pylist():
                    yield RawRow(split, f"{path.name}:{place}", values)
                    place += 1
    except (OSError, ValueError, pa.ArrowException) as error:  # UnicodeDecodeError is a ValueError
        raise SourceError(f"{path} cannot be read: {error}.", "Download or write the file again.") from error


def _read_json(path: Path, split: str) -> Iterator[RawRow]:
    with path.open(encoding="utf-8-sig") as stream:
        if stream.read(_CHUNK).lstrip().startswith("{"):
            raise SourceError(
                f"{path} begins with a JSON object.",
                "Write a list of objects, `[{...}, {...}]`; or call it .jsonl where each line is one object.",
            )
    for place, values in enumerate(read_array(path)):
        if not isinstance(values, dict):
            raise SourceError(f"{path} holds {type(values).__name__} as item {place}.", "Name a file of objects.")
        yield RawRow(split, f"{path.name}:{place}", values)


def _read_json_lines(path: Path, split: str) -> Iterator[RawRow]:
    for row in read_lines([path], "default", split):
        if row.broken is not None:
            raise SourceError(f"{row.place} cannot be read: {row.broken}.", "Mend that line.")
        if not isinstance(row.values, dict):
            raise SourceError(f"{row.place} is no JSON object.", "Mend that line.")
        yield RawRow(row.split, row.place, row.values)


def _read_hub(location: str, hub: HubChoice) -> Iterator[RawRow]:
    if not _HUB_ID.fullmatch(location):
        raise SourceError(f"There is no file or folder {location}.", "Name one, or a data set of the Hub (owner/name).")
    try:
        for split in split_names(location, hub.config, hub.revision):
            for row in read_table(HubTable(location, hub.config, split, hub.revision), frozenset()):
                yield RawRow(split, row.place, row.fields)
    except SourceError as error:
        raise SourceError(error.message, "Check its name, --config, --revision and the connection.") from error


def _require_labels(bad: Sequence[tuple[str, str]], columns: Mapping[Role, str]) -> None:
    if bad:
        place, value = bad[0]
        rows = "1 row has such a label" if len(bad) == 1 else f"{len(bad):,} rows have such labels"
        raise SourceError(
            f"{place}: the label {value} in column {columns[Role.LABEL].removeprefix(NEGATED)} says neither sound nor "
            f"flawed; {rows}.",
            "Name a column of true and false with --map label=COLUMN, or label=!COLUMN where true means flawed.",
        )


def _understand(
    raw: RawRow,
    columns: Mapping[Role, str],
    reader: PictureReader,
    by_subtype: bool,
    bad: list[tuple[str, str]],
) -> LintRow:
    """A label that says nothing is noted in `bad`, with its place."""

    def text(role: Role) -> str | None:
        value = value_in(raw.values, columns.get(role))
        return None if value is None else _as_text(value)

    own_label = columns.get(Role.LABEL)
    subtype = text(Role.SUBTYPE)
    label = None
    if own_label:
        value = value_in(raw.values, own_label)
        label = as_label(value, own_label)
        if label is None and value is not None:
            bad.append((raw.place, repr(value)[:80]))
    if own_label is None and by_subtype:
        label = subtype is None
    return LintRow(
        id=text(Role.ID) or raw.place,
        split=raw.split,
        question=text(Role.QUESTION) or "",
        label=label,
        subtype=subtype,
        premise=text(Role.PREMISE),
        replacement=text(Role.REPLACEMENT),
        answer=text(Role.ANSWER),
        pictures=reader.read(value_in(raw.values, columns.get(Role.PICTURE))),
        pair=text(Role.PAIR),
        language=text(Role.LANGUAGE),
    )


def _as_text(value: object) -> str | None:
    """A premise as a record, and turns of a conversation, are their texts."""
    match value:
        case {"text": str() as text} | {"content": str() as text}:
            return text
        case list() if value and all(isinstance(one, Mapping) and "content" in one for one in value):
            return "\n".join(str(one["content"]) for one in value)
        case _:
            return str(value)


def _with_sources(rows: Sequence[LintRow]) -> list[LintRow]:
    """What stood in the source question already is no fault of ours."""
    questions = {row.pair: row.question for row in rows if row.split == _SOUND}
    return [row._replace(source_text=questions.get(row.pair, row.question)) for row in rows]


def _part(rows: Sequence[LintRow], twins: bool) -> dict[str, list[LintRow]]:
    parts: dict[str, list[LintRow]] = {}
    for row in rows:
        name = f"{_FLAWED}+{_SOUND}" if twins and row.split in (_FLAWED, _SOUND) else row.split
        parts.setdefault(name, []).append(row)
    return parts
