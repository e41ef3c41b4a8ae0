"""MathVista: one question on one picture, from 31 other sets. The answer of a choice is the option's text; answers of
the split `test` are withheld and such rows are kept with no answer."""

import logging

from sources.assembling import Draft
from sources.base import QuarantineReason
from sources.languages import language_named
from sources.options import Answer, answer_by_text, resolve_answer
from sources.rows import Row, UnusableRowError
from sources.subjects import subject_of
from sources.tables import TableReader
from sources.texts import tidy, tidy_option
from sources.tokens import label_parts

logger = logging.getLogger(__name__)

NAME = "mathvista"
WITHHELD_SPLIT = "test"
_LICENCE = "CC-BY-SA-4.0"
_UPSTREAM_TERMS = {"SciBench": "MIT", "TheoremQA": "MIT", "TabMWP": "CC BY-NC-SA 4.0"}
_OWNERS_TERMS = "the terms of its owner"


def parse(row: Row) -> Draft:
    """Raises UnusableRowError."""
    language = language_named(row.text("metadata.language"))
    options = tuple(tidy_option(option) for option in row.texts("choices"))
    texts, options = label_parts((_question(row),), options)
    picture = row.picture("decoded_image")
    if picture is None:
        raise UnusableRowError(QuarantineReason.PICTURE_MISSING, "`decoded_image` is empty")
    upstream, kind = row.text("metadata.source"), row.text("metadata.context")
    terms = _UPSTREAM_TERMS.get(upstream, _OWNERS_TERMS)
    _compare_with_query(row, texts[0], options)
    return Draft(
        question=texts[0],
        options=options,
        pictures=(picture,),
        answer=_answer(row, options),
        subject=subject_of(NAME, (upstream, kind), texts[0]),
        language=language,
        licence=_LICENCE,
        attribution=(
            "MathVista (Lu et al., 2024), https://github.com/lupantech/MathVista, test use only; "
            f"from {upstream} under {terms}"
        ),
    )


def _question(row: Row) -> str | None:
    """With the unit, as in the set's own prompt: "(Unit: years)" (pid 41)."""
    question, unit = tidy(row.text("question")), tidy(row.optional_text("unit"))
    if question is None or unit is None or "(Unit:" in question:
        return question
    return f"{question} (Unit: {unit})"


def _answer(row: Row, options: tuple[str, ...]) -> Answer:
    value = row.optional_text("answer")
    if row.split == WITHHELD_SPLIT and not tidy(value):
        return Answer(None)
    return resolve_answer(value, options, answer_by_text)


def _compare_with_query(row: Row, question: str | None, options: tuple[str, ...]) -> None:
    """The set's own prompt once disagreed (pid 272): ours is built from question and choices."""
    query = tidy(row.optional_text("query")) or ""
    missing = [part for part in (question or "", *options) if part not in query]
    if missing:
        logger.warning("source=%s row=%s query_lacks=%r", NAME, row.identifier("pid"), missing[0][:60])


MATHVISTA = TableReader(
    name=NAME,
    version=2,
    location="AI4Math/MathVista",
    configs=("default",),
    split="testmini",
    id_column="pid",
    required=frozenset({"pid", "question", "decoded_image", "choices", "answer", "metadata", "query"}),
    parse=parse,
)
