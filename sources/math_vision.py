"""MATH-Vision: competition questions with exactly one picture each. Where a question had several pictures they were
joined to one, so `<image2>` in a text is the label of a part and not a second picture."""

from sources.assembling import Draft
from sources.base import QuarantineReason
from sources.languages import language_of
from sources.options import answer_by_letter, resolve_answer
from sources.rows import Row, UnusableRowError
from sources.subjects import subject_of
from sources.tables import TableReader
from sources.texts import tidy, tidy_option
from sources.tokens import label_parts

NAME = "math_vision"


def parse(row: Row) -> Draft:
    """Raises UnusableRowError."""
    picture = row.picture("decoded_image")
    if picture is None:
        raise UnusableRowError(QuarantineReason.PICTURE_MISSING, "`decoded_image` is empty")
    options = tuple(tidy_option(option) for option in row.texts("options"))
    texts, options = label_parts((tidy(row.text("question")),), options)
    return Draft(
        question=texts[0],
        options=options,
        pictures=(picture,),
        answer=resolve_answer(row.optional_text("answer"), options, answer_by_letter),
        subject=subject_of(NAME, (row.text("subject"),)),
        language=language_of(texts[0]),
        licence="MIT",
        attribution="MATH-Vision (Wang et al., 2024), https://github.com/mathllm/MATH-V",
    )


MATH_VISION = TableReader(
    name=NAME,
    version=2,
    location="MathLLMs/MathVision",
    configs=("default",),
    split="test",
    id_column="id",
    required=frozenset({"id", "question", "options", "decoded_image", "answer", "subject"}),
    parse=parse,
)
