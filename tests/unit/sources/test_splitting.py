import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.base import Quarantined, SourceItem
from sources.sentences import split_sentences
from sources.splitting import split_question
from sources.texts import tidy, unwrap_prose


def _without_blanks(text: str | None) -> str:
    return re.sub(r"\s", "", text or "")


@pytest.mark.parametrize(
    ("context", "query"),
    [
        ("All vehicles drive straight (see diagram).", "How many must move?\n<image 1>"),
        ("A tin is $15 \\mathrm{~cm}$ high.", "Find its radius. Give your answer in cm."),
        ("Let $T=7$.", "If $x = T.5$, compute $x^2$."),
        ("Two balls are drawn.", "Is it possible that the ratio is greater than $1.9 ?$"),
        (
            "Four circles are shown.  Their centers form a square.",
            "The area of the shaded region is closest to\n\n<image 1>",
        ),
        (None, "What time is shown? Answer by typing a word. It is (_) past six."),
        (None, "<image 1> of Louis Black was painted by which artist?"),
        ("<image 1>A beam passes from medium 1 to 2.", "What may be concluded?"),
        ("British Empire, 1919 <image 1>", "Which of the following explains the map?"),
        ("The field is shown in Fig. 3. It is constant.", "Determine its strength, e.g. in T."),
        ("It weighs 2.5 kg at t = 0.", "What is its weight at t = 1?"),
        ("We see the graph of the function\n$$\nf(x)=x.\n$$", "What is the value of $b$?"),
        ("A set is good if:\n\n(i) it is open;\n\n(ii) it is bounded.", "Determine all good sets."),
        ("He walks on.", "What is his distance? Justify your answer."),
        ("It does not move. The cart needs 14.2 ft /sec.", "Determine the velocity."),
        ("| a | b |\n| :--- | :--- |\n| Is it? | 2 |", "Compute the sum."),
        ("Heat is lost at 750 K.The air leaves at 100 kPa.", "Find the efficiencies"),
        ("They form a pattern.", "Choose the figure that goes on."),
        ("某企业随机抽取30人.得到散点图(如图).\n\n<image 1>", "写出 a 的所有可能取值.(结论不要求证明)"),
        ("有一电流表G，内阻$R_g$。", "应串联一个多大的电阻？改装后内阻是多大？"),
        ("忽略温度的变化。", "为使气压回到安全范围，求气泵工作的时间范围。"),
        ("如图，在△ABC中，AB＝AC，∠CAB＝40°，", "则∠D的度数是（）"),
        ("经过一段时间后，两列波相遇。\n\n<image 1>", "求出图示范围内振幅最大的位置。"),
        (None, "《蒙娜丽莎》的作者是谁？"),
    ],
)
def test_a_question_is_cut_where_it_begins_to_ask(context: str | None, query: str) -> None:
    separator = "\n" if context and context[-1] in "|>$" else "" if context and context[-1] == "，" else " "
    split = split_question(f"{context}{separator}{query}" if context else query)
    assert (split.context, split.query) == (context, query)


def test_the_context_of_the_source_comes_first() -> None:
    split = split_question("It falls. How fast is it?", "- $g=9.8$")
    assert split.context == "- $g=9.8$\n\nIt falls."
    assert split.query == "How fast is it?"


def test_a_row_without_text_has_no_query() -> None:
    assert split_question(None) == (None, None)


@pytest.mark.parametrize(
    "text",
    [
        "See $a.B$ and $x ? y$ there. Next.",
        "Let \\(f(x) = 1. Then\\) hold. Next.",
        "A block\n$$\nx = 1. \\quad Y = 2.\n$$\nends. Next.",
    ],
    ids=["dollars", "brackets", "display"],
)
def test_no_formula_is_cut(text: str) -> None:
    assert split_sentences(text)[-1] == "Next."
    assert len(split_sentences(text)) == 2


_PIECES = st.sampled_from(
    [
        "A ball",
        " falls. ",
        "Find ",
        "$x.Y$",
        "?",
        "\n\n",
        "<image 1>",
        "[image2]",
        "求",
        "速度。",
        "，",
        "1.5",
        "(a)",
        "Fig. 2",
    ]
)


@given(st.one_of(st.lists(_PIECES, min_size=1).map("".join), st.text(min_size=1)))
def test_context_and_query_hold_all_the_text_in_order(text: str) -> None:
    question = tidy(text)
    split = split_question(question)
    assert _without_blanks(split.context) + _without_blanks(split.query) == _without_blanks(question)
    assert question is None or split.query


@given(st.one_of(st.lists(_PIECES, min_size=1).map("".join), st.text()))
def test_the_sentences_joined_are_the_text(text: str) -> None:
    assert "".join(split_sentences(text)) == text


@pytest.mark.parametrize("name", ["olympiadbench", "emma", "mmmu_pro", "mathvista", "math_vision"])
def test_no_real_question_loses_a_word(name: str, shared: Path) -> None:
    for file in (shared / "sources" / name).glob("records*.jsonl"):
        for line in file.read_text(encoding="utf-8").splitlines():
            question = tidy(json.loads(line).get("question"))
            split = split_question(unwrap_prose(question) if question else None)
            assert _without_blanks(f"{split.context or ''}{split.query or ''}").replace("$", "") == _without_blanks(
                question
            ).replace("$", "")


@pytest.mark.parametrize(
    ("name", "source_id", "query"),
    [
        ("math_vision", "33", "Which animal does the ant [image1] get to"),
        ("emma", "Math_121", "In which order does Anna use the two machines"),
        ("mathvista", "725", "(a) If Alex measures"),
        ("olympiadbench", "7374", "为使气压回到安全范围"),
        ("olympiadbench", "2861", "Compute the 3 -signature for 52341."),
    ],
)
def test_real_questions_are_cut_where_a_person_would(
    name: str, source_id: str, query: str, real_items: Callable[[str], list[SourceItem | Quarantined]]
) -> None:
    samples = [item.sample for item in real_items(name) if isinstance(item, SourceItem)]
    [sample] = [sample for sample in samples if sample.source_id == source_id]
    assert (sample.query or "").startswith(query)
