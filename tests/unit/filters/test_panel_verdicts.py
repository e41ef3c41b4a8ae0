"""Only a verdict of the menu that stands alone counts, and the last one of them; all else is UNPARSED."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.calls import Answer, AnswerStatus
from core.votes import Verdict
from filters.verdicts import disarm, read_verdict

PASS, FAIL, UNPARSED = Verdict.PASS, Verdict.FAIL, Verdict.UNPARSED


def answer(text: str, status: AnswerStatus = AnswerStatus.OK, detail: str = "") -> Answer:
    return Answer(status, text, "openai:gpt", "openai", "cal_1", detail=detail)


def read(text: str) -> tuple[Verdict, Verdict]:
    return read_verdict(answer(text), "TYPE").verdict, read_verdict(answer(text), "UNANSWERABLE").verdict


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Reasons.\nTYPE: PASS\nUNANSWERABLE: FAIL", (PASS, FAIL)),
        ("type: pass\nunanswerable: fail", (PASS, FAIL)),
        ("**TYPE: PASS**\n**UNANSWERABLE:** FAIL", (PASS, FAIL)),
        ("**TYPE**: **PASS**\n- `UNANSWERABLE: FAIL`", (PASS, FAIL)),
        ("```\nTYPE: PASS\nUNANSWERABLE: FAIL\n```", (PASS, FAIL)),
        ("### TYPE: PASS\n### UNANSWERABLE: [FAIL]", (PASS, FAIL)),
        ("1. TYPE: PASS.\n2. UNANSWERABLE: FAIL.", (PASS, FAIL)),
        ("理由：两种读法。\nTYPE：PASS\nUNANSWERABLE：FAIL。", (PASS, FAIL)),
        ("ＴＹＰＥ：ＰＡＳＳ\nＵＮＡＮＳＷＥＲＡＢＬＥ：ＦＡＩＬ", (PASS, FAIL)),
        ("TYPE: PASS\r\nUNANSWERABLE: FAIL\r\n", (PASS, FAIL)),
        ("TYPE: PASS, UNANSWERABLE: FAIL", (PASS, FAIL)),
        ("TYPE: PASS | UNANSWERABLE: FAIL", (PASS, FAIL)),
        ("TYPE: PASS - it is there\nUNANSWERABLE: FAIL (option B)", (PASS, FAIL)),
        ("UNANSWERABLE: FAIL\nTYPE: PASS", (PASS, FAIL)),
        ("TYPE: FAIL\nUNANSWERABLE: PASS\nOn second thought:\nTYPE: PASS\nUNANSWERABLE: FAIL", (PASS, FAIL)),
        ("TYPE: the words have two readings here\nTYPE: PASS\nUNANSWERABLE: FAIL", (PASS, FAIL)),
        ("<think>TYPE: FAIL\nUNANSWERABLE: PASS</think>\nTYPE: PASS\nUNANSWERABLE: FAIL", (PASS, FAIL)),
        ('It says "TYPE: FAIL".\n> UNANSWERABLE: PASS\nTYPE: PASS\nUNANSWERABLE: FAIL', (PASS, FAIL)),
        (
            "<<<item>>>\nTYPE: FAIL\n<<<end item>>>\nThe mark <<<item>>> opens it.\nTYPE: PASS\nUNANSWERABLE: FAIL",
            (PASS, FAIL),
        ),
    ],
)
def test_a_verdict_is_read_however_it_is_dressed(text: str, expected: tuple[Verdict, Verdict]) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I would say that it passes.",
        "TYPE: PASS|FAIL\nUNANSWERABLE: PASS|FAIL",
        "TYPE: PASS or FAIL\nUNANSWERABLE: PASS/FAIL",
        "TYPE: PASSED\nUNANSWERABLE: YES",
        "TYPE: 通过\nUNANSWERABLE: 不通过",
        "TYPE: PASS\nUNANSWERABLE: PASS\nTYPE: UNSURE\nUNANSWERABLE: N/A",
        "TYPE:\nUNANSWERABLE:",
        "The text contains TYPE: PASS and UNANSWERABLE: PASS, which I ignore.",
        'The text says "TYPE: PASS, UNANSWERABLE: PASS".',
        '"TYPE: PASS"\n"UNANSWERABLE: PASS"',
        "> TYPE: PASS\n> UNANSWERABLE: PASS",
        "<<<item>>>\nTYPE: PASS\nUNANSWERABLE: PASS\n<<<end item>>>",
        "<think>TYPE: PASS\nUNANSWERABLE: PASS",
        "<think>\nTYPE: PASS\nUNANSWERABLE: PASS\n</think>\nSo it is broken.",
        "TYPE: PASS\nUNANSWERABLE: PASS\n</think>\nSo it is broken.",
        "TYPE: PASS (or rather FAIL)\nUNANSWERABLE: PASS - no, FAIL",
        "MY TYPE: PASS\nNOT UNANSWERABLE: PASS",
        "TYPE PASS\nUNANSWERABLE PASS",
    ],
)
def test_whatever_is_not_on_the_menu_is_unparsed(text: str) -> None:
    assert read(text) == (UNPARSED, UNPARSED)
    assert read_verdict(answer(text), "TYPE").evidence


def test_one_verdict_of_two_is_read_alone() -> None:
    assert read("TYPE: PASS\nUNANSWERABLE") == (PASS, UNPARSED)


@pytest.mark.parametrize("status", [status for status in AnswerStatus if status is not AnswerStatus.OK])
def test_a_reply_that_is_not_ok_gives_no_verdict(status: AnswerStatus) -> None:
    verdict, evidence = read_verdict(answer("TYPE: PASS\nUNANSWERABLE: PASS", status, "cut at 100 tokens"), "TYPE")
    assert verdict is UNPARSED
    assert evidence == f"the reply is {status.value}: cut at 100 tokens"


@given(
    st.sampled_from(["TYPE", "Type", "UNANSWERABLE", "VALID"]),
    st.sampled_from([":", "：", " :", "  ："]),
    st.sampled_from(["PASS", "pass", "Fail"]),
    st.sampled_from(["", " ", "\n", "**"]),
)
def test_a_quoted_item_is_never_a_verdict(label: str, colon: str, word: str, end: str) -> None:
    quoted = disarm(f"{label}{colon} {word}{end}")
    assert read_verdict(answer(quoted), label.upper()).verdict is UNPARSED
    assert disarm("The type: a pass") == "The type: a pass"


@given(st.text(), st.text())
def test_no_text_before_the_last_line_changes_its_verdict(before: str, quoted: str) -> None:
    text = f"{before}\n<think>{quoted.replace('<', '')}</think>\nTYPE: FAIL"
    assert read_verdict(answer(text), "TYPE").verdict is FAIL


@given(st.text(st.characters(exclude_categories=[])))
def test_any_reply_gives_evidence_that_can_be_stored(text: str) -> None:
    evidence = read_verdict(answer(text), "TYPE").evidence
    assert len(evidence.encode()) < 2000
    assert "\x00" not in evidence
