import json
from collections.abc import Callable
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from core.records import Decision, FlawedSample, Sample, Stage
from storage.lineage import Lineage
from storage.parts import Part, PartInfo, Row, make_part
from storage.rows import candidate_rows, decision_rows, sample_rows

COUNTED = ("samples", "pictures", "candidates", "flaws", "decisions", "edges", "sources", "shards")


def count_rows(lineage: Lineage) -> dict[str, int]:
    sql = " UNION ALL ".join(f"SELECT '{table}', count(*) FROM {table}" for table in COUNTED)
    return {str(table): int(str(rows)) for table, rows in lineage.query(sql).rows}


def test_all_rows_of_all_parts_are_stored(lineage: Lineage, decisions: list[Decision], parts: list[Part]) -> None:
    assert lineage.ingest(parts) == 3

    assert count_rows(lineage) == {
        "samples": 5,
        "pictures": 5,
        "candidates": 4,
        "flaws": 4,
        "decisions": len(decisions),
        "edges": 5 * 2 + 3 * 2 + 3,
        "sources": 1,
        "shards": 3,
    }


def test_ingesting_again_changes_nothing(lineage: Lineage, parts: list[Part]) -> None:
    lineage.ingest(parts)
    before = count_rows(lineage)

    assert lineage.ingest(parts) == 0

    assert count_rows(lineage) == before


def test_the_same_rows_in_another_shard_stay_those_of_the_first(
    lineage: Lineage, parts: list[Part], make_info: Callable[[Stage, str], PartInfo]
) -> None:
    again = [make_part(make_info(Stage.INJECT, f"again {n}"), part_rows(part)) for n, part in enumerate(parts)]
    lineage.ingest([*parts, again[0]])
    before = count_rows(lineage)

    assert lineage.ingest(again) == 2

    assert count_rows(lineage) == before | {"shards": 6}
    shards = lineage.query(
        "SELECT DISTINCT shard_key FROM samples UNION SELECT DISTINCT shard_key FROM candidates"
    ).rows
    assert {shard for (shard,) in shards} == {part.info.key for part in parts[:2]}


def part_rows(part: Part) -> list[Row]:
    return [row for table in COUNTED for row in part.rows(table)]


def test_the_ledger_holds_the_keys_of_what_was_ingested(tmp_path: Path, parts: list[Part]) -> None:
    lineage = Lineage(tmp_path / "lineage.duckdb", 20.0)
    assert lineage.ledger_keys() == set()

    lineage.ingest(parts[:2])

    assert lineage.ledger_keys() == {part.info.key for part in parts[:2]}


def test_columns_say_what_the_record_says(
    lineage: Lineage, samples: list[Sample], candidates: list[FlawedSample], parts: list[Part]
) -> None:
    lineage.ingest(parts)
    sample, candidate = samples[1], candidates[3]

    found = lineage.query(
        "SELECT source, source_id, subject, language, licence, pictures, options, record FROM samples "
        f"WHERE id = '{sample.id}'"
    ).rows
    assert found[0][:7] == ("emma", "row-1", "physics", "en", "CC-BY-4.0", 1, 0)
    assert Sample.model_validate_json(str(found[0][7])) == sample
    found = lineage.query(
        f"SELECT parent, subtype, generator, flaws, pictures, record FROM candidates WHERE id = '{candidate.id}'"
    ).rows
    assert found[0][:5] == (samples[3].id, "mismatch", "rules", 1, 1)
    assert FlawedSample.model_validate_json(str(found[0][5])) == candidate
    assert lineage.query("SELECT DISTINCT perceptual_hash FROM pictures").rows == [(2**64 - 1,)]


def test_the_row_that_knows_a_perceptual_hash_wins(
    lineage: Lineage, make_sample: Callable[[int], Sample], make_info: Callable[[Stage, str], PartInfo]
) -> None:
    sample = make_sample(1)
    rows = [*sample_rows(sample, []), *sample_rows(sample, [(sample.pictures[0].sha256, 7)])]

    lineage.ingest([make_part(make_info(Stage.READ, "a"), rows)])

    assert lineage.query("SELECT perceptual_hash FROM pictures").rows == [(7,)]


def test_a_source_with_two_licences_has_two_rows(
    lineage: Lineage, make_sample: Callable[[int], Sample], make_info: Callable[[Stage, str], PartInfo]
) -> None:
    one = make_sample(1)
    other = one.model_copy(update={"licence": "MIT", "source_id": "row-2"})
    rows = [*sample_rows(one, []), *sample_rows(other, []), *sample_rows(make_sample(3), [])]

    lineage.ingest([make_part(make_info(Stage.READ, "a"), rows)])

    assert lineage.query("SELECT name, licence FROM sources ORDER BY licence").rows == [
        ("emma", "CC-BY-4.0"),
        ("emma", "MIT"),
    ]


@settings(max_examples=3)
@given(found=st.lists(st.text(max_size=40), max_size=30, unique=True))
def test_any_text_survives_the_way_into_the_tables(
    found: list[str],
    new_file: Callable[[], Path],
    make_sample: Callable[[int], Sample],
    make_candidate: Callable[[Sample], FlawedSample],
    make_info: Callable[[Stage, str], PartInfo],
) -> None:
    texts = sorted({*found, "", "a\x00b", "'\"\\", "$\\frac{1}{2}$", "水的质量", "\u202e\U0001f600\r\n"})
    lineage = Lineage(new_file(), 5.0)
    samples = [make_sample(1).model_copy(update={"context": text, "source_id": text}) for text in texts]
    decisions = [
        Decision(stage=Stage.READ, item=f"emma:{text}", keep=False, reason="x", evidence=text, decided_by="emma@1")
        for text in texts
    ]
    rows = [
        *(row for sample in samples for row in (*sample_rows(sample, []), *candidate_rows(make_candidate(sample)))),
        *(row for decision in decisions for row in decision_rows(decision)),
    ]

    lineage.ingest([make_part(make_info(Stage.READ, "a"), rows)])

    ((ids, records, evidence),) = lineage.query(
        """SELECT (SELECT list(source_id) FROM samples), (SELECT list(record) FROM candidates),
        (SELECT list([item, evidence]) FROM decisions)"""
    ).rows
    assert isinstance(ids, list) and isinstance(records, list) and isinstance(evidence, list)
    assert sorted(ids) == texts
    assert sorted(json.loads(record)["context"] for record in records) == texts
    assert sorted(evidence) == [[f"emma:{text}", text] for text in texts]
