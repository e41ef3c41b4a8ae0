"""Known cases of a second, other value, and what is refused because no value can be stated again."""

import re

import numpy as np
import pytest

from core.records import Language, Picture, Sample, Subject, TextEdit
from core.seeding import stream
from injectors.base import Injection, InjectionContext, Rejection, RejectionReason
from injectors.intra_textual_contradiction import INTRA_TEXTUAL_CONTRADICTION


def make_sample(context: str | None, query: str, options: tuple[str, ...] = (), pictures: int = 1) -> Sample:
    shown = tuple(
        Picture(sha256=f"{index:064x}", media_type="image/png", width=9, height=9) for index in range(pictures)
    )
    language = Language.CHINESE if any("\u4e00" <= mark <= "\u9fff" for mark in query) else Language.ENGLISH
    return Sample(
        source="test", source_id="1", context=context, query=query, options=options, pictures=shown,
        subject=Subject.PHYSICS, language=language, licence="CC0-1.0", attribution="test",
    )  # fmt: skip


def apply(sample: Sample, seed: int = 1) -> Injection | Rejection:
    return INTRA_TEXTUAL_CONTRADICTION.apply(
        sample, InjectionContext(stream(seed, "known case"), lambda picture: np.zeros(0, np.uint8))
    )


def made(sample: Sample, seed: int = 1) -> tuple[str | None, str | None]:
    result = apply(sample, seed)
    assert isinstance(result, Injection)
    return result.candidate.context, result.candidate.query


@pytest.mark.parametrize(
    ("context", "query", "statements"),
    [
        pytest.param(
            "The collision lasts for 14 ms.",
            "What is the force in this collision?",
            {
                "the collision lasts for 7 ms",
                "the collision lasts for 10 ms",
                "the collision lasts for 18 ms",
                "the collision lasts for 21 ms",
                "the collision lasts for 28 ms",
            },
            id="sentence",
        ),
        pytest.param(
            r"A can of mass $m=8 \mathrm{~kg}$ slides.",
            "Find the force on the can.",
            {rf"$m={n} \mathrm{{~kg}}$" for n in (4, 6, 10, 12, 16)},
            id="formula",
        ),
        pytest.param(
            "There are eight lamps in a row.",
            "How many lamps are on?",
            {f"there are {n} lamps in a row" for n in ("nine", "ten", "eleven")},
            id="spelled",
        ),
        pytest.param(
            r"In it, $\angle ABF=41^{\circ}$.",
            "Find $x$.",
            {rf"$\angle ABF={n}^{{\circ}}$" for n in (11, 21, 61, 71)},
            id="angle",
        ),
    ],
)
def test_a_value_is_stated_again_with_another_number(context: str, query: str, statements: set[str]) -> None:
    openings = ("Note that", "It is given that", "It is known that")
    expected = {(context, f"{opening} {statement}. {query}") for opening in openings for statement in statements}
    results = {made(make_sample(context, query), seed) for seed in range(80)}
    assert results <= expected
    assert len(results) > len(expected) / 2


@pytest.mark.parametrize(
    ("context", "query", "statements"),
    [
        pytest.param(
            "物块静止，碰撞时间为4 s，",
            "求碰撞中力的大小。",
            {f"碰撞时间为{n} s" for n in (2, 3, 5, 6, 8)},
            id="clause",
        ),
        pytest.param(
            "质量为2 kg的物块在水平面上，", "求物块所受力的大小。", {f"物块的质量为{n} kg" for n in (3, 4)}, id="owner"
        ),
        pytest.param("若∠A＝110°，", "则∠BOC＝（）", {f"∠A＝{n}°" for n in (80, 90, 130, 140)}, id="angle"),
    ],
)
def test_a_chinese_value_is_stated_again(context: str, query: str, statements: set[str]) -> None:
    end = query if query.endswith("。") else f"{query}。"
    expected = {
        (context, end + opening.format(one))
        for one in statements
        for opening in ("已知{}。", "注意，{}。", "另外，{}。")
    }
    results = {made(make_sample(context, query), seed) for seed in range(80)}
    assert results <= expected
    assert len(results) > len(expected) / 2


