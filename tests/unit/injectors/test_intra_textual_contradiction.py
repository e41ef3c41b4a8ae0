"""Known cases of a second, other value, and what is refused because no value can be stated again."""

import pytest

from core.records import Language, Picture, Sample, Subject, TextEdit, TextPart
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
    return INTRA_TEXTUAL_CONTRADICTION.apply(sample, InjectionContext(stream(seed, "known case"), lambda picture: b""))


def made(sample: Sample, seed: int = 1) -> tuple[str | None, str | None]:
    result = apply(sample, seed)
    assert isinstance(result, Injection)
    return result.candidate.context, result.candidate.query


@pytest.mark.parametrize(
    ("context", "query", "statements"),
    [
        pytest.param(
            "The collision lasts for 14 ms.",
            "What is the force?",
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
            "Find the force.",
            {rf"$m={n} \mathrm{{~kg}}$" for n in (4, 6, 10, 12, 16)},
            id="formula",
        ),
        pytest.param(
            "There are eight lamps in a row.",
            "How many are on?",
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
    expected = {(context, f"{query} {opening} {statement}.") for opening in openings for statement in statements}
    results = {made(make_sample(context, query), seed) for seed in range(80)}
    assert results <= expected
    assert len(results) > len(expected) / 2


@pytest.mark.parametrize(
    ("context", "query", "statements"),
    [
        pytest.param(
            "物块静止，碰撞时间为4 s，", "求力的大小。", {f"碰撞时间为{n} s" for n in (2, 3, 5, 6, 8)}, id="clause"
        ),
        pytest.param(
            "质量为2 kg的物块在水平面上。", "求力的大小。", {f"物块的质量为{n} kg" for n in (3, 4)}, id="owner"
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


def test_the_second_statement_stands_before_the_picture_token_and_is_one_edit() -> None:
    result = apply(make_sample("The collision lasts for 14 ms.", "What is the force?\n<image 1>", ("1 N", "2 N")))
    assert isinstance(result, Injection)
    edit = result.candidate.flaws[0].edits[0]
    assert isinstance(edit, TextEdit)
    assert (edit.part, edit.start, edit.before) == (TextPart.QUERY, 18, "")
    assert result.candidate.query == f"What is the force?{edit.after}\n<image 1>"
    assert result.candidate.options == ("1 N", "2 N")
    assert len(result.candidate.flaws[0].edits) == 1
    assert 'first says "The collision lasts for 14 ms"' in result.candidate.flaws[0].explanation


def test_before_an_unfinished_request_the_statement_keeps_its_distance() -> None:
    text = "Four circles are drawn. They touch each other. The area of the region is"
    query = made(make_sample(None, text))[1]
    assert query is not None
    assert query.startswith("Four circles are drawn. They touch each other. ")
    assert query.endswith(" circles. The area of the region is")


@pytest.mark.parametrize(
    ("context", "query"),
    [
        pytest.param("A block slides.", "How fast is it?", id="no value"),
        pytest.param("Its radius is 3.", "The area of it is", id="no room before an unfinished request"),
        pytest.param("The war began in 1914.", "Who won?", id="year"),
        pytest.param("See Figure 3.", "Who won?", id="figure number"),
        pytest.param("For example, $d=18$.", "Find $d$.", id="example"),
        pytest.param("The room has a temperature of 22 °C.", "How far is it?", id="value without use"),
        pytest.param("例如，AB＝10。", "求CD的长。", id="chinese example"),
        pytest.param("气压范围为2.4～3.0 atm。", "求时间。", id="chinese range"),
    ],
)
def test_a_text_without_a_usable_value_is_refused(context: str, query: str) -> None:
    result = apply(make_sample(context, query))
    assert isinstance(result, Rejection)
    assert result.reason is RejectionReason.NOTHING_TO_CHANGE
