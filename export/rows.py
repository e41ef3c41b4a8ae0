"""One row of a release: what the tested model sees, the gold record of the flaw and where both come from. Pure:
pictures stay references until the files are written."""

import string
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from core.errors import ExportError
from core.identity import canonical_json
from core.records import FlawedSample, Picture, PictureAddition, PictureDegradation, PictureReplacement, Sample
from core.taxonomy import DEFINITIONS
from export.facts import NO_PANEL

Row = NamedTuple
"""With an `id`; its fields are the columns in their order. A picture stands by its reference, a struct as a named
tuple."""


class Review(StrEnum):
    """What people made of a row; `undecided` where not even the last of them was sure, `none` where it was before
    nobody."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNDECIDED = "undecided"
    OPEN = "open"
    NONE = "none"


class Label(NamedTuple):
    """One person's verdicts on a row, as they were given. `annotator` is a number from 1: who it was is not published.
    `round` is 1, or 2 for the third person where the first two disagree, who decides what is disputed. `seconds` is the
    time that it took."""

    annotator: int
    round: int
    type_compliance: str | None
    unanswerability: str | None
    type_compliance_reason: str
    unanswerability_reason: str
    seconds: float | None


class ReleaseItem(NamedTuple):
    """A kept candidate, the source question that it was made from, and the samples that lent it pictures (mismatch).
    `panel` names the models that voted on it, `twin_panel` those that judged the question itself. `valid_twin`: whether
    they call that valid (M-43), None where none was asked. `labels` are the verdicts of people that counted (M-20)."""

    candidate: FlawedSample
    parent: Sample
    donors: tuple[Sample, ...] = ()
    panel: str = NO_PANEL
    valid_twin: bool | None = None
    twin_panel: str | None = None
    review: Review = Review.NONE
    labels: tuple[Label, ...] = ()


class ReleaseRow(NamedTuple):
    """Fields are the columns in their order; `export.dataset.COLUMNS` says what each holds."""

    id: str
    question: str
    context: str | None
    query: str | None
    options: tuple[str, ...]
    images: tuple[Picture, ...]
    subtype: str | None
    primary_type: str | None
    region: str | None
    flaw: str | None
    edits: str | None
    masks: tuple[Picture, ...]
    generator: str | None
    families: tuple[str, ...]
    panel: str | None
    review: str | None
    annotations: tuple[Label, ...]
    answer: str | None
    correct_options: tuple[int, ...]
    source: str
    source_id: str
    subject: str
    language: str
    licence: str
    attribution: str
    pair_id: str


def render_question(context: str | None, query: str | None, options: tuple[str, ...]) -> str:
    """Context, query and lettered options with a blank line between them; absent and empty parts are left out, tokens
    such as `<image 1>` are kept."""
    lettered = "\n".join(f"{option_letter(index)}. {option}" for index, option in enumerate(options))
    return "\n\n".join(part for part in (context, query, lettered) if part)


def option_letter(index: int) -> str:
    """A for 0, Z for 25, AA for 26."""
    rest, last = divmod(index, len(string.ascii_uppercase))
    return (option_letter(rest - 1) if rest else "") + string.ascii_uppercase[last]


def make_flawed_row(item: ReleaseItem) -> ReleaseRow:
    """A row of the split `test`. Raises ExportError when the parent or a donor of the item is not the one it names."""
    _check_origins(item)
    candidate, parent = item.candidate, item.parent
    edits = [edit for flaw in candidate.flaws for edit in flaw.edits]
    definition = DEFINITIONS[candidate.subtype]
    return ReleaseRow(
        id=candidate.id,
        question=render_question(candidate.context, candidate.query, candidate.options),
        context=candidate.context,
        query=candidate.query,
        options=candidate.options,
        images=candidate.pictures,
        subtype=name_subtype(candidate),
        primary_type=definition.primary.value,
        region=definition.region.value,
        flaw="\n".join(flaw.explanation for flaw in candidate.flaws),
        edits=canonical_json(edits),
        masks=tuple(edit.mask for edit in edits if isinstance(edit, PictureDegradation | PictureAddition)),
        generator=_join_distinct((name for flaw in candidate.flaws for name in flaw.generator.split("+")), "+"),
        families=name_families(item),
        panel=item.panel,
        review=item.review,
        annotations=item.labels,
        answer=None,
        correct_options=(),
        source=parent.source,
        source_id=parent.source_id,
        subject=parent.subject.value,
        language=parent.language.value,
        licence=_join_distinct((sample.licence for sample in (parent, *item.donors)), " AND "),
        attribution=_join_distinct((sample.attribution for sample in (parent, *item.donors)), "; "),
        pair_id=parent.id,
    )


def make_twin_rows(items: Sequence[ReleaseItem]) -> list[ReleaseRow]:
    """The split `twins`."""
    panels = {item.parent.id: item.twin_panel for item in items}
    return [make_twin_row(sample, panels[sample.id]) for sample in find_twins(items)]


def make_twin_row(sample: Sample, panel: str | None = None) -> ReleaseRow:
    """The unmodified question with its answer."""
    return ReleaseRow(
        id=sample.id,
        question=render_question(sample.context, sample.query, sample.options),
        context=sample.context,
        query=sample.query,
        options=sample.options,
        images=sample.pictures,
        subtype=None,
        primary_type=None,
        region=None,
        flaw=None,
        edits=None,
        masks=(),
        generator=None,
        families=sample.families,
        panel=panel,
        review=None,
        annotations=(),
        answer=sample.answer,
        correct_options=sample.correct_options,
        source=sample.source,
        source_id=sample.source_id,
        subject=sample.subject.value,
        language=sample.language.value,
        licence=sample.licence,
        attribution=sample.attribution,
        pair_id=sample.id,
    )


def name_subtype(candidate: FlawedSample) -> str:
    """The subtype, or both joined by `+` where a sample has two flaws (M-47)."""
    return "+".join(flaw.subtype for flaw in candidate.flaws)


def name_families(item: ReleaseItem) -> tuple[str, ...]:
    """Of all models that touched the row: those that rewrote its source first (A31)."""
    found = (*item.parent.families, *(family for flaw in item.candidate.flaws for family in flaw.families))
    return tuple(dict.fromkeys(found))


def find_twins(items: Iterable[ReleaseItem]) -> list[Sample]:
    """Every parent once, in the order of first use, but those that the validators did not call valid."""
    return list({item.parent.id: item.parent for item in items if item.valid_twin is not False}.values())


def _check_origins(item: ReleaseItem) -> None:
    candidate = item.candidate
    if candidate.parent != item.parent.id:
        raise ExportError(
            f"Candidate {candidate.id} names parent {candidate.parent} but was given {item.parent.id}.",
            "Pass the sample that the candidate names.",
        )
    replacements = (edit for flaw in candidate.flaws for edit in flaw.edits if isinstance(edit, PictureReplacement))
    missing = {edit.donor for edit in replacements} - {donor.id for donor in item.donors}
    if missing:
        raise ExportError(
            f"Candidate {candidate.id} shows pictures of {', '.join(sorted(missing))}, which were not given.",
            "Pass them as donors, so that their licence and attribution stand in the row.",
        )


def _join_distinct(values: Iterable[str], separator: str) -> str:
    return separator.join(dict.fromkeys(values))
