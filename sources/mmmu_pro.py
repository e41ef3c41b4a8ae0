"""MMMU-Pro: college questions of 30 subjects in three configs. `standard (…)` has question, options and up to seven
pictures; `vision` has the same questions as screenshots, with the options listed beside them."""

import logging

from core.records import Language
from sources.assembling import Draft
from sources.base import QuarantineReason
from sources.languages import language_of
from sources.options import answer_by_letter, letters_where_drawn, parse_options, resolve_answer
from sources.rows import Row, UnusableRowError
from sources.subjects import subject_of
from sources.tables import TableReader
from sources.texts import tidy
from sources.tokens import attach, is_only_token

logger = logging.getLogger(__name__)

NAME = "mmmu_pro"
MAIN_CONFIG = "standard (10 options)"
VISION_CONFIG = "vision"
_LICENCE = "Apache-2.0"
_ATTRIBUTION = "MMMU-Pro (Yue et al., 2024), https://github.com/MMMU-Benchmark/MMMU; pictures from many books and sites"


def parse(row: Row) -> Draft:
    """Raises UnusableRowError."""
    return _parse_screenshot(row) if row.config == VISION_CONFIG else _parse_standard(row)


def _parse_standard(row: Row) -> Draft:
    options = parse_options(row.text("options"))
    explanation = row.optional_text("explanation")
    attached = attach((tidy(row.text("question")),), options, row.numbered_pictures("image_"), explanation)
    if attached.left_out:
        logger.info("source=%s row=%s pictures_not_attached=%s", NAME, row.identifier("id"), attached.left_out)
    return Draft(
        question=attached.texts[0],
        options=attached.options,
        pictures=attached.pictures,
        answer=resolve_answer(row.optional_text("answer"), attached.options, answer_by_letter),
        subject=subject_of(NAME, (row.text("subject"),)),
        language=language_of(attached.texts[0]),
        licence=_LICENCE,
        attribution=_ATTRIBUTION,
    )


def _parse_screenshot(row: Row) -> Draft:
    """Options that are pictures stand in the screenshot under their letters (test_Music_251)."""
    options = letters_where_drawn(parse_options(row.text("options")), is_only_token)
    picture = row.picture("image")
    if picture is None:
        raise UnusableRowError(QuarantineReason.PICTURE_MISSING, "the screenshot that holds the question is not there")
    return Draft(
        question=None,
        options=options,
        pictures=(picture,),
        answer=resolve_answer(row.optional_text("answer"), options, answer_by_letter),
        subject=subject_of(NAME, (row.text("subject"),)),
        language=Language.ENGLISH,
        licence=_LICENCE,
        attribution=_ATTRIBUTION,
        question_in_picture=True,
    )


MMMU_PRO = TableReader(
    name=NAME,
    version=2,
    location="MMMU/MMMU_Pro",
    configs=(MAIN_CONFIG,),
    main_config=MAIN_CONFIG,
    split="test",
    id_column="id",
    required=frozenset({"id", "options", "answer", "subject"}),
    parse=parse,
)
