"""Whether a release is there already: asked in every run, without what writes one."""

from collections.abc import Sequence
from pathlib import Path

from core.errors import ExportError
from export.facts import ReleaseFacts
from export.manifest import Manifest, describe_release, is_complete, read_manifest
from export.rows import ReleaseItem, make_flawed_row, make_twin_rows

CARD_NAME = "README.md"
DATA_FOLDER = "data"


def find_release(items: Sequence[ReleaseItem], facts: ReleaseFacts, folder: Path) -> Manifest | None:
    """The complete release of these rows, with all that was measured of them; None where it is still to be written.
    Raises ExportError when `folder` holds something else."""
    if not folder.exists():
        return None
    test, twins = [make_flawed_row(item) for item in items], make_twin_rows(items)
    return read_standing(folder, describe_release(facts, test, twins))


def find_before_review(planned: Manifest, releases: Path) -> str | None:
    """The name of a release from which this one differs in what people said of its rows and in nothing else; None where
    there is none."""
    for folder in sorted(releases.glob(f"{planned.build}-*")):
        try:
            found = read_manifest(folder)
        except ExportError:  # of another version of the code, so another release anyway
            continue
        if found and found.review != planned.review and _without_review(found) == _without_review(planned):
            return folder.name
    return None


def _without_review(manifest: Manifest) -> Manifest:
    return manifest.model_copy(update={"content": "", "review": None, "blindness": None, "files": ()})


def read_standing(folder: Path, planned: Manifest) -> Manifest | None:
    """The release already there, if it is complete and the planned one; None when the place is to be written. Raises
    ExportError when what is there is no release."""
    if not folder.exists():
        return None
    standing = read_manifest(folder) if folder.is_dir() else None
    if standing is None:
        raise ExportError(f"{folder} is there and is no release.", "Move it away, or name another build.")
    return standing if standing.content == planned.content and is_complete(folder, standing) else None
