"""Any other data set of rows, by a mapping of its columns in the recipe: Hub, Parquet with pictures inside, or JSON
lines with paths of pictures below their folder."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from core.errors import ConfigurationError
from core.recipe import ColumnMapping, SourceRecipe
from core.records import Subject
from sources.assembling import Draft
from sources.base import Quarantined, QuarantineReason, SourceItem
from sources.languages import language_named, language_of
from sources.options import Answer, answer_by_letter, answer_by_text, parse_options, resolve_answer
from sources.rows import PictureCell, Row, UnusableRowError, as_picture_cell
from sources.tables import TableReader
from sources.texts import tidy, tidy_option
from sources.tokens import attach

NAME = "mapped"
_CONSTANT = "="


@dataclass(frozen=True, slots=True)
class MappedReader:
    """Conforms to sources.base.Reader. Samples carry `mapped/<last part of the location>` as their source."""

    name: str = NAME
    version: int = 2
    location: str = ""
    revision: str | None = None

    def read(self, recipe: SourceRecipe) -> Iterator[SourceItem | Quarantined]:
        """Raises ConfigurationError without a mapping or a location."""
        mapping, location = recipe.mapping, recipe.location
        if mapping is None or location is None:
            raise ConfigurationError(
                "The reader `mapped` knows no columns and no location of its own.",
                "Set `sources[].location` and `sources[].mapping` in the recipe.",
            )
        return _reader_of(location, mapping).read(recipe)


def _reader_of(location: str, mapping: ColumnMapping) -> TableReader:
    return TableReader(
        name=f"{NAME}/{Path(location).name}",
        version=2,
        location=location,
        split="train",
        id_column=mapping.id,
        required=frozenset(_columns(mapping)),
        parse=partial(parse, mapping),
    )


def parse(mapping: ColumnMapping, row: Row) -> Draft:
    """Raises UnusableRowError."""
    texts = (_optional(row, mapping.context), tidy(row.optional_text(mapping.query)))
    attached = attach(texts, _options(row, mapping.options), dict(enumerate(_pictures(row, mapping), 1)))
    context, question = attached.texts
    language = _constant_or_text(row, mapping.language)
    return Draft(
        question=question,
        own_context=context,
        options=attached.options,
        pictures=attached.pictures,
        answer=_answer(row, mapping, attached.options),
        subject=_subject(_constant_or_text(row, mapping.subject) or ""),
        language=language_named(language) if language else language_of(context, question),
        licence=_constant_or_text(row, mapping.licence) or "none stated",
        attribution=_constant_or_text(row, mapping.attribution) or "none stated",
    )


def _columns(mapping: ColumnMapping) -> Iterator[str]:
    plain = (mapping.context, mapping.options, mapping.answer, mapping.attribution, mapping.language)
    named = (mapping.id, mapping.query, mapping.subject, mapping.licence, *plain, *mapping.pictures)
    return (name.split(".")[0] for name in named if name and not name.startswith(_CONSTANT))


def _constant_or_text(row: Row, column: str | None) -> str | None:
    if column is None:
        return None
    if column.startswith(_CONSTANT):
        return column.removeprefix(_CONSTANT).strip()
    return _optional(row, column)


def _optional(row: Row, column: str | None) -> str | None:
    return None if column is None else tidy(row.optional_text(column))


def _options(row: Row, column: str | None) -> tuple[str, ...]:
    if column is None or row.value(column) is None:
        return ()
    if isinstance(row.value(column), str):
        return parse_options(row.text(column))
    return tuple(tidy_option(option) for option in row.texts(column))


def _answer(row: Row, mapping: ColumnMapping, options: tuple[str, ...]) -> Answer:
    """The text of an option goes before a letter: a set of its own that has `A` among its options means that option."""
    if mapping.answer is None:
        return Answer(None)
    value = row.value(mapping.answer)
    text = str(value) if isinstance(value, int | float) else row.optional_text(mapping.answer)
    by = answer_by_text if tidy_option(text or "") in options else answer_by_letter
    return resolve_answer(text, options, by)


def _pictures(row: Row, mapping: ColumnMapping) -> Iterator[PictureCell | None]:
    """A column holds one picture or a list of them."""
    for column in mapping.pictures:
        value = row.value(column)
        for item in value if isinstance(value, list | tuple) else (value,):
            yield as_picture_cell(item, column)


def _subject(value: str) -> Subject:
    label = value.strip().lower().replace(" ", "_")
    try:
        return Subject(label)
    except ValueError as error:
        raise UnusableRowError(
            QuarantineReason.SUBJECT_UNKNOWN, f"{value!r} is none of {', '.join(Subject)}: map it in `mapping.subject`"
        ) from error


MAPPED = MappedReader()
