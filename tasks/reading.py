"""Sources to stored samples, one task a source."""

import os
from pathlib import Path

from prefect import task
from prefect.cache_policies import NO_CACHE

from core.identity import content_hash
from core.recipe import Recipe
from sources.opening import local_path
from sources.registry import reader
from tasks.runs import Run
from tasks.shards import read_source_shard
from tasks.specs import SourceShard

_LEFT_BESIDE = frozenset({"__pycache__", ".git", ".DS_Store", "Thumbs.db"})


@task(name="read-source", task_run_name="read-{shard.name}", cache_policy=NO_CACHE)
def read_source(shard: SourceShard, run: Run) -> None:
    run.processes.call(read_source_shard, shard, run.place)


def source_shards(recipe: Recipe) -> list[SourceShard]:
    """Raises ConfigurationError for an unknown reader."""
    return [
        SourceShard(
            recipe=source,
            reader_version=reader(source.reader).version,
            fingerprint=_fingerprint(source.location or reader(source.reader).location),
        )
        for source in recipe.sources
    ]


def _fingerprint(location: str) -> str:
    """Of local files: names, sizes and times, so that a changed folder is read again. Empty for a Hub id. What Python,
    git and file managers leave beside data is not looked at: no reader reads it."""
    root = local_path(location)
    if not root.exists():
        return ""
    files = [root] if root.is_file() else sorted(path for path in root.rglob("*") if path.is_file())
    names = {path: path.relative_to(root) for path in files}
    return content_hash([[ascii(os.fspath(name)), *_state(path)] for path, name in names.items() if not _is_left(name)])


def _is_left(name: Path) -> bool:
    return any(part in _LEFT_BESIDE or part.startswith("._") for part in name.parts)


def _state(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_size, status.st_mtime_ns
