import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from core.premises import Premise, PremiseAnswer, PremiseQuestion, PremiseVote, Split
from core.records import Decision, Language, Sample, Stage
from core.taxonomy import PremiseSubtype
from core.votes import Verdict
from storage.chains import Node
from storage.lineage import Lineage
from storage.membership import ItemKind, Member
from storage.parts import PartInfo, make_part
from storage.premise_rows import answer_rows, premise_vote_rows, question_rows
from storage.rows import decision_rows, sample_rows

KIND = PremiseSubtype.SCENE
PAIR = "prp_0123456789abcdef"


def make_question(sample: str, label: bool, pair: str | None = PAIR) -> PremiseQuestion:
    return PremiseQuestion(
        sample=sample,
        premise=Premise(subtype=KIND, text="a kitchen", caption="It shows a kitchen with two cups.", start=9),
        label=label,
        question=f"How many cups stand in {'a kitchen' if label else 'a garden'}?",
        stated="a kitchen" if label else "a garden",
        start=23,
        replacement="a garden",
        answer="two",
        pair=pair,
        language=Language.ENGLISH,
        generator="openai:seer",
        injector_version=1,
        families=("alpha",),
    )


def decide(stage: Stage, item: str, output: str | None, reason: str | None = None) -> Decision:
    return Decision(
        stage=stage, item=item, output=output, subtype=KIND, keep=reason is None, reason=reason, decided_by="test"
    )


@pytest.fixture(scope="module")
def file(new_file: Callable[[], Path]) -> Path:
    return new_file()


@pytest.fixture(scope="module")
def lineage(file: Path) -> Lineage:
    """With the pairs in it: for reading only."""
    return Lineage(file, 20.0)


@pytest.fixture(scope="module")
def pairs(
    lineage: Lineage, make_sample: Callable[[int], Sample], make_info: Callable[[Stage, str], PartInfo]
) -> tuple[PremiseQuestion, PremiseQuestion]:
    """Two samples: one that gave a pair, whose true question is answered, and one that shows nothing of the kind."""
    first, second = make_sample(1), make_sample(2)
    true, false = make_question(first.id, True), make_question(first.id, False)
    vote = PremiseVote(
        item=PAIR, premise=Verdict.PASS, replacement=Verdict.PASS, model="gemini:eye", family="beta", call="cal_1"
    )
    answer = PremiseAnswer(question=true.id, think="I look.", answer="Two.", generator="openai:seer")
    made = [
        decide(Stage.INJECT, first.id, PAIR),
        decide(Stage.INJECT, second.id, None, "no_premise"),
        decide(Stage.PANEL, PAIR, PAIR),
        decide(Stage.SELECT, PAIR, PAIR),
        decide(Stage.ANSWER, true.id, answer.id),
    ]
    rows = [row for sample in (first, second) for row in sample_rows(sample, ())]
    rows += [*question_rows(true), *question_rows(false), *premise_vote_rows(vote), *answer_rows(answer)]
    rows += [row for decision in made for row in decision_rows(decision)]
    lineage.ingest([make_part(make_info(Stage.INJECT, "premises"), rows)])
    lineage.set_members(
        "pairs", ItemKind.DECISION, [Member(one.id, KIND, at) for at, one in enumerate(made)], replace=True
    )
    lineage.set_members("pairs", ItemKind.QUESTION, [Member(false.id, KIND, 1), Member(true.id, KIND, 0)], replace=True)
    lineage.set_splits("pairs", {true.id: Split.SFT, false.id: Split.SFT})
    return true, false


def relations(node: Node) -> set[tuple[str, str]]:
    return {(child.relation, child.kind) for child in node.children}


def test_questions_come_back_whole_and_in_their_order(
    lineage: Lineage, pairs: tuple[PremiseQuestion, PremiseQuestion]
) -> None:
    found = lineage.premise_questions("pairs")
    assert [place.question for place in found] == list(pairs)
    assert {place.split for place in found} == {Split.SFT}
    assert lineage.premise_answers("pairs")[pairs[0].id].answer == "Two."
    assert lineage.premise_validators("pairs") == {PAIR: "gemini:eye"}
    assert lineage.members("pairs", ItemKind.QUESTION)[0].subtype is KIND


def test_a_second_ingestion_and_other_builds_change_nothing(
    file: Path,
    pairs: tuple[PremiseQuestion, PremiseQuestion],
    make_info: Callable[[Stage, str], PartInfo],
    tmp_path: Path,
) -> None:
    lineage = Lineage(Path(shutil.copyfile(file, tmp_path / file.name)), 20.0)
    lineage.ingest([make_part(make_info(Stage.INJECT, "again"), question_rows(pairs[0]))])
    lineage.set_splits("other", {pairs[0].id: Split.TEST})
    assert len(lineage.premise_questions("pairs")) == 2
    assert lineage.query("SELECT count(*) FROM premise_questions").rows == [(2,)]


def test_a_question_shows_its_pair_its_votes_and_its_answer(
    lineage: Lineage, pairs: tuple[PremiseQuestion, PremiseQuestion]
) -> None:
    node = lineage.chain(pairs[0].id[:12])
    assert (node.kind, node.facts["label"], node.facts["premise"]) == ("question", True, "a kitchen")
    assert relations(node) >= {
        ("injected_from", "sample"),
        ("produced_by", "decision"),
        ("decided", "decision"),
        ("verified", "premise_vote"),
        ("answered_by", "answer"),
        ("member_of", "build"),
    }
    stages = [child.facts["stage"] for child in node.children if child.kind == "decision"]
    assert stages == ["inject", "panel", "select", "answer"]


@pytest.mark.parametrize("kind", ["pair", "answer", "premise_vote", "sample"])
def test_what_belongs_to_a_question_leads_to_it(
    lineage: Lineage, pairs: tuple[PremiseQuestion, PremiseQuestion], kind: str
) -> None:
    ids = {
        "pair": PAIR,
        "answer": lineage.premise_answers("pairs")[pairs[0].id].id,
        "premise_vote": str(lineage.query("SELECT id FROM premise_votes").rows[0][0]),
        "sample": pairs[0].sample,
    }
    node = lineage.chain(ids[kind])
    assert node.kind == kind
    below = [child for child in node.children if child.kind in ("question", "pair")]
    assert below


def test_the_funnel_adds_up(lineage: Lineage, pairs: tuple[PremiseQuestion, PremiseQuestion]) -> None:
    (row,) = lineage.funnel("pairs").premises
    assert (row.asked, row.absent, row.made, row.taken, row.true, row.false) == (2, 1, 1, 1, 1, 1)
    assert row.splits == {Split.TEST: 0, Split.SFT: 2, Split.GRPO: 0}
    assert (row.answered, row.refused, row.unverified, row.untaken) == (1, {}, {}, {})
