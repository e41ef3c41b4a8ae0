"""Writes a release of premise pairs: a folder that is a Hub data set repository with three configs, the questions and
the two forms for training."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from core.errors import ExportError
from core.premises import Split
from export.facts import ReleaseFacts
from export.manifest import Manifest, describe_rows, write_manifest
from export.premise_card import render_premise_card
from export.premise_dataset import COLUMNS, GRPO_COLUMNS, SFT_COLUMNS
from export.premise_rows import TRAIN, PremiseItem, PremiseRow, make_grpo_row, make_premise_row, make_sft_row
from export.release import CARD_NAME, DATA_FOLDER
from export.rows import Row
from export.staging import stage_release
from export.standing import read_standing
from export.tables import Column, ReadPicture, write_split

_FORMS: Mapping[str, Mapping[str, Column]] = {DATA_FOLDER: COLUMNS, "sft": SFT_COLUMNS, "grpo": GRPO_COLUMNS}

Tables = Mapping[tuple[str, str], Sequence[Row]]
"""Rows by folder and split."""


def write_premise_release(
    items: Sequence[PremiseItem], facts: ReleaseFacts, folder: Path, read_picture: ReadPicture
) -> Manifest:
    """Card, Parquet files and manifest, in the order of `items`. A complete release of the same content is left as it
    is.

    Raises ExportError when there is nothing to write, when `folder` holds something else, when a picture is not the one
    named, or when the disk refuses."""
    if not items:
        raise ExportError(
            f"Build {facts.build} has no question to release.", f"See `flawbench funnel {facts.build}` for the reasons."
        )
    rows = [make_premise_row(item) for item in items]
    tables = _make_tables(items, rows)
    planned = _describe(facts, rows, tables)
    with stage_release(folder) as partial:
        standing = read_standing(folder, planned, replace=True)
        return standing or write_manifest(partial, planned, _write_files(partial, facts, rows, tables, read_picture))


def find_premise_release(items: Sequence[PremiseItem], facts: ReleaseFacts, folder: Path) -> Manifest | None:
    """The complete release of these rows, with all that was measured of them; None where it is still to be written.
    Raises ExportError when `folder` holds something else."""
    if not folder.exists():
        return None
    rows = [make_premise_row(item) for item in items]
    return read_standing(folder, _describe(facts, rows, _make_tables(items, rows)), replace=True)


def _make_tables(items: Sequence[PremiseItem], rows: Sequence[PremiseRow]) -> Tables:
    """Without the splits that have no row: an empty file has no picture to tell its type by."""
    sft = [row for item in items if item.split is Split.SFT and (row := make_sft_row(item))]
    tables: Tables = {
        (DATA_FOLDER, "test"): [row for row in rows if row.split != TRAIN],
        (DATA_FOLDER, TRAIN): [row for row in rows if row.split == TRAIN],
        ("sft", TRAIN): sft,
        ("grpo", TRAIN): [make_grpo_row(item) for item in items if item.split is Split.GRPO],
    }
    return {place: found for place, found in tables.items() if found}


def _describe(facts: ReleaseFacts, rows: Sequence[PremiseRow], tables: Tables) -> Manifest:
    splits = {"/".join(place) if place[0] != DATA_FOLDER else place[1]: found for place, found in tables.items()}
    return describe_rows(facts, splits, [row.subtype for row in rows])


def _write_files(
    folder: Path, facts: ReleaseFacts, rows: Sequence[PremiseRow], tables: Tables, read_picture: ReadPicture
) -> list[Path]:
    for (place, split), found in tables.items():
        (folder / place).mkdir(exist_ok=True)
        write_split(split, found, _FORMS[place], facts.recipe.export.rows_per_file, folder / place, read_picture)
    card = folder / CARD_NAME
    card.write_text(render_premise_card(facts, rows, _configs(tables)), encoding="utf-8", newline="\n")
    return [card, *folder.glob("*/*.parquet")]


def _configs(tables: Tables) -> dict[str, tuple[str, list[str]]]:
    """The folder of each config and its splits."""
    configs: dict[str, tuple[str, list[str]]] = {}
    for folder, split in tables:
        configs.setdefault("default" if folder == DATA_FOLDER else folder, (folder, []))[1].append(split)
    return configs
