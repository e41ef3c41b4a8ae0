from collections.abc import Callable

from core.recipe import Recipe
from core.records import Decision, FlawedSample, Sample, Stage
from storage.chains import Node
from storage.lineage import Lineage
from storage.parts import Part, PartInfo, make_part
from storage.rows import candidate_rows, sample_rows
from storage.runs import ReleaseInfo, RunInfo


def below(node: Node, *path: str) -> Node:
    """The first node at the end of these relations."""
    for relation in path:
        node = next(child for child in node.children if child.relation == relation)
    return node


def ids_of(node: Node, relation: str) -> list[str]:
    return [child.id for child in node.children if child.relation == relation]


def test_a_candidate_leads_up_to_its_source_row_run_and_recipe(
    filled: Lineage, samples: list[Sample], candidates: list[FlawedSample], run: RunInfo, recipe: Recipe
) -> None:
    candidate, sample = candidates[2], samples[2]

    root = filled.chain(candidate.id)

    assert (root.kind, root.id, root.relation) == ("candidate", candidate.id, "")
    assert below(root, "injected_from").id == sample.id
    assert below(root, "injected_from", "read_from").id == "emma:row-2"
    assert below(root, "injected_from", "made_by").facts["stage"] == "read"
    assert below(root, "made_by").facts["stage"] == "inject"
    assert below(root, "made_by", "in_run").id == run.id
    assert below(root, "made_by", "in_run", "by_recipe").id == recipe.id
    assert ids_of(root, "shows") == [sample.pictures[0].sha256]


def test_a_candidate_says_what_was_changed_and_what_was_decided(
    filled: Lineage, candidates: list[FlawedSample]
) -> None:
    root = filled.chain(candidates[2].id)

    assert root.facts["subtype"] == "ambiguity"
    assert root.facts["changed"] == '"force" became "thing"'
    assert root.facts["flaw"] == "Nothing says which thing is meant."
    assert below(root, "produced_by").facts["stage"] == "inject"
    decided = [child.facts["stage"] for child in root.children if child.relation == "decided"]
    assert decided == ["filter", "select"]
    assert ids_of(root, "member_of") == ["small"]
    assert below(root, "published_in").facts["name"] == "small-1"


def test_a_dropped_candidate_says_why(filled: Lineage, candidates: list[FlawedSample]) -> None:
    root = filled.chain(candidates[0].id)

    assert below(root, "decided").facts["reason"] == "flaw_leaked_in_text"
    assert below(root, "decided").facts["evidence"] == "because flaw_leaked_in_text"
    assert ids_of(root, "published_in") == []


def test_a_mismatch_leads_to_its_donor_and_the_donor_back(
    filled: Lineage, samples: list[Sample], candidates: list[FlawedSample]
) -> None:
    candidate, donor = candidates[3], samples[0]

    assert below(filled.chain(candidate.id), "takes_pictures_of", "read_from").id == "emma:row-0"
    assert ids_of(filled.chain(donor.id), "gave_pictures_to") == [candidate.id]


def test_a_sample_lists_what_became_of_it(
    filled: Lineage, samples: list[Sample], candidates: list[FlawedSample]
) -> None:
    sample = samples[1]

    root = filled.chain(sample.id)

    assert below(root, "produced_by").facts["stage"] == "read"
    assert ids_of(root, "became") == [candidates[1].id]
    assert ids_of(root, "member_of") == ["small"]


def test_a_picture_lists_where_it_is_shown(
    filled: Lineage, samples: list[Sample], candidates: list[FlawedSample]
) -> None:
    sample = samples[0]

    root = filled.chain(sample.pictures[0].sha256)

    assert (root.facts["width"], root.facts["perceptual_hash"]) == (64, "f" * 16)
    shown = {candidates[0].id, candidates[3].id, sample.id}
    assert set(ids_of(root, "shown_in")) == shown


def test_a_degraded_candidate_shows_its_mask_and_the_share(
    lineage: Lineage,
    make_sample: Callable[[int], Sample],
    make_degraded: Callable[[Sample], FlawedSample],
    make_info: Callable[[Stage, str], PartInfo],
) -> None:
    sample = make_sample(1)
    candidate = make_degraded(sample)
    rows = [*sample_rows(sample, []), *candidate_rows(candidate)]
    lineage.ingest([make_part(make_info(Stage.INJECT, "a"), rows)])

    root = lineage.chain(candidate.id)

    assert (root.facts["operation"], root.facts["share"]) == ("warp", 0.251)
    assert len(ids_of(root, "masked_by")) == 1
    assert ids_of(lineage.chain(ids_of(root, "masked_by")[0]), "masks") == [candidate.id]


def test_a_decision_leads_to_what_it_was_about(filled: Lineage, decisions: list[Decision]) -> None:
    injected = next(d for d in decisions if d.stage == Stage.INJECT and d.keep)

    root = filled.chain(injected.id)

    assert below(root, "decided_on").id == injected.item
    assert below(root, "produced").id == injected.output


