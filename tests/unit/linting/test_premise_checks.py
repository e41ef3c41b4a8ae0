"""A premise that says no, one that is still there, and one that is missing."""

import pytest

from linting.findings import Finding, Kind, MissingPremiseFinding, PremiseFinding
from linting.premise_checks import check_premises, is_nothing, states
from linting.rows import LintRow


def _check(*rows: LintRow) -> dict[Kind, Finding]:
    return {finding.kind: finding for finding in check_premises("data", rows)}


@pytest.mark.parametrize(
    "text",
    [
        "No",
        "'No'",
        "NO.",
        "“no”",
        "None",
        "N/A",
        "No text",
        "There is no visible text in the image.",
        "no, it is not",
        "无",
    ],
)
def test_refusal_is_no_premise(text: str) -> None:
    assert is_nothing(text)


@pytest.mark.parametrize(
    "text",
    ["No Parking sign", "'No Smoking sign'", "no dogs on the beach", "nobody", "note", "none of the cups is full"],
)
def test_premise_with_no_in_it_is_one(text: str) -> None:
    assert not is_nothing(text)


@pytest.mark.parametrize(
    ("question", "premise"),
    [
        ("Two Cats sit on the mat, where?", "cat"),
        ("What is on the red-brick wall?", "'red brick wall'"),
        ("Is STOP! written there?", "stop"),
        ("The buses wait, why?", "bus"),
    ],
)
def test_premise_is_found_as_whole_words(question: str, premise: str) -> None:
    assert states(question, premise)


@pytest.mark.parametrize(
    ("question", "premise"), [("What is in the carpet?", "car"), ("Is it a scatter?", "cat"), ("?", "''")]
)
def test_parts_of_words_are_no_premise(question: str, premise: str) -> None:
    assert not states(question, premise)


def test_negative_that_states_its_premise_is_found() -> None:
    found = _check(
        LintRow("a", "data", "What colour is the cat?", False, premise="cat"),
        LintRow("b", "data", "What colour is the dog?", False, premise="cat"),
        LintRow("c", "data", "What colour is the category?", False, premise="cat"),
        LintRow("d", "data", "What colour is the cat?", True, premise="cat"),
        LintRow("e", "data", "What colour is it?", False, premise="Cat ", replacement="cat"),
        LintRow("f", "data", "No cat is here, why?", False, premise="No"),
    )
    unreplaced = found[Kind.PREMISE_NOT_REPLACED]
    assert unreplaced.ids == ("a", "e")
    assert isinstance(unreplaced, PremiseFinding)
    assert unreplaced.as_substring == 2
    assert found[Kind.NO_LEAK].ids == ("f",)


def test_refusal_as_a_replacement_is_found() -> None:
    assert (
        _check(LintRow("a", "data", "What is it?", False, premise="cat", replacement="None"))[Kind.NO_LEAK].count == 1
    )


def test_positive_without_its_premise_is_found_and_other_words_for_it_are_told_apart() -> None:
    finding = _check(
        LintRow("a", "data", "The cat sits, where?", True, premise="cat"),
        LintRow("b", "data", "The cat is sitting on a mat, why?", True, premise="cat sits on mat"),
        LintRow("c", "data", "The dog sleeps, where?", True, premise="cat"),
        LintRow("d", "data", "People walk, where?", True, premise="person"),
    )[Kind.PREMISE_MISSING_IN_POSITIVE]
    assert isinstance(finding, MissingPremiseFinding)
    assert finding.ids == ("b", "c", "d")
    assert (finding.positives, finding.words_missing) == (4, 1)
    assert finding.examples[0].id == "c"
    assert sorted(example.id for example in finding.examples) == ["b", "c", "d"]


def test_rows_without_premises_give_no_finding() -> None:
    assert _check(LintRow("a", "data", "What is it?", False), LintRow("b", "data", "What is it?", True)) == {}
