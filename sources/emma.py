"""EMMA: mathematics, physics, chemistry and coding questions that need the picture. Its rows come from other sets
(MATH-Vision, OlympiadBench, MMMU …) and keep their quirks: answers in lower case, tokens in MATH-Vision's spelling.
"""

from sources.assembling import Draft
from sources.languages import language_of
from sources.options import answer_by_letter, resolve_answer
from sources.rows import PictureCell, Row
from sources.subjects import subject_of
from sources.tables import TableReader
from sources.texts import tidy, tidy_option
from sources.tokens import Attached, attach, has_joined_spelling, label_parts, numbers_named

NAME = "emma"
CONFIGS = ("Chemistry", "Coding", "Math", "Physics")
_SCREENSHOTS = "EXAMS-V"
_UPSTREAM = {
    "MathVision": "MATH-Vision (MIT)",
    "MathVista": "MathVista (CC BY-SA 4.0)",
    "MMMU": "MMMU (Apache-2.0)",
    "OlympiadBench": "OlympiadBench (Apache-2.0)",
    "new_annotated": "written for EMMA",
}


def parse(row: Row) -> Draft:
    """Raises UnusableRowError."""
    texts = (tidy(row.optional_text("context")), tidy(row.text("question")))
    options = tuple(tidy_option(option) for option in row.texts("options"))
    attached = _attach(texts, options, row.numbered_pictures("image_"))
    context, question = attached.texts
    upstream = row.text("source")
    return Draft(
        question=question,
        own_context=context,
        options=attached.options,
        pictures=attached.pictures,
        answer=resolve_answer(row.optional_text("answer"), attached.options, answer_by_letter),
        subject=subject_of(NAME, (row.text("subject"),)),
        language=language_of(question),
        licence="none stated",
        attribution=(
            "EMMA (Hao et al., 2025), https://github.com/EMMA-Bench/EMMA, test use only; "
            f"from {_UPSTREAM.get(upstream, upstream)}"
        ),
        question_in_picture=question is None and upstream == _SCREENSHOTS and bool(attached.pictures),
    )


def _attach(
    texts: tuple[str | None, ...], options: tuple[str, ...], columns: dict[int, PictureCell | None]
) -> Attached:
    """Math_55 and others name `<image2>`, a part of their one picture, for which there is no column."""
    present = [number for number, cell in columns.items() if cell is not None]
    strays = set(numbers_named(*texts, *options)).difference(present)
    if strays and present == [1] and has_joined_spelling(*texts, *options):
        texts, options = label_parts(texts, options)
    return attach(texts, options, columns)


EMMA = TableReader(
    name=NAME,
    version=2,
    location="luckychao/EMMA",
    configs=CONFIGS,
    split="test",
    id_column="pid",
    required=frozenset({"pid", "question", "options", "answer", "image_1", "subject", "source", "context"}),
    parse=parse,
)
