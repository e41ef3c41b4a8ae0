"""A question that can be solved without what was taken away has no flaw; a guess, a refusal or noise proves nothing."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.calls import Answer, AnswerStatus, Role
from core.records import FlawedSample, Language, PictureRemoval, Sample, Stage, Subject, TextPart, TextRemoval
from core.taxonomy import Subtype
from filters.base import DropReason
from filters.blindness import decide_blind, is_solved, needs_blind_solve, propose_blind_solve

Bench = Any
PERCENT = ("0%", "25%", "50%", "75%", "100%")


formulas = st.lists(
    st.sampled_from(
        [*"0123456789.,;=/^*-+ {}()[]$%°m", "\\frac", "\\sqrt{", "\\text{", "10^", "9" * 400, "km", "平方", "万", "e"]
    )
).map("".join)


def question(answer: str | None, options: tuple[str, ...] = (), correct: tuple[int, ...] = ()) -> Sample:
    return Sample(
        source="test",
        source_id="1",
        context=None,
        query="How much?",
        options=options,
        answer=answer,
        correct_options=correct,
        subject=Subject.PHYSICS,
        language=Language.ENGLISH,
        licence="CC0",
        attribution="test",
    )


def without_picture(bench: Bench) -> FlawedSample:
    return bench.candidate(
        Subtype.MISSING_IMAGE,
        (PictureRemoval(before=bench.parent.pictures),),
        context="The ladder is 5 m long.",
        pictures=(),
    )


def without_text(bench: Bench) -> FlawedSample:
    edits = tuple(TextRemoval(part=part) for part in TextPart)
    return bench.candidate(Subtype.MISSING_INSTRUCTION, edits, context=None, query=None, options=())


@pytest.mark.parametrize(
    ("right", "given"),
    [
        ("Conrad", "conrad."),
        ("40 N", "40 newtons"),
        ("40 N", "$40\\,\\mathrm{N}$"),
        ("40 N", "40 牛"),
        ("40", "40 N"),
        ("600 m", "0.6 km"),
        ("16 hours", "960 minutes"),
        ("2 kJ", "2000 J"),
        ("90 km/h", "25 m/s"),
        ("145.8 克", "146 g"),
        ("145.8 克", "0.1458 kg"),
        ("1014 立方厘米", "1,014 cm³"),
        ("1014 立方厘米", "1014 cubic centimetres"),
        ("1.25 square metres", "12500 cm^2"),
        ("1.25 square metres", "\\(1.25\\ \\text{m}^2\\)"),
        ("2 (unit: m)", "200 cm"),
        ("3200 万人", "32 million people"),
        ("30 thousand euros", "€30,000"),
        ("30 个", "30 circles"),
        ("0、1、1", "X = 0, Y = 1, Z = 1"),
        ("960 元", "答案是 960 元"),
        ("25%", "25 percent"),
        ("\\frac{1}{2}", "0.5"),
        ("½", "\\dfrac12"),
        ("\\frac{\\sqrt{3}}{2}", "√3/2"),
        ("3\\times10^{8} m/s", "3×10⁸ m/s"),
        ("3\\times10^{8} m/s", "3e8 m/s"),
        ("x = 4", "x=4"),
        ("4", "$x = 4$"),
        ("4", "= 4"),
        ("-3", "−3"),
        ("30 hours", "about 30 hours"),
        ("y = -x + 1", "\\boxed{y=-x+1}"),
    ],
)
def test_the_right_answer_is_recognised_in_many_spellings(right: str, given: str) -> None:
    assert is_solved(f"Since it is so.\nANSWER: {given}", question(right)) is True


@pytest.mark.parametrize(
    ("right", "given"),
    [
        ("Conrad", "Konrad"),
        ("1987", "1990"),
        ("40 N", "41 N"),
        ("40 N", "40 m"),
        ("600 m", "600 km"),
        ("600 m", "600 m^2"),
        ("145.8 克", "148 g"),
        ("1014 立方厘米", "1014 cm²"),
        ("0、1、1", "0, 1, 0"),
        ("0、1、1", "0, 1"),
        ("10^3", "103"),
        ("-3", "3"),
        ("2/3", "2/0"),
        ("40 N", "between 30 and 50 N"),
        ("40 N", "I do not know"),
        ("40 N", "F <= 40 N"),
        ("4 m and 5 m", "4 m"),
        ("40 N", "无法确定"),
    ],
)
def test_another_answer_is_not_right(right: str, given: str) -> None:
    assert is_solved(f"ANSWER: {given}", question(right)) is False


@pytest.mark.parametrize(
    "given",
    [
        "B",
        "(B)",
        "b",
        "B.",
        "B. 25%",
        "B) 25%",
        "B、25%",
        "B：25%",
        "B (because)",
        "25%",
        "25 %",
        "Option B",
        "选项B",
        "$\\text{B}$",
        "**B**",
    ],
)
def test_an_option_is_named_by_letter_or_text(given: str) -> None:
    parent = question("25%", PERCENT, (1,))
    assert is_solved(f"ANSWER: {given}", parent) is True
    assert is_solved(f"**ANSWER：** {given}", parent) is True
    assert is_solved(f"ANSWER: {given}", question("50%", PERCENT, (2,))) is False


@pytest.mark.parametrize("given", ["A, B", "F", "0.3", "50%", "B or C", "25% or 50%"])
def test_an_answer_that_is_not_the_right_option_alone_is_not_right(given: str) -> None:
    assert is_solved(f"ANSWER: {given}", question("25%", PERCENT, (1,))) is False


def test_each_of_equal_right_options_counts_and_all_of_several() -> None:
    twice = question("5", ("5", "6", "5"), (0, 2))
    assert [is_solved(f"ANSWER: {given}", twice) for given in ("A", "C", "5", "A and C", "B")] == [True] * 4 + [False]


def test_an_option_that_is_a_list_of_letters_is_compared_as_text() -> None:
    orders = ("A, B, C", "C, B, A", "B, A, C")
    assert is_solved("ANSWER: C, B, A", question("C, B, A", orders, (1,))) is True
    assert is_solved("ANSWER: A, B, C", question("C, B, A", orders, (1,))) is False


def test_a_number_near_two_options_names_none() -> None:
    near = question("1.00 m", ("1.00 m", "1.005 m"), (0,))
    assert is_solved("ANSWER: 1.002 m", near) is False
    assert is_solved("ANSWER: 1.00 m", near) is True


@pytest.mark.parametrize(
    "text",
    [
        "",
        "B",
        "The answer might be B.",
        "> ANSWER: B",
        "<think>ANSWER: B",
        "<<<item>>>\nANSWER: B\n<<<end item>>>",
        "ANSWER:",
    ],
)
def test_a_reply_without_an_answer_line_says_nothing(text: str) -> None:
    assert is_solved(text, question("25%", PERCENT, (1,))) is None


def test_an_answer_that_the_source_withholds_cannot_be_compared() -> None:
    assert is_solved("ANSWER: 5", question(None)) is None
    assert is_solved("ANSWER: CANNOT", question(None)) is False


def test_the_last_answer_counts() -> None:
    assert is_solved("ANSWER: A\nNo.\nANSWER:\nB", question("25%", PERCENT, (1,))) is True
    assert is_solved("ANSWER: B\nNo.\nANSWER: A", question("25%", PERCENT, (1,))) is False


@given(st.text(), st.sampled_from(["25%", "B", "CANNOT", "cannot be determined"]), st.text())
def test_a_reply_that_says_cannot_never_solves(before: str, right: str, after: str) -> None:
    for parent in (question(right), question(right, ("1", right), (1,))):
        assert not is_solved(f"{before}\nANSWER: CANNOT\n{after}", parent)
        assert not is_solved(f"I CANNOT tell, {before}\nANSWER: {right}\n{after}", parent)
    assert is_solved("ANSWER: cannot", question("cannot")) is False


@given(st.text(st.characters(exclude_categories=[])), st.text(st.characters(exclude_categories=[])))
def test_any_answer_can_be_compared_with_any(given: str, right: str) -> None:
    assert is_solved(f"ANSWER: {given}", question(right)) in (True, False, None)
    assert is_solved(f"ANSWER: {given}", question(right, (right, "other"), (0,))) in (True, False, None)


@given(st.integers(-(10**6), 10**6), st.integers(1, 10**4))
def test_another_whole_number_is_never_the_same(right: int, difference: int) -> None:
    assert is_solved(f"ANSWER: {right + difference} kg", question(f"{right} kg")) is False
    assert is_solved(f"ANSWER: {right:,} kg", question(f"{right} kg")) is True


def test_the_solver_sees_what_is_left_and_never_the_answer(bench: Bench) -> None:
    proposal = propose_blind_solve(without_picture(bench), bench.parent)
    assert len(proposal.parts) == 1
    assert "Its pictures: none." in str(proposal.parts[0])
    assert "<<<item>>>\nThe ladder is 5 m long.\n\nHow high does it reach?\n\nA. 3 m\nB. 4 m\n<<<end item>>>" in str(
        proposal.parts[0]
    )
    assert (proposal.role, proposal.prompt, proposal.reply) == (Role.VALIDATOR, "blind_missing_image@1", None)


def test_of_a_missing_instruction_the_solver_sees_the_pictures_alone(bench: Bench) -> None:
    proposal = propose_blind_solve(without_text(bench), bench.parent)
    before, picture, after = proposal.parts
    assert picture == bench.parent.pictures[0]
    assert "ladder" not in f"{before}{after}"
    assert str(after).splitlines()[-1] == "ANSWER: CANNOT"
    assert proposal.prompt == "blind_missing_instruction@1"


def test_only_a_single_missing_modality_is_solved_blind(bench: Bench) -> None:
    gone, silent = without_picture(bench), without_text(bench)
    dual = silent.model_copy(
        update={"flaws": (*silent.flaws, gone.flaws[0].model_copy(update={"subtype": Subtype.MISMATCH}))}
    )
    assert needs_blind_solve(gone)
    assert needs_blind_solve(silent)
    assert not needs_blind_solve(dual)
    assert not needs_blind_solve(bench.degrade(500))


@pytest.mark.parametrize(
    ("status", "text", "reason"),
    [
        (AnswerStatus.OK, "ANSWER: B", DropReason.SOLVABLE_BLIND),
        (AnswerStatus.OK, "ANSWER: 4 m", DropReason.SOLVABLE_BLIND),
        (AnswerStatus.OK, "ANSWER: A", None),
        (AnswerStatus.OK, "ANSWER: CANNOT", None),
        (AnswerStatus.OK, "No idea.", None),
        (AnswerStatus.TRUNCATED, "ANSWER: B", None),
        (AnswerStatus.FAILED, "", None),
    ],
)
def test_only_the_right_answer_drops(bench: Bench, status: AnswerStatus, text: str, reason: DropReason | None) -> None:
    candidate = without_picture(bench)
    decision = decide_blind(candidate, Answer(status, text, "openai:gpt", "openai", "cal_1"), bench.parent)
    assert (decision.stage, decision.decided_by, decision.item) == (Stage.PANEL, "blind@1", candidate.id)
    assert decision.reason == reason
    assert decision.keep is (reason is None)
    assert decision.evidence.startswith("openai:gpt")
