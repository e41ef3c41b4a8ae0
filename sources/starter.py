"""The shipped starter set: 54 questions of our own (CC0) with drawn pictures, nine subjects, English and Chinese. Its
records are already split into context and query, so they become samples as they are."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from pydantic import ValidationError

from core.errors import SourceError
from core.recipe import SourceRecipe
from core.records import Language, Record, Sample, Subject
from sources.assembling import read_pictures
from sources.base import Quarantined, QuarantineReason, SourceItem
from sources.row_ids import RowIds
from sources.rows import PictureCell, UnusableRowError

NAME = "starter"
FOLDER = Path(__file__).resolve().parent.parent / "starter"
QUESTIONS = "questions.jsonl"
PICTURES = "pictures"


class StarterQuestion(Record):
    """One line of `questions.jsonl`: the fields of a sample, with file names for pictures."""

    id: str
    context: str
    query: str
    options: tuple[str, ...]
    answer: str
    correct_options: tuple[int, ...]
    subject: Subject
    language: Language
    pictures: tuple[str, ...]
    licence: str
    attribution: str


@dataclass(frozen=True, slots=True)
class StarterReader:
    """Conforms to sources.base.Reader. A recipe's `location` may name another folder of the same layout."""

    name: str = NAME
    version: int = 3
    location: str = str(FOLDER)
    revision: str | None = None

    def read(self, recipe: SourceRecipe) -> Iterator[SourceItem | Quarantined]:
        folder = Path(recipe.location or self.location)
        ids = RowIds()
        for number, line in enumerate(islice(_read_lines(folder), recipe.take), start=1):
            yield _read_question(line, folder, f"{QUESTIONS}:{number}", ids)


def _read_lines(folder: Path) -> Iterator[str]:
    try:
        with (folder / QUESTIONS).open(encoding="utf-8-sig") as lines:
            yield from (line for line in lines if line.strip())
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(
            f"The starter set in {folder} cannot be read: {error}.",
            "Take flawbench from its repository again, or correct `sources[].location`.",
        ) from error


def _read_question(line: str, folder: Path, place: str, ids: RowIds) -> SourceItem | Quarantined:
    try:
        question = StarterQuestion.model_validate_json(line)
        cells = tuple(PictureCell(None, name) for name in question.pictures)
        blobs, facts = read_pictures(cells, folder / PICTURES)
        sample = Sample(
            source=NAME,
            source_id=question.id,
            pictures=tuple(blob.picture for blob in blobs),
            **question.model_dump(exclude={"id", "pictures"}),
        )
        ids.add(NAME, question.id)
    except ValidationError as error:
        return Quarantined(NAME, place, QuarantineReason.MALFORMED_ROW, str(error.errors(include_url=False)[0]))
    except UnusableRowError as error:
        return Quarantined(NAME, place, error.reason, error.detail)
    return SourceItem(sample, blobs, facts)


STARTER = StarterReader()
