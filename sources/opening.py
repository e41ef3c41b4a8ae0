"""From a recipe to rows: decides whether a location is a folder of records, a local data set or the Hub, and stops
after `take` rows of each config."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from core.errors import ConfigurationError, SourceError
from core.recipe import SourceRecipe
from sources.folder import read_lines, record_files
from sources.hub import HubTable, read_table
from sources.rows import Row

_COMMIT = re.compile(r"[0-9a-f]{40}")
_HUB_ID = re.compile(r"[\w.-]+(/[\w.-]+)?")
_COLUMNS_SEEN_IN = 50


@dataclass(frozen=True, slots=True)
class Defaults:
    """What a recipe leaves open. `configs` is used on the Hub; a folder without a choice is read whole."""

    location: str
    configs: tuple[str, ...]
    split: str
    required: frozenset[str]


def open_rows(recipe: SourceRecipe, defaults: Defaults) -> Iterator[Row]:
    """Raises ConfigurationError or SourceError when there is nothing to read."""
    location = recipe.location or defaults.location
    path = local_path(location)
    if path.is_dir():
        files = record_files(path)
        return _folder_rows(files, recipe, defaults) if files else _tables(str(path), recipe, defaults)
    if path.suffix == ".jsonl" and path.is_file():
        return _folder_rows([path], recipe, defaults)
    if path.suffix == ".parquet" and path.is_file():
        table = HubTable("parquet", None, "train", None, str(path))
        return read_table(table, defaults.required, recipe.take)
    _check_hub_id(location, recipe.revision)
    return _tables(location, recipe, defaults)


def local_path(location: str) -> Path:
    """Raises ConfigurationError for `~NAME` of nobody."""
    try:
        return Path(location).expanduser()
    except RuntimeError as error:
        raise ConfigurationError(
            f"There is no home folder for {location}.", "Set `sources[].location` to a folder that is there."
        ) from error


def is_on_hub(location: str, revision: str | None) -> bool:
    """There is nothing of that name on this machine, and it could be the pinned data set of the Hub."""
    pinned = revision is not None and _COMMIT.fullmatch(revision) is not None
    return pinned and _HUB_ID.fullmatch(location) is not None and not local_path(location).exists()


def _folder_rows(files: list[Path], recipe: SourceRecipe, defaults: Defaults) -> Iterator[Row]:
    config = defaults.configs[0] if defaults.configs else "default"
    rows = _checked(read_lines(files, config, recipe.split or defaults.split), files[0].parent, defaults.required)
    wanted = recipe.configs
    chosen = (
        row
        for row in rows
        if (not wanted or row.config in wanted) and (recipe.split is None or row.split == recipe.split)
    )
    return _take_each(chosen, recipe.take)


def _checked(rows: Iterator[Row], folder: Path, required: frozenset[str]) -> Iterator[Row]:
    """Single rows may lack a column and are quarantined; a column that no row has means another data set."""
    first = list(islice(rows, _COLUMNS_SEEN_IN))
    seen: set[str] = set()
    for row in first:
        if isinstance(row.values, dict):
            seen.update(row.values)
    missing = sorted(required - seen)
    if seen and missing:
        raise SourceError(
            f"The records in {folder} have no column {', '.join(missing)}; they have {', '.join(sorted(seen))}.",
            "Choose the `sources[].reader` of that data set, or the reader `mapped` with a `mapping` of its columns.",
        )
    yield from first
    yield from rows


def _tables(location: str, recipe: SourceRecipe, defaults: Defaults) -> Iterator[Row]:
    configs: tuple[str | None, ...] = recipe.configs or defaults.configs or (None,)
    revision = None if Path(location).is_dir() else recipe.revision
    tables = (HubTable(location, config, recipe.split or defaults.split, revision) for config in configs)
    return chain.from_iterable(read_table(table, defaults.required, recipe.take) for table in tables)


def _take_each(rows: Iterator[Row], take: int | None) -> Iterator[Row]:
    """At most `take` rows of each config, where the configs may stand mixed in one file."""
    counts: Counter[str] = Counter()
    for row in rows:
        counts[row.config] += 1
        if take is None or counts[row.config] <= take:
            yield row


def _check_hub_id(location: str, revision: str | None) -> None:
    if not _HUB_ID.fullmatch(location):
        raise SourceError(
            f"There is no folder or file {location}.",
            "Set `sources[].location` to a folder of records, a folder of Parquet files or a data set of the Hub.",
        )
    if revision is None or not _COMMIT.fullmatch(revision):
        raise ConfigurationError(
            f"There is no folder {location}, and for the Hub the revision {revision!r} is no commit.",
            "Set `sources[].revision` to a commit of that data set (40 digits), or `sources[].location` to a folder.",
        )
