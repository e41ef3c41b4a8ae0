import json
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from core.records import (
    Decision,
    FlawedSample,
    Language,
    Picture,
    PictureAddition,
    PictureRemoval,
    Sample,
    Stage,
    Subject,
    TextEdit,
    TextPart,
    TextRemoval,
)
from core.records import Flaw as FlawRecord
from core.taxonomy import Subtype
from storage.parts import PartInfo, Row, make_part
from storage.rows import (
    candidate_rows,
    candidates_in,
    decision_rows,
    decisions_in,
    perceptual_hashes_in,
    sample_rows,
    samples_in,
)

MakeInfo = Callable[[Stage, str], PartInfo]

texts = st.text(max_size=30)
pictures = st.builds(
    Picture,
    sha256=st.text("0123456789abcdef", min_size=64, max_size=64),
    media_type=st.sampled_from(["image/png", "image/jpeg"]),
    width=st.integers(1, 10_000),
    height=st.integers(1, 10_000),
)
samples = st.builds(
    Sample,
    source=texts,
    source_id=texts,
    context=st.none() | texts,
    query=st.none() | texts,
    options=st.lists(texts, max_size=3).map(tuple),
    pictures=st.lists(pictures, max_size=3).map(tuple),
    answer=st.none() | texts,
    subject=st.sampled_from(Subject),
    language=st.sampled_from(Language),
    licence=texts,
    attribution=texts,
)
edits = st.one_of(
    st.builds(TextEdit, part=st.sampled_from(TextPart), start=st.integers(0, 99), before=texts, after=texts),
    st.builds(TextRemoval, part=st.sampled_from(TextPart)),
    st.builds(PictureRemoval, before=st.lists(pictures, max_size=2).map(tuple)),
    st.builds(PictureAddition, index=st.integers(0, 9), of=st.integers(0, 8), after=pictures, mask=pictures),
)
flaws = st.builds(
    FlawRecord,
    subtype=st.sampled_from(Subtype),
    generator=texts,
    injector_version=st.integers(1, 99),
    edits=st.lists(edits, min_size=1, max_size=3).map(tuple),
    explanation=st.text(min_size=1, max_size=30),
    families=st.lists(texts, max_size=2).map(tuple),
)
candidates = st.builds(
    FlawedSample,
    parent=texts,
    context=st.none() | texts,
    query=st.none() | texts,
    pictures=st.lists(pictures, max_size=3).map(tuple),
    flaws=st.lists(flaws, min_size=1, max_size=2).map(tuple),
)
decisions = st.builds(
    Decision,
    stage=st.sampled_from(Stage),
    item=texts,
    output=st.none() | texts,
    subtype=st.none() | st.sampled_from(Subtype),
    keep=st.booleans(),
    reason=st.none() | texts,
    evidence=texts,
    decided_by=texts,
)


def edges_of(rows: list[Row]) -> list[tuple[str, str, str]]:
    records = [json.loads(row.record) for row in rows if row.table == "edges"]
    return [(record["child"], record["relation"], record["parent"]) for record in records]


@given(sample=samples, candidate=candidates, decision=decisions)
def test_records_come_back_from_a_part_with_the_same_id(
    sample: Sample, candidate: FlawedSample, decision: Decision, make_info: MakeInfo
) -> None:
    part = make_part(
        make_info(Stage.READ, "a"), [*sample_rows(sample, []), *candidate_rows(candidate), *decision_rows(decision)]
    )

    assert samples_in(part) == [sample]
    assert candidates_in(part) == [candidate]
    assert decisions_in(part) == [decision]
    assert samples_in(part)[0].id == sample.id
    assert candidates_in(part)[0].id == candidate.id


def test_perceptual_hashes_of_64_bits_come_back_and_unknown_ones_are_left_out(
    make_info: MakeInfo, make_sample: Callable[[int], Sample]
) -> None:
    known, unknown = make_sample(1), make_sample(2)
    facts = [(known.pictures[0].sha256, 2**64 - 1)]
    part = make_part(make_info(Stage.READ, "a"), [*sample_rows(known, facts), *sample_rows(unknown, [])])

    assert perceptual_hashes_in(part) == {known.pictures[0].sha256: 2**64 - 1}


def test_a_sample_points_to_its_source_row_and_its_pictures(make_sample: Callable[[int], Sample]) -> None:
    sample = make_sample(1)

    assert edges_of(sample_rows(sample, [])) == [
        (sample.id, "read_from", "emma:row-1"),
        (sample.id, "shows", sample.pictures[0].sha256),
    ]


def test_a_picture_shown_twice_is_one_row_and_one_edge(make_sample: Callable[[int], Sample]) -> None:
    once = make_sample(1)
    twice = once.model_copy(update={"pictures": once.pictures * 2})

    tables = [row.table for row in sample_rows(twice, [])]

    assert tables.count("pictures") == 1
    assert [relation for _, relation, _ in edges_of(sample_rows(twice, []))] == ["read_from", "shows"]


def test_a_degraded_candidate_points_to_its_parent_its_picture_and_its_mask(
    make_sample: Callable[[int], Sample], make_degraded: Callable[[Sample], FlawedSample]
) -> None:
    sample = make_sample(1)
    candidate = make_degraded(sample)
    edit = candidate.flaws[0].edits[0]
    assert edit.kind == "picture_degradation"

    rows = candidate_rows(candidate)

    assert edges_of(rows) == [
        (candidate.id, "injected_from", sample.id),
        (candidate.id, "shows", edit.after.sha256),
        (candidate.id, "masked_by", edit.mask.sha256),
    ]
    assert {row.id for row in rows if row.table == "pictures"} == {edit.after.sha256, edit.mask.sha256}


def test_a_mismatched_candidate_points_to_its_donor(
    make_sample: Callable[[int], Sample], make_mismatch: Callable[[Sample, Sample], FlawedSample]
) -> None:
    sample, donor = make_sample(1), make_sample(2)
    candidate = make_mismatch(sample, donor)

    assert (candidate.id, "takes_pictures_of", donor.id) in edges_of(candidate_rows(candidate))


def test_a_flaw_row_says_what_people_ask_for(
    make_sample: Callable[[int], Sample], make_degraded: Callable[[Sample], FlawedSample]
) -> None:
    candidate = make_degraded(make_sample(1))

    (flaw,) = [json.loads(row.record) for row in candidate_rows(candidate) if row.table == "flaws"]

    assert flaw["subtype"] == "light_missing_visual_premise"
    assert flaw["edits"] == ["picture_degradation"]
    assert (flaw["operation"], flaw["share"]) == ("warp", 0.251)
