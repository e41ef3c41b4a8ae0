"""From what a reader understood of a row to a sample with its pictures: the checks that every source shares."""

from dataclasses import dataclass, field
from pathlib import Path

from core.pictures import PictureError, read_with_hash
from core.records import MAX_PICTURES, Blob, Language, Sample, Subject
from sources.base import PictureFact, QuarantineReason, SourceItem
from sources.completeness import require_pictures_named
from sources.folder import picture_bytes
from sources.options import Answer
from sources.rows import PictureCell, Row, UnusableRowError
from sources.splitting import split_question


@dataclass(frozen=True, slots=True)
class Draft:
    """A row as its reader understood it: texts tidy and with canonical tokens, pictures in the sample's order."""

    question: str | None
    subject: Subject
    language: Language
    licence: str
    attribution: str
    own_context: str | None = None
    options: tuple[str, ...] = ()
    answer: Answer = field(default=Answer(None))
    pictures: tuple[PictureCell, ...] = ()
    question_in_picture: bool = False


def assemble(source: str, source_id: str, row: Row, draft: Draft) -> SourceItem:
    """Raises UnusableRowError."""
    if draft.question is None and not draft.question_in_picture:
        raise UnusableRowError(QuarantineReason.NO_TEXT, "the question is empty")
    if len(draft.pictures) > MAX_PICTURES:
        raise UnusableRowError(QuarantineReason.TOO_MANY_PICTURES, f"{len(draft.pictures)}, above {MAX_PICTURES}")
    require_pictures_named(len(draft.pictures), draft.question, draft.own_context)
    blobs, facts = read_pictures(draft.pictures, row.folder)
    texts = split_question(draft.question, draft.own_context)
    sample = Sample(
        source=source,
        source_id=source_id,
        context=texts.context,
        query=texts.query,
        options=draft.options,
        pictures=tuple(blob.picture for blob in blobs),
        answer=draft.answer.text,
        correct_options=draft.answer.correct_options,
        subject=draft.subject,
        language=draft.language,
        licence=draft.licence,
        attribution=draft.attribution,
        question_in_picture=draft.question_in_picture,
    )
    return SourceItem(sample, blobs, facts)


def read_pictures(
    cells: tuple[PictureCell, ...], folder: Path | None
) -> tuple[tuple[Blob, ...], tuple[PictureFact, ...]]:
    """The stored bytes and their perceptual hashes, in the order given. Raises UnusableRowError."""
    blobs: list[Blob] = []
    facts: list[PictureFact] = []
    for cell in cells:
        try:
            blob, perceptual_hash = read_with_hash(picture_bytes(cell, folder))
        except PictureError as error:
            raise UnusableRowError(QuarantineReason(error.fault.value), error.detail) from error
        blobs.append(blob)
        facts.append(PictureFact(blob.picture.sha256, perceptual_hash))
    return tuple(blobs), tuple(facts)
