"""Opens a data set through `datasets.load_dataset`, streaming, so that taking 300 rows downloads little more than 300
rows. Pictures come as stored bytes (`decode=False`): a broken one would otherwise end the iteration beyond any
`except`."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from core.errors import SourceError
from sources.rows import Row

_READ_AHEAD = 1 << 20  # bytes beyond what is asked for; the default of 5 MiB is more than many groups of rows hold
_BAD_SPLIT = re.compile(r"\b(?:bad|unknown|invalid) split\b", re.IGNORECASE)


class HubTable(NamedTuple):
    """One config of one data set. `location` is a Hub id, a local folder, or the builder `parquet` with `files`."""

    location: str
    config: str | None
    split: str
    revision: str | None
    files: str | None = None


def read_table(table: HubTable, required: frozenset[str], take: int | None = None) -> Iterator[Row]:
    """Streams, at most `take` rows. Raises SourceError when the table cannot be opened or read, or lacks a required
    column."""
    from datasets.exceptions import DatasetsError  # costs 2 s: only those who read a data set pay it
    from pyarrow.lib import ArrowException

    try:
        dataset = _load(table)
        _check_columns(table, dataset.column_names, required)
        config = table.config or "default"
        rows = dataset if take is None else islice(_by_row_groups(dataset), take)
        for position, values in enumerate(rows):
            yield Row(values, config, table.split, str(position))
    except (OSError, ValueError, RuntimeError, KeyError, TypeError, DatasetsError, ArrowException) as error:
        raise _explain(table, error) from error


def split_names(location: str, config: str | None, revision: str | None) -> list[str]:
    """Raises SourceError when the data set cannot be found."""
    from datasets import get_dataset_split_names
    from datasets.exceptions import DatasetsError

    try:
        return list(get_dataset_split_names(location, config, revision=revision))
    except (OSError, ValueError, RuntimeError, KeyError, DatasetsError) as error:
        raise _explain(HubTable(location, config, "any", revision), error) from error


def _load(table: HubTable) -> Any:  # noqa: ANN401 - an IterableDataset; its library is imported lazily
    from datasets import load_dataset

    dataset = load_dataset(
        table.location,
        table.config,
        split=table.split,
        revision=table.revision,
        streaming=True,
        data_files=table.files,
        storage_options={"hf": {"block_size": _READ_AHEAD}},
    )
    return dataset.decode(False)


def _by_row_groups(dataset: Any) -> Iterator[Any]:  # noqa: ANN401 - an IterableDataset; its library is imported lazily
    """The same rows in the same order, one file after the other and one row group after the other. As a whole, a
    Parquet file is read ahead by at least 32 MiB in threads that nobody waits for: a program that ended soon after its
    last row was aborted or hung (seen with pyarrow 26)."""
    for file in range(dataset.num_shards):
        yield from dataset.shard(dataset.num_shards, file).reshard()


def _check_columns(table: HubTable, names: list[str] | None, required: frozenset[str]) -> None:
    missing = sorted(required - set(names)) if names else []
    if missing:
        raise SourceError(
            f"{_name(table)} has no column {', '.join(missing)}; it has {', '.join(sorted(names or []))}.",
            "Choose the `sources[].reader` of that data set, or the reader `mapped` with a `mapping` of its columns.",
        )


def _explain(table: HubTable, error: Exception) -> SourceError:
    reason = " ".join(str(error).split())[:300] or type(error).__name__
    if "dataset scripts are no longer supported" in reason.lower():
        return SourceError(
            f"{_name(table)} consists of a Python script, which `datasets` refuses to run.",
            "Download its plain files and set `sources[].location` to their folder.",
        )
    if "BuilderConfig" in reason:
        return SourceError(f"{_name(table)} has no such config: {reason}.", "Set `sources[].configs` to one of them.")
    if _BAD_SPLIT.search(reason):
        return SourceError(f"{_name(table)} has no such split: {reason}.", "Set `sources[].split` to one of them.")
    return SourceError(
        f"{_name(table)} cannot be read: {reason}.",
        "Check `sources[].location`, `configs`, `split` and `revision`, and the connection if it is on the Hub.",
    )


def _name(table: HubTable) -> str:
    config = f", config {table.config!r}" if table.config else ""
    return f"The data set {table.files or table.location}{config}, split {table.split!r}"
