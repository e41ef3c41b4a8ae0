"""Writes a release: a folder that is a Hub data set repository and opens with `datasets.load_dataset(folder)`."""

from collections.abc import Sequence
from pathlib import Path

from core.errors import ExportError
from export.card import render_card
from export.dataset import COLUMNS
from export.facts import ReleaseFacts
from export.manifest import Manifest, describe_release, write_manifest
from export.rows import ReleaseItem, ReleaseRow, make_flawed_row, make_twin_rows
from export.staging import stage_release
from export.standing import CARD_NAME, DATA_FOLDER, read_standing
from export.tables import ReadPicture, write_split


def write_release(
    items: Sequence[ReleaseItem], facts: ReleaseFacts, folder: Path, read_picture: ReadPicture
) -> Manifest:
    """Card, Parquet files of the splits `test` and `twins`, and manifest, in the order of `items`.

    A complete release of the same content is left as it is, another one is replaced. Raises ExportError when there is
    nothing to write, when `folder` holds something else, when a picture is not the one named, or when the disk
    refuses."""
    test = [make_flawed_row(item) for item in items]
    twins = make_twin_rows(items)
    _check_rows(test, facts)
    planned = describe_release(facts, test, twins)
    with stage_release(folder) as partial:
        standing = read_standing(folder, planned)
        return standing or write_manifest(partial, planned, _write_files(partial, facts, test, twins, read_picture))


def _write_files(
    folder: Path,
    facts: ReleaseFacts,
    test: Sequence[ReleaseRow],
    twins: Sequence[ReleaseRow],
    read_picture: ReadPicture,
) -> list[Path]:
    data = folder / DATA_FOLDER
    data.mkdir()
    write_split("test", test, COLUMNS, facts.recipe.export.rows_per_file, data, read_picture)
    write_split("twins", twins, COLUMNS, facts.recipe.export.rows_per_file, data, read_picture)
    card = folder / CARD_NAME
    card.write_text(render_card(facts, test, twins), encoding="utf-8", newline="\n")
    return [card, *data.iterdir()]


def _check_rows(test: Sequence[ReleaseRow], facts: ReleaseFacts) -> None:
    if not test:
        raise ExportError(
            f"Build {facts.build} has no row to release.",
            "See `flawbench funnel` for what was dropped and why, then change the recipe.",
        )
    ids = [row.id for row in test]
    if len(set(ids)) < len(ids):
        twice = next(item for item in ids if ids.count(item) > 1)
        raise ExportError(f"Candidate {twice} is in build {facts.build} more than once.", "Pass every candidate once.")