@pytest.mark.parametrize(
    ("context", "query", "expected"),
    [
        pytest.param(
            "The cart has a mass of 2 kg. It rolls. It stops.\n<image 1>", "What is the force on the cart?",
            ("The cart has a mass of 2 kg. It rolls. It stops. [].\n<image 1>", "What is the force on the cart?"),
            id="end of the context, before a token",
        ),
        pytest.param(
            "A cart rolls. A wall is near. The cart has a mass of 2 kg.", "What is the force on the cart?",
            ("A cart rolls. []. A wall is near. The cart has a mass of 2 kg.", "What is the force on the cart?"),
            id="between two sentences before it",
        ),
        pytest.param(
            "A cart rolls. It is near. The cart has a mass of 2 kg.", "What is the force on the cart?",
            ("A cart rolls. It is near. The cart has a mass of 2 kg.", "[]. What is the force on the cart?"),
            id="no sentence that points back loses what it points to",
        ),
        pytest.param(
            "A wall is near. A road is wet. The cart has a mass of 2 kg.", "The force on the cart is\n<image 1>",
            ("A wall is near. A road is wet. The cart has a mass of 2 kg.", "[]. The force on the cart is\n<image 1>"),
            id="before the request",
        ),
        pytest.param(
            None, "The cart has a mass of 2 kg. It rolls. What is the force on the cart?\n<image 1>",
            (None, "The cart has a mass of 2 kg. It rolls. []. What is the force on the cart?\n<image 1>"),
            id="in the query, before the sentence that asks",
        ),
        pytest.param(
            "A cart rolls.", "If the cart has a mass of 2 kg, what is the force on the cart?\n<image 1>",
            ("A cart rolls. [].", "If the cart has a mass of 2 kg, what is the force on the cart?\n<image 1>"),
            id="first statement in the request",
        ),
        pytest.param(
            None, "Given $AB=2$, find $x$.\n<image 1>", (None, "Given $AB=2$, find $x$. [].\n<image 1>"),
            id="after the request",
        ),
    ],
)  # fmt: skip
def test_the_second_statement_stands_where_an_author_would_write_it(
    context: str | None, query: str, expected: tuple[str | None, str]
) -> None:
    result = apply(make_sample(context, query))
    assert isinstance(result, Injection)
    (edit,) = result.candidate.flaws[0].edits
    assert isinstance(edit, TextEdit)
    words = edit.after.strip().removesuffix(".")
    assert edit.before == ""
    made_texts = (result.candidate.context, result.candidate.query)
    assert tuple(text and text.replace(words, "[]") for text in made_texts) == expected


def test_the_record_tells_both_statements_in_the_order_of_the_text() -> None:
    result = apply(make_sample("A cart rolls.", "If the cart has a mass of 2 kg, what is the force on the cart?"))
    assert isinstance(result, Injection)
    assert re.match(
        r'The text first says "the cart has a mass of \d+ kg" and later "mass of 2 kg"\.',
        result.candidate.flaws[0].explanation,
    )


@pytest.mark.parametrize(
    ("context", "query"),
    [
        pytest.param("A block slides.", "How fast is it?", id="no value"),
        pytest.param("Its radius is 3.", "The area of it is", id="no room before an unfinished request"),
        pytest.param("The war began in 1914.", "Who won?", id="year"),
        pytest.param("See Figure 3.", "Who won?", id="figure number"),
        pytest.param("For example, $d=18$.", "Find $d$.", id="example"),
        pytest.param("The room has a temperature of 22 °C.", "How far is it?", id="kind of value without use"),
        pytest.param(
            "The acid has a mass of 2 kg. The room has a height of 3 m.", "What is the concentration?", id="no tie"
        ),
        pytest.param("The tram has a mass of 30 t.", "How far does the tram go?", id="mass for a distance"),
        pytest.param(
            "The patient has a mass of 70 kg.", "For how many hours does the drug work?", id="mass for a time"
        ),
        pytest.param("The rod has a length of 2 m.", "What is the largest force on the rod?", id="length for a force"),
        pytest.param("Each visit takes 5 ms.", "In which order does it visit the nodes?", id="asks for an order"),
        pytest.param("图中的细胞长为50 μm。", "细胞的哪个字母表示液泡？", id="chinese, asks for a letter"),
        pytest.param("There are eight lamps, as shown.", "How many lamps are on?", id="the picture shows how many"),
        pytest.param("Carbon has a molar mass of 12 g/mol.", "What is the mass of 2 mol of carbon?", id="constant"),
        pytest.param("The firm has 60 workers.", "How large is its profit?", id="count of what is not asked for"),
        pytest.param("例如，AB＝10。", "求CD的长。", id="chinese example"),
        pytest.param("气压范围为2.4～3.0 atm。", "求时间。", id="chinese range"),
    ],
)
def test_a_text_without_a_usable_value_is_refused(context: str, query: str) -> None:
    result = apply(make_sample(context, query))
    assert isinstance(result, Rejection)
    assert result.reason is RejectionReason.NOTHING_TO_CHANGE
