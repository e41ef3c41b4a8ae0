"""Known cases of vague referents, and what is refused because nothing else could be meant."""

import numpy as np
import pytest

from core.records import Language, Picture, Sample, Subject, TextEdit, TextPart, TextRemoval
from core.seeding import stream
from injectors.ambiguity import AMBIGUITY
from injectors.base import Injection, InjectionContext, Rejection, RejectionReason


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
    return AMBIGUITY.apply(sample, InjectionContext(stream(seed, "known case"), lambda picture: np.zeros(0, np.uint8)))


def made(sample: Sample, seed: int = 1) -> tuple[str | None, str | None]:
    result = apply(sample, seed)
    assert isinstance(result, Injection)
    return result.candidate.context, result.candidate.query


CIRCUIT = "The circuit in <image 1> has two resistors. Resistor R1 has 4 ohms and resistor R2 has 6 ohms."


@pytest.mark.parametrize(
    ("context", "query", "expected"),
    [
        pytest.param(
            CIRCUIT,
            "What is the current through resistor R2?",
            "What is the current through the resistor?",
            id="label",
        ),
        pytest.param(
            "A block and a ball slide down.",
            "What is the speed of the block?",
            "What is the speed of the object?",
            id="kind",
        ),
        pytest.param(
            "A blue cart and a red cart collide.", "How heavy is the red cart?", "How heavy is the cart?", id="contrast"
        ),
        pytest.param(
            "The blue wheel turns at 9 Hz. It drives a grey wheel and a red wheel.",
            "How fast does the red wheel turn?",
            "How fast does the other wheel turn?",
            id="one of three is known",
        ),
        pytest.param(
            r"In the triangle, $\angle ABF=41^{\circ}$ . $EF$ is parallel to $BD$.",
            "Find the length of $AE$.",
            "Find the length of the segment.",
            id="segment",
        ),
        pytest.param("Bars are drawn.", "Which bar is the tallest?", "Which bar stands out?", id="measure"),
        pytest.param(
            "Bars are drawn.", "How many bars have values smaller than 1?", "How many bars have low values?", id="bound"
        ),
        pytest.param(
            r"Let $P(k)$ be a probability.", "Calculate $P(10)$.", "Calculate the value of $P$.", id="argument"
        ),
        pytest.param(
            "Use the figure.",
            "Find the $x$ component of the force.",
            "Find the component of the force.",
            id="component",
        ),
        pytest.param("甲车和乙车同时出发。", "求甲车的速度。", "求该车的速度。", id="chinese label"),
        pytest.param("如图，△ABC中，AD垂直于BC", "则CD的长为（）", "则该线段的长为（）", id="chinese segment"),
        pytest.param("物块放在木板上。", "求物块的加速度。", "求该物体的加速度。", id="chinese kind"),
        pytest.param("袋中有红球和蓝球。", "红球有多少个？", "这种球有多少个？", id="chinese colour"),
        pytest.param("A 表示食品，B 表示住房。", "住房支出是多少元？", "该项支出是多少元？", id="chinese legend"),
        pytest.param("塔中有年龄段。", "该市 20 至 39 岁的人口是多少？", "该市年轻的人口是多少？", id="chinese ages"),
        pytest.param(
            "The hall was begun in 1629 and finished 28 years later.",
            "Who ruled when the hall was finished?",
            "Who ruled when the hall was built?",
            id="begun or finished",
        ),
        pytest.param("表中有四年的数据。", "哪一年的利润最高？", "哪一年的利润最特别？", id="chinese measure"),
    ],
)
def test_a_named_thing_gets_a_name_that_fits_several(context: str, query: str, expected: str) -> None:
    assert made(make_sample(context, query)) == (context, expected)


