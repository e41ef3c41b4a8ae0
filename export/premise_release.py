"""Writes a release of premise pairs: a folder that is a Hub data set repository with three configs, the questions and
the two forms for training."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from core.errors import ExportError
from export.facts import ReleaseFacts
from export.manifest import Manifest, write_manifest
from export.premise_card import render_premise_card
from export.premise_dataset import COLUMNS, GRPO_COLUMNS, SFT_COLUMNS
from export.premise_rows import PremiseItem, PremiseRow, make_premise_row
from export.premise_standing import Tables, describe_premises, make_tables
from export.staging import stage_release
from export.standing import CARD_NAME, DATA_FOLDER, read_standing
from export.tables import Column, ReadPicture, write_split

_FORMS: Mapping[str, Mapping[str, Column]] = {DATA_FOLDER: COLUMNS, "sft": SFT_COLUMNS, "grpo": GRPO_COLUMNS}


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
    tables = make_tables(items, rows)
    planned = describe_premises(facts, rows, tables)
    with stage_release(folder) as partial:
        standing = read_standing(folder, planned)
        return standing or write_manifest(partial, planned, _write_files(partial, facts, rows, tables, read_picture))


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
