"""What lies in a folder of Visual Genome: the official layout (pictures in VG_100K, VG_100K_2 or beside each other,
with `image_data.json` and `question_answers.json`) or JSON lines with an `image` column. Everything is matched by image
id: the positions in the files do not agree."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from sources.folder import read_lines
from sources.json_arrays import read_array
from sources.rows import PictureCell, Row, UnusableRowError
from sources.texts import tidy

PICTURE_FOLDERS = ("VG_100K", "VG_100K_2", "images", ".")
IMAGE_DATA = "image_data.json"
QUESTION_ANSWERS = "question_answers.json"
_SUFFIXES = frozenset({".jpg", ".jpeg", ".png"})
_NO_RECORDS = "provenance.jsonl"
_HIDDEN = "._"
_MIN_WORDS = 3


class Question(NamedTuple):
    qa_id: int
    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One picture of the data set: `own_id` is its image id, or the file name where that is unknown. `broken`: why the
    line that should name it cannot be used."""

    own_id: str
    picture: PictureCell | None
    question: Question | None = None
    broken: UnusableRowError | None = None


def find_entries(folder: Path, with_questions: bool) -> list[Entry]:
    """All pictures by id, then those that are named but not there. Raises SourceError for a broken file of the set."""
    lines = [path for path in sorted(folder.glob("*.jsonl")) if not path.name.startswith(_HIDDEN)]
    lines = [path for path in lines if path.name != _NO_RECORDS]
    entries = _from_lines(lines) if lines else _from_official(folder)
    if with_questions and (folder / QUESTION_ANSWERS).is_file():
        questions = _read_questions(folder / QUESTION_ANSWERS)
        entries = [replace(entry, question=questions.get(entry.own_id)) for entry in entries]
    elif not with_questions:
        entries = [replace(entry, question=None) for entry in entries]
    return sorted(entries, key=_order)


def _order(entry: Entry) -> tuple[bool, bool, int, str]:
    number = int(entry.own_id) if entry.own_id.isdecimal() else 0
    return entry.picture is None, not number, number, entry.own_id


def _from_official(folder: Path) -> list[Entry]:
    found: dict[str, Entry] = {}
    for name in PICTURE_FOLDERS:
        for path in sorted((folder / name).glob("*")):
            if path.suffix.lower() in _SUFFIXES and not path.name.startswith(_HIDDEN):
                cell = PictureCell(None, path.relative_to(folder).as_posix())
                found.setdefault(path.stem, Entry(path.stem, cell))
    if (folder / IMAGE_DATA).is_file():
        for own_id in filter(None, map(_image_id, read_array(folder / IMAGE_DATA))):
            found.setdefault(own_id, Entry(own_id, None))
    return list(found.values())


def _from_lines(files: list[Path]) -> list[Entry]:
    """Several files may name one picture: what the first leaves open the next ones fill in."""
    found: dict[str, Entry] = {}
    for row in read_lines(files, "images", "train"):
        entry = _entry_of(row)
        known = found.setdefault(entry.own_id, entry)
        found[entry.own_id] = replace(
            known, picture=known.picture or entry.picture, question=known.question or entry.question
        )
    return list(found.values())


def _entry_of(row: Row) -> Entry:
    own_id = row.identifier("image_id")
    try:
        cell = row.picture("image")
        if row.fields.get("image_id") is None and cell is not None and cell.path is not None:
            own_id = Path(cell.path).stem
        return Entry(own_id, cell, _first_question(row.fields.get("qas")))
    except UnusableRowError as error:
        return Entry(own_id, None, broken=error)


def _read_questions(path: Path) -> dict[str, Question]:
    found: dict[str, Question] = {}
    for item in read_array(path):
        own_id = _image_id(item)
        question = _first_question(item.get("qas")) if isinstance(item, Mapping) else None
        if own_id is not None and question is not None:
            found[own_id] = question
    return found


def _image_id(item: object) -> str | None:
    """Files of version 1.0 call the image id `id`."""
    if not isinstance(item, Mapping):
        return None
    value = item.get("image_id", item.get("id"))
    return str(value) if isinstance(value, int) else None


def _first_question(qas: object) -> Question | None:
    """The well-formed one with the lowest number."""
    return min(_well_formed(qas), default=None) if isinstance(qas, list) else None


def _well_formed(qas: list[object]) -> Iterator[Question]:
    for item in qas:
        match item:
            case {"qa_id": int() as number, "question": str() as asked, "answer": str() as answered}:
                question, answer = tidy(asked), tidy(answered)
                if question and answer and question.endswith("?") and len(question.split()) >= _MIN_WORDS:
                    yield Question(number, question, answer)
            case _:
                continue
