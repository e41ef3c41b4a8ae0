"""Visual Genome: photographs, of which each is a sample by itself (the false premises of Judge Before Answer start from
a picture alone, J-9) or with the first question of `question_answers.json`. The other annotation files may lie in the
folder; a sample has no place for regions, objects and relations, so they are not opened."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from core.errors import ConfigurationError, SourceError
from core.recipe import SourceRecipe
from core.records import Language, Sample, Subject
from sources.assembling import read_pictures
from sources.base import Quarantined, QuarantineReason, SourceItem
from sources.known_bad import refuse_known_bad
from sources.opening import local_path
from sources.rows import UnusableRowError
from sources.visual_genome_files import Entry, find_entries

NAME = "visual_genome"
PICTURES_ALONE = "images"
WITH_QUESTIONS = "question_answers"
# Photographs of streets, rooms, sport and meals belong to none of the nine disciplines. People and their surroundings
# are what most of them show, so all get this one label (A13 leaves the choice to us).
_SUBJECT = Subject.HUMANITIES_SOCIAL_SCIENCE
_DOWNLOAD = (
    "Download images.zip, images2.zip and image_data.json from the site of Visual Genome, unpack them into one folder "
    "and set `sources[].location` to it."
)


@dataclass(frozen=True, slots=True)
class VisualGenomeReader:
    """Conforms to sources.base.Reader. `configs` may be `images` (pictures alone) or `question_answers` (the default: a
    question where the folder has one for that picture)."""

    name: str = NAME
    version: int = 2
    location: str = NAME
    revision: str | None = None

    def read(self, recipe: SourceRecipe) -> Iterator[SourceItem | Quarantined]:
        folder = _find_folder(recipe.location or self.location)
        entries = find_entries(folder, _with_questions(recipe))
        if not any(entry.picture for entry in entries):
            raise SourceError(f"The folder {folder} holds no picture of Visual Genome.", _DOWNLOAD)
        for entry in islice(entries, recipe.take):
            yield _read_entry(entry, folder)


def _find_folder(location: str) -> Path:
    folder = local_path(location)
    if folder.is_dir():
        return folder
    if location.split("/")[-1] == NAME:
        raise SourceError(
            f"{location} is a Python script on the Hub, which `datasets` refuses to run since version 4.", _DOWNLOAD
        )
    raise SourceError(f"There is no folder {location}.", _DOWNLOAD)


def _with_questions(recipe: SourceRecipe) -> bool:
    unknown = [config for config in recipe.configs if config not in (PICTURES_ALONE, WITH_QUESTIONS)]
    if unknown or len(recipe.configs) > 1:
        raise ConfigurationError(
            f"Visual Genome cannot be read as {', '.join(recipe.configs)}.",
            f"Set `sources[].configs` to [{PICTURES_ALONE}] or [{WITH_QUESTIONS}].",
        )
    return recipe.configs != (PICTURES_ALONE,)


def _read_entry(entry: Entry, folder: Path) -> SourceItem | Quarantined:
    try:
        if entry.broken is not None:
            raise entry.broken
        refuse_known_bad(NAME, entry.own_id)
        if entry.picture is None:
            raise UnusableRowError(QuarantineReason.PICTURE_MISSING, "the folder lacks the picture")
        blobs, facts = read_pictures((entry.picture,), folder)
    except UnusableRowError as error:
        return Quarantined(NAME, entry.own_id, error.reason, error.detail)
    sample = Sample(
        source=NAME,
        source_id=entry.own_id,
        context=None,
        query=entry.question.question if entry.question else None,
        pictures=tuple(blob.picture for blob in blobs),
        answer=entry.question.answer if entry.question else None,
        subject=_SUBJECT,
        language=Language.ENGLISH,
        licence="CC-BY-4.0",
        attribution=f"Visual Genome (Krishna et al., 2017), image {entry.own_id}, https://visualgenome.org",
    )
    return SourceItem(sample, blobs, facts)


VISUAL_GENOME = VisualGenomeReader()
