"""Records to rows of the lineage tables and back. A row holds the whole record, so nothing is lost on the way; edges
say what came from what, so that a chain can be followed without opening records."""

from collections.abc import Iterable, Iterator

from core.calls import Call
from core.identity import canonical_json
from core.records import (
    Decision,
    Edit,
    Flaw,
    FlawedSample,
    Picture,
    PictureAddition,
    PictureDegradation,
    PictureReplacement,
    Sample,
)
from core.votes import Vote
from storage.parts import Part, Row

READ_FROM = "read_from"
SHOWS = "shows"
INJECTED_FROM = "injected_from"
TAKES_PICTURES_OF = "takes_pictures_of"
MASKED_BY = "masked_by"
REWRITTEN_FROM = "rewritten_from"


def source_row_id(source: str, source_id: str) -> str:
    """`SOURCE:ID`, the name of one row of a source."""
    return f"{source}:{source_id}"


def sample_rows(sample: Sample, facts: Iterable[tuple[str, int]]) -> list[Row]:
    """`facts` are (sha256, perceptual hash of 64 bits) of the sample's pictures, as far as they are known."""
    hashes = dict(facts)
    source = {"name": sample.source, "licence": sample.licence, "attribution": sample.attribution}
    return [
        Row("samples", sample.id, canonical_json(sample)),
        Row("sources", sample.source, canonical_json(source)),
        *(_picture_row(picture, hashes.get(picture.sha256)) for picture in _unique(sample.pictures)),
        edge_row(sample.id, READ_FROM, source_row_id(sample.source, sample.source_id)),
        *([edge_row(sample.id, REWRITTEN_FROM, sample.rewritten_from)] if sample.rewritten_from else []),
        *(edge_row(sample.id, SHOWS, picture.sha256) for picture in _unique(sample.pictures)),
    ]


def candidate_rows(candidate: FlawedSample) -> list[Row]:
    """The candidate, its flaws, the pictures that were made for it, and its edges."""
    edits = [edit for flaw in candidate.flaws for edit in flaw.edits]
    masks = [edit.mask for edit in edits if isinstance(edit, PictureDegradation | PictureAddition)]
    donors = dict.fromkeys(edit.donor for edit in edits if isinstance(edit, PictureReplacement))
    return [
        Row("candidates", candidate.id, canonical_json(candidate)),
        *(_flaw_row(candidate.id, position, flaw) for position, flaw in enumerate(candidate.flaws)),
        *(_picture_row(picture, None) for picture in _unique(_made_pictures(edits))),
        edge_row(candidate.id, INJECTED_FROM, candidate.parent),
        *(edge_row(candidate.id, TAKES_PICTURES_OF, donor) for donor in donors),
        *(edge_row(candidate.id, SHOWS, picture.sha256) for picture in _unique(candidate.pictures)),
        *(edge_row(candidate.id, MASKED_BY, mask.sha256) for mask in _unique(masks)),
    ]


def decision_rows(decision: Decision) -> list[Row]:
    return [Row("decisions", decision.id, canonical_json(decision))]


def call_rows(call: Call) -> list[Row]:
    return [Row("calls", call.id, canonical_json(call))]


def vote_rows(vote: Vote) -> list[Row]:
    return [Row("votes", vote.id, canonical_json(vote))]


def samples_in(part: Part) -> list[Sample]:
    return [Sample.restore(row.record, row.id) for row in part.rows("samples")]


def candidates_in(part: Part) -> list[FlawedSample]:
    return [FlawedSample.restore(row.record, row.id) for row in part.rows("candidates")]


def decisions_in(part: Part) -> list[Decision]:
    return [Decision.restore(row.record, row.id) for row in part.rows("decisions")]


def calls_in(part: Part) -> list[Call]:
    return [Call.restore(row.record, row.id) for row in part.rows("calls")]


def votes_in(part: Part) -> list[Vote]:
    return [Vote.restore(row.record, row.id) for row in part.rows("votes")]


def decision_ids_in(part: Part) -> list[str]:
    return [row.id for row in part.rows("decisions")]


def perceptual_hashes_in(part: Part) -> dict[str, int]:
    """By the SHA-256 of the picture; pictures whose hash is not known are left out."""
    pictures = (_StoredPicture.model_validate_json(row.record) for row in part.rows("pictures"))
    return {found.sha256: found.perceptual_hash for found in pictures if found.perceptual_hash is not None}


class _StoredPicture(Picture):
    perceptual_hash: int | None


def _flaw_row(candidate: str, position: int, flaw: Flaw) -> Row:
    measures = [edit.measure for edit in flaw.edits if isinstance(edit, PictureDegradation)]
    columns = {
        "candidate": candidate,
        "position": position,
        "subtype": flaw.subtype,
        "generator": flaw.generator,
        "injector_version": flaw.injector_version,
        "families": flaw.families,
        "edits": [edit.kind for edit in flaw.edits],
        "explanation": flaw.explanation,
        "operation": measures[0].operation if measures else None,
        "share": sum(measure.share for measure in measures) / len(measures) if measures else None,
    }
    return Row("flaws", f"{candidate}/{position}", canonical_json(columns))


def _picture_row(picture: Picture, perceptual_hash: int | None) -> Row:
    stored = _StoredPicture(**picture.model_dump(), perceptual_hash=perceptual_hash)
    return Row("pictures", picture.sha256, canonical_json(stored))


def edge_row(child: str, relation: str, parent: str) -> Row:
    return Row("edges", child, canonical_json({"child": child, "relation": relation, "parent": parent}))


def _made_pictures(edits: Iterable[Edit]) -> Iterator[Picture]:
    for edit in edits:
        if isinstance(edit, PictureDegradation | PictureAddition):
            yield edit.after
            yield edit.mask


def _unique(pictures: Iterable[Picture]) -> list[Picture]:
    return list({picture.sha256: picture for picture in pictures}.values())
