"""The head of a data set card, which the Hub reads: licence, languages, size, and which files belong to which split."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import yaml

from export.facts import ReleaseFacts

TASKS = ("visual-question-answering", "image-text-to-text")
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_LARGEST = "1M<n<10M"


class Spoken(Protocol):
    @property
    def language(self) -> str: ...


def render_head(
    facts: ReleaseFacts,
    rows: Sequence[Spoken],
    tags: Sequence[str],
    configs: Mapping[str, tuple[str, Sequence[str]]],
) -> str:
    """`configs`: the folder and the splits of each config."""
    licence = facts.recipe.export.licence
    naming = {"license_name": "as-stated-per-row"} if licence == "other" else {}
    head = {
        "pretty_name": facts.build,
        "license": licence,
        **naming,
        "language": sorted({row.language for row in rows}),
        "task_categories": list(TASKS),
        "size_categories": [_size_category(len(rows))],
        "tags": list(tags),
        "configs": [
            {
                "config_name": name,
                "data_files": [{"split": split, "path": f"{folder}/{split}-*.parquet"} for split in splits],
            }
            for name, (folder, splits) in configs.items()
        ],
    }
    return yaml.safe_dump(head, sort_keys=False, allow_unicode=True).rstrip()


def _size_category(rows: int) -> str:
    return next((name for limit, name in _SIZES if rows < limit), _LARGEST)