@pytest.mark.parametrize(
    ("context", "query", "options"),
    [
        pytest.param("A block slides down.", "What is the speed of the block?", (), id="one thing only"),
        pytest.param("Points A and B.", "How far is point A from point B?", (), id="both are named in the request"),
        pytest.param("The shaded region is small.", "How large is the shaded region?", (), id="the text says which"),
        pytest.param(CIRCUIT, "What is the current through resistor R2?", ("A", "B"), id="options are drawn"),
        pytest.param("A ball hits a wall.", "What is the average force?", (), id="a force has no median"),
        pytest.param("A line $P$ $Q$ is drawn.", "What is the value of $x$?", (), id="points have no value"),
        pytest.param(r"All polynomials $P(x)$.", "Find all values of $P(0)$.", (), id="all values can be told"),
        pytest.param("Let $f(1)=2$ and $f(n)=3 f(n-1)$.", "Find $f(4)$.", (), id="a value of the function is given"),
        pytest.param("A square is drawn.", "The area of the shaded region is", (), id="only one region is marked"),
        pytest.param("A hen lays white and brown eggs.", "How many brown eggs fit?", (), id="either kind will do"),
        pytest.param("Two triangles overlap.", "What is the area of the hexagon?", (), id="the named one is new"),
        pytest.param(
            "A packet goes from router A to the router F.", "What is the delay to router F?", (), id="an end is known"
        ),
        pytest.param("红线表示铜，蓝线表示铁。配成铜的溶液。", "析出的铜有多少？", (), id="chinese, spoken of last"),
        pytest.param("甲车出发。", "求甲车的速度。", (), id="chinese, one thing only"),
        pytest.param("正方形A和三角形B。", "最大正方形C的面积是多少？", (), id="chinese, label stays"),
    ],
)
def test_a_name_without_a_second_candidate_is_refused(context: str, query: str, options: tuple[str, ...]) -> None:
    result = apply(make_sample(context, query, options))
    assert isinstance(result, Rejection)
    assert result.reason is RejectionReason.NOTHING_TO_CHANGE


@pytest.mark.parametrize(
    ("context", "query"),
    [
        pytest.param("如图，AB＝10，△ABC中", "则CD的长为（）", id="segment"),
        pytest.param("OB平分一个角，∠A＝110°，", "则∠BOC＝（）", id="angle"),
        pytest.param("In the triangle, angle $A B C=80^{\\circ}$.", "Find angle $A B D$.", id="english angle"),
        pytest.param("A blue cart and a red cart. The blue cart has 2 kg.", "How heavy is the red cart?", id="cart"),
        pytest.param("红色方块标有 Q。蓝色方块的质量为 4 kg。", "红色方块的质量是多少？", id="chinese block"),
        pytest.param(
            "A student titrates the acid with a sodium hydroxide solution of 0.1 mol/l.",
            "What is the concentration of the acid?",
            id="the kind that is asked for",
        ),
    ],
)  # fmt: skip
def test_a_name_whose_other_candidates_have_their_value_in_the_text_is_refused(context: str, query: str) -> None:
    result = apply(make_sample(context, query))
    assert isinstance(result, Rejection)
    assert "value" in result.detail


def test_options_that_could_tell_which_one_is_meant_go() -> None:
    result = apply(make_sample(CIRCUIT, "What is the current through resistor R2?", ("1 A", "2 A")))
    assert isinstance(result, Injection)
    flaw = result.candidate.flaws[0]
    assert result.candidate.options == ()
    assert flaw.edits == (
        TextEdit(part=TextPart.QUERY, start=28, before="resistor R2", after="the resistor"),
        TextRemoval(part=TextPart.OPTIONS),
    )
    assert "resistor R2 or resistor R1" in flaw.explanation


@pytest.mark.parametrize(
    ("query", "options"),
    [
        pytest.param("Which bar is the tallest?", ("Bar A", "Bar B"), id="every reading has its option"),
        pytest.param("Does the red lamp glow?", ("Yes", "No"), id="yes and no fit every reading"),
    ],
)
def test_options_that_tell_nothing_stay(query: str, options: tuple[str, ...]) -> None:
    result = apply(make_sample("A red lamp and a blue lamp.", query, options))
    assert isinstance(result, Injection)
    assert result.candidate.options == options
