"""Whether a release of premise pairs is there already: asked in every run, without what writes one."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from core.premises import Split
from export.facts import ReleaseFacts
from export.manifest import Manifest, describe_rows
from export.premise_rows import TRAIN, PremiseItem, PremiseRow, make_grpo_row, make_premise_row, make_sft_row
from export.rows import Row
from export.standing import DATA_FOLDER, read_standing

Tables = Mapping[tuple[str, str], Sequence[Row]]
"""Rows by folder and split."""


def find_premise_release(items: Sequence[PremiseItem], facts: ReleaseFacts, folder: Path) -> Manifest | None:
    """The complete release of these rows, with all that was measured of them; None where it is still to be written.
    Raises ExportError when `folder` holds something else."""
    if not folder.exists():
        return None
    rows = [make_premise_row(item) for item in items]
    return read_standing(folder, describe_premises(facts, rows, make_tables(items, rows)))


def make_tables(items: Sequence[PremiseItem], rows: Sequence[PremiseRow]) -> Tables:
    """Without the splits that have no row: an empty file has no picture to tell its type by."""
    sft = [row for item in items if item.split is Split.SFT and (row := make_sft_row(item))]
    tables: Tables = {
        (DATA_FOLDER, "test"): [row for row in rows if row.split != TRAIN],
        (DATA_FOLDER, TRAIN): [row for row in rows if row.split == TRAIN],
        ("sft", TRAIN): sft,
        ("grpo", TRAIN): [make_grpo_row(item) for item in items if item.split is Split.GRPO],
    }
    return {place: found for place, found in tables.items() if found}


def describe_premises(facts: ReleaseFacts, rows: Sequence[PremiseRow], tables: Tables) -> Manifest:
    splits = {"/".join(place) if place[0] != DATA_FOLDER else place[1]: found for place, found in tables.items()}
    return describe_rows(facts, splits, [row.subtype for row in rows])
