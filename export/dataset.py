"""The columns of a release of flawed questions."""

from collections.abc import Mapping

from datasets import Image, List, Value

from export.tables import Column

_TEXT = Value("string")

LABEL = {
    "annotator": Value("int32"),
    "round": Value("int32"),
    "type_compliance": _TEXT,
    "unanswerability": _TEXT,
    "type_compliance_reason": _TEXT,
    "unanswerability_reason": _TEXT,
    "seconds": Value("float64"),
}

COLUMNS: Mapping[str, Column] = {
    "id": Column(_TEXT, "Stable id of the row: a hash of its content."),
    "question": Column(
        _TEXT,
        "The whole text that the model sees: context, query and options lettered A, B, ... with a blank line between "
        "them. Tokens `<image N>` name the N-th picture of `images`, from 1. It may be empty.",
    ),
    "context": Column(_TEXT, "The given facts alone; null where there are none."),
    "query": Column(_TEXT, "What is asked; null where it is missing."),
    "options": Column(List(_TEXT), "Answer options without letters; empty for a free answer."),
    "images": Column(List(Image()), "The pictures that the model sees, none to ten, bytes embedded."),
    "subtype": Column(_TEXT, "The flaw's subtype; null in `twins`."),
    "primary_type": Column(_TEXT, "The flaw's primary type; null in `twins`."),
    "region": Column(_TEXT, "Where the flaw can be seen: text_only, cross_modal or visual_only; null in `twins`."),
    "flaw": Column(_TEXT, "Gold explanation, in English: what was changed, why the question cannot be answered."),
    "edits": Column(_TEXT, "JSON list of every change from the twin to this row, with its place; pictures by SHA-256."),
    "masks": Column(
        List(Image()), "One picture per edit that has a mask, in the order of `edits`: white where changed."
    ),
    "generator": Column(
        _TEXT, "What made the flaw: `rules`, or the models that did in their order, joined by `+`; null in `twins`."
    ),
    "families": Column(
        List(_TEXT), "Makers of all models that touched the row: none of them judged it. Empty where only rules did."
    ),
    "panel": Column(
        _TEXT,
        "Models that judged the row, joined by `+`; where none did, `none` in `test` and null in `twins`.",
    ),
    "review": Column(
        _TEXT,
        "What people made of the row: `accepted`; `rejected` where it failed; `undecided` where the last person asked "
        "was not sure; `open` while verdicts are missing; `none` where it was before nobody; null in `twins`.",
    ),
    "annotations": Column(
        List(LABEL),
        "Each person's own verdicts: number of the annotator, round (1, or 2 for the third who decides a dispute), "
        "pass, fail or unsure on both criteria, reasons, seconds.",
    ),
    "answer": Column(_TEXT, "Right answer of the twin as text; null in `test` and where the source withholds it."),
    "correct_options": Column(
        List(Value("int32")),
        "Positions of the right options of the twin, from 0; empty in `test` and for free answers.",
    ),
    "source": Column(_TEXT, "Data set of the question."),
    "source_id": Column(_TEXT, "The question's id there."),
    "subject": Column(_TEXT, "One of nine subjects."),
    "language": Column(_TEXT, "`en` or `zh`."),
    "licence": Column(_TEXT, "Licence of the row, joined by AND where pictures come from another question."),
    "attribution": Column(_TEXT, "Whom to credit."),
    "pair_id": Column(_TEXT, "Id of the unmodified twin in the split `twins`; in `twins` the row's own id."),
}
