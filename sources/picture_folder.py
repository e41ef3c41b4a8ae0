"""Any folder of pictures: each file is a sample without text, for premise pairs, which start from a picture alone
(J-1). Files of Visual Genome are known by their official names, so that its broken ones are left out here as well."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from core.errors import SourceError
from core.recipe import SourceRecipe
from core.records import Language, Sample, Subject
from sources.assembling import read_pictures
from sources.base import Quarantined, SourceItem
from sources.known_bad import refuse_known_bad
from sources.opening import local_path
from sources.rows import PictureCell, UnusableRowError
from sources.visual_genome import NAME as VISUAL_GENOME
from sources.visual_genome_files import PICTURE_FOLDERS

NAME = "picture_folder"
SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".gif", ".webp", ".bmp", ".tif", ".tiff"})
# Like photographs of Visual Genome, pictures of any kind belong to none of the nine disciplines (A13 leaves it to us).
_SUBJECT = Subject.HUMANITIES_SOCIAL_SCIENCE
_HIDDEN = "."


@dataclass(frozen=True, slots=True)
class PictureFolderReader:
    """Conforms to sources.base.Reader. `location` is the folder; pictures in folders inside it count too. Nothing says
    what licence they have."""

    name: str = NAME
    version: int = 2
    location: str = "pictures"
    revision: str | None = None

    def read(self, recipe: SourceRecipe) -> Iterator[SourceItem | Quarantined]:
        folder = local_path(recipe.location or self.location)
        if not folder.is_dir():
            raise SourceError(f"There is no folder {folder}.", "Set `sources[].location` to a folder of pictures.")
        found = _find_pictures(folder)
        if not found:
            raise SourceError(
                f"The folder {folder} holds no picture ({', '.join(sorted(SUFFIXES))}).",
                "Set `sources[].location` to a folder of pictures.",
            )
        for name in islice(found, recipe.take):
            yield _read_picture(name, folder)


def _find_pictures(folder: Path) -> list[str]:
    """Paths below the folder, by name: the order of a listing differs between machines."""
    paths = (path.relative_to(folder) for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES)
    return sorted(path.as_posix() for path in paths if not any(part.startswith(_HIDDEN) for part in path.parts))


def _read_picture(name: str, folder: Path) -> SourceItem | Quarantined:
    try:
        _refuse_known_bad_file(folder / name)
        blobs, facts = read_pictures((PictureCell(None, name),), folder)
    except UnusableRowError as error:
        return Quarantined(NAME, name, error.reason, error.detail)
    sample = Sample(
        source=NAME,
        source_id=name,
        context=None,
        query=None,
        pictures=tuple(blob.picture for blob in blobs),
        subject=_SUBJECT,
        language=Language.ENGLISH,
        licence="none stated",
        attribution=f"{folder.name}/{name}",
    )
    return SourceItem(sample, blobs, facts)


def _refuse_known_bad_file(path: Path) -> None:
    """Only inside the official folders: any `1592.jpg` may be a picture of its own."""
    if path.parent.name in PICTURE_FOLDERS[:2]:
        refuse_known_bad(VISUAL_GENOME, path.stem)


PICTURE_FOLDER = PictureFolderReader()