def test_a_quarantined_row_is_found_by_its_name(filled: Lineage) -> None:
    root = filled.chain("emma:row-99")

    assert root.kind == "source_row"
    assert below(root, "decided").facts["reason"] == "no_text"


def test_a_row_that_was_read_leads_to_its_sample(filled: Lineage, samples: list[Sample]) -> None:
    assert ids_of(filled.chain("emma:row-1"), "became") == [samples[1].id]


def test_a_run_says_what_it_computed_and_published(filled: Lineage, run: RunInfo, release: ReleaseInfo) -> None:
    root = filled.chain(run.id)

    assert root.facts["outcome"] == "completed"
    assert root.facts["started"] == "2026-03-01T12:00:00+00:00"
    assert ids_of(root, "computed") == ["read", "inject", "select"]
    assert ids_of(root, "published") == [release.id]


def test_a_release_is_found_by_name_and_counts_what_it_holds(
    filled: Lineage, release: ReleaseInfo, run: RunInfo
) -> None:
    root = filled.chain("small-1")

    assert root.id == release.id
    assert {child.id: child.facts["candidates"] for child in root.children if child.relation == "publishes"} == {
        "ambiguity": 1,
        "mismatch": 1,
    }
    assert below(root, "in_run").id == run.id


def test_a_recipe_lists_its_runs(filled: Lineage, recipe: Recipe, run: RunInfo) -> None:
    assert ids_of(filled.chain(recipe.id), "used_by") == [run.id]


def test_a_shard_leads_to_its_run(filled: Lineage, parts: list[Part], run: RunInfo) -> None:
    assert below(filled.chain(parts[0].info.key), "in_run").id == run.id


def test_a_donor_that_is_not_stored_here_is_named_all_the_same(
    lineage: Lineage,
    make_sample: Callable[[int], Sample],
    make_mismatch: Callable[[Sample, Sample], FlawedSample],
    make_info: Callable[[Stage, str], PartInfo],
) -> None:
    candidate = make_mismatch(make_sample(1), make_sample(2))
    lineage.ingest([make_part(make_info(Stage.INJECT, "a"), candidate_rows(candidate))])

    donor = below(lineage.chain(candidate.id), "takes_pictures_of")

    assert (donor.id, donor.facts) == (make_sample(2).id, {})


def test_a_picture_shown_very_often_says_how_many_were_left_out(
    lineage: Lineage, make_sample: Callable[[int], Sample], make_info: Callable[[Stage, str], PartInfo]
) -> None:
    picture = make_sample(0).pictures[0]
    samples = [make_sample(number).model_copy(update={"pictures": (picture,)}) for number in range(130)]
    rows = [row for sample in samples for row in sample_rows(sample, [])]
    lineage.ingest([make_part(make_info(Stage.READ, "a"), rows)])

    root = lineage.chain(picture.sha256)

    assert len(ids_of(root, "shown_in")) == 101
    assert (root.children[-1].kind, root.children[-1].id) == ("more", "30")


def test_votes_calls_and_annotations_are_shown(
    filled: Lineage, lineage: Lineage, candidates: list[FlawedSample], parts: list[Part]
) -> None:
    lineage.ingest(parts)
    candidate = candidates[2]
    with lineage._database.writing() as connection:  # nothing of ours writes these tables yet
        connection.execute(
            "INSERT INTO votes VALUES ('vot_1', $id, item_key($id), 'ambiguity', 'unanswerability', 'pass', 'model-a', "
            "'family-a', 'call_1', 'no referent', 'shard')",
            {"id": candidate.id},
        )
        connection.execute(
            "INSERT INTO annotations VALUES ('ann_1', item_key('ann_1'), 'b', $id, item_key($id), 1, 'ann1', 'pass', "
            "'fail', 'clear', 12.5, false, [], 1, 2, 3, now(), now(), '{}')",
            {"id": candidate.id},
        )

    root = lineage.chain(candidate.id)

    assert below(root, "voted").facts == {
        "model": "model-a",
        "criterion": "unanswerability",
        "verdict": "pass",
        "evidence": "no referent",
    }
    assert below(root, "judged").facts == {
        "verdict": "pass, fail",
        "evidence": "clear",
        "annotator": "ann1",
        "round": 1,
    }


def test_an_annotation_is_found_by_its_id_with_the_item_it_is_about(
    filled: Lineage, lineage: Lineage, candidates: list[FlawedSample], parts: list[Part]
) -> None:
    lineage.ingest(parts)
    with lineage._database.writing() as connection:
        connection.execute(
            "INSERT INTO annotations VALUES ('ann_123456789', item_key('ann_123456789'), 'b', $id, item_key($id), 2, "
            "'ann3', 'pass', 'unsure', '', NULL, true, ['stale'], 1, 2, 3, now(), now(), '{}')",
            {"id": candidates[2].id},
        )

    root = lineage.chain("ann_12345")

    assert (root.kind, root.facts["verdict"], root.facts["flags"]) == ("annotation", "pass, unsure", "stale")
    assert ids_of(root, "judged_on") == [candidates[2].id]
