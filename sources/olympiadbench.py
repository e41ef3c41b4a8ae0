"""OlympiadBench: competition and college entrance questions in English and Chinese, 18 configs, split `train`
although it is a test set. Rows of a theorem proof have no `final_answer` by design and are kept with no answer."""

from core.records import Language
from sources.assembling import Draft
from sources.completeness import require_no_other_part
from sources.languages import language_named, language_of
from sources.options import Answer, free_answer
from sources.rows import Row
from sources.subjects import subject_of
from sources.tables import TableReader
from sources.texts import tidy, unwrap_prose
from sources.tokens import attach, in_order_of_appearance

NAME = "olympiadbench"
CONFIGS = (
    "OE_MM_maths_en_COMP",
    "OE_MM_maths_zh_CEE",
    "OE_MM_maths_zh_COMP",
    "OE_MM_physics_en_COMP",
    "OE_MM_physics_zh_CEE",
    "OE_TO_maths_en_COMP",
    "OE_TO_maths_zh_CEE",
    "OE_TO_maths_zh_COMP",
    "OE_TO_physics_en_COMP",
    "OE_TO_physics_zh_CEE",
    "TP_MM_maths_en_COMP",
    "TP_MM_maths_zh_CEE",
    "TP_MM_maths_zh_COMP",
    "TP_MM_physics_en_COMP",
    "TP_TO_maths_en_COMP",
    "TP_TO_maths_zh_CEE",
    "TP_TO_maths_zh_COMP",
    "TP_TO_physics_en_COMP",
)
_PROOF = "Theorem proof"
_FILE_TOKEN = "<img_"


def parse(row: Row) -> Draft:
    """Raises UnusableRowError."""
    texts = (_text(row, "context"), _text(row, "question"))
    if any(text and _FILE_TOKEN in text for text in texts):
        texts = in_order_of_appearance(texts)
    attached = attach(texts, (), row.numbered_pictures("image_"), "\n".join(row.texts("solution")))
    context, question = attached.texts
    require_no_other_part("\n".join(text for text in (context, question) if text), *row.texts("solution"))
    return Draft(
        question=question,
        own_context=context,
        pictures=attached.pictures,
        answer=_answer(row),
        subject=subject_of(NAME, (row.text("subject"),)),
        language=_language(row, question),
        licence="Apache-2.0",
        attribution="OlympiadBench (He et al., 2024), https://github.com/OpenBMB/OlympiadBench; repository under MIT",
    )


def _text(row: Row, column: str) -> str | None:
    text = tidy(row.optional_text(column))
    return None if text is None else tidy(unwrap_prose(text))


def _answer(row: Row) -> Answer:
    """All answers in one text, with their unit. A proof has none (VLMEvalKit 568: do not drop such rows)."""
    answers = row.texts("final_answer")
    if not answers and row.optional_text("question_type") == _PROOF:
        return Answer(None)
    unit = tidy(row.optional_text("unit"))
    answer = free_answer("; ".join(answers).replace("，", ", "))
    return Answer(f"{answer.text} (unit: {unit})") if unit else answer


def _language(row: Row, question: str | None) -> Language:
    named = row.optional_text("language")
    return language_named(named) if named else language_of(question)


OLYMPIADBENCH = TableReader(
    name=NAME,
    version=2,
    location="Hothan/OlympiadBench",
    configs=CONFIGS,
    split="train",
    id_column="id",
    required=frozenset({"id", "question", "solution", "final_answer", "context", "question_type", "subject"}),
    parse=parse,
)
