"""Known cases of statements turned against their picture, and what is refused for want of evidence."""

import re

import numpy as np
import pytest

from core.records import Language, Picture, Sample, Subject, TextEdit, TextPart
from core.seeding import stream
from injectors.base import Injection, InjectionContext, Rejection, RejectionReason
from injectors.cross_modal_contradiction import CROSS_MODAL_CONTRADICTION
from starter.figures.catalogue import PICTURES


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
    return CROSS_MODAL_CONTRADICTION.apply(
        sample, InjectionContext(stream(seed, "known case"), lambda picture: np.zeros(0, np.uint8))
    )


def made(sample: Sample, seed: int = 1) -> tuple[str | None, str | None]:
    result = apply(sample, seed)
    assert isinstance(result, Injection)
    return result.candidate.context, result.candidate.query


@pytest.mark.parametrize(
    ("context", "query", "old", "new"),
    [
        pytest.param(
            "Shown below are five cities. Each city has a road to each other.",
            "How many roads?",
            "five",
            {"six", "seven", "eight"},
            id="count",
        ),
        pytest.param("As shown, a $4 \\times 6$ grid is cut.", "How often?", "4", {"5", "7"}, id="grid"),
        pytest.param("As shown, $L$-shaped pieces are laid.", "How many?", "L", {"T"}, id="letter shape"),
        pytest.param(
            "The graph above shows the velocity versus time.",
            "When?",
            "velocity versus time",
            {"temperature versus time"},
            id="axis",
        ),
        pytest.param("As shown, $DE$ is parallel to $BF$.", "Why?", "parallel", {"perpendicular"}, id="lines"),
        pytest.param(
            "The disc in <image 1> turns clockwise.",
            "Where is the disc now?",
            "clockwise",
            {"counterclockwise"},
            id="turn",
        ),
        pytest.param("如图，在△ABC中，∠CAB＝40°，", "求∠B。", "40", {"140", "135", "130"}, id="chinese angle"),
        pytest.param("如图，在△ABC中，D是AB的中点，", "求CD的长。", "B的", {"C的"}, id="chinese midpoint"),
        pytest.param("如图，R1 和 R2 串联。", "求电流。", "串联", {"并联"}, id="chinese circuit"),
        pytest.param(
            "图中有四个圆点，", "每个圆点上有两条线，共有多少条线与圆点相连？", "四", {"五", "六"}, id="chinese count"
        ),
    ],
)
def test_what_the_picture_shows_is_said_to_be_otherwise(context: str, query: str, old: str, new: set[str]) -> None:
    expected = {(context.replace(old, one), query) for one in new}
    results = {made(make_sample(context, query), seed) for seed in range(30)}
    assert results == expected


def test_every_mention_changes_in_both_parts() -> None:
    sample = make_sample("Two of the 5 ladybirds shown are friends. A ladybird waits.", "How many ladybirds fly?")
    texts = {made(sample, seed) for seed in range(20)}
    assert ("Two of the 5 snails shown are friends. A snail waits.", "How many snails fly?") in texts
    assert all("ladybird" in f"{text}" or "snail" in f"{text}" for text in texts)
    assert not any("ladybird" in f"{text}" and "snail" in f"{text}" for text in texts)


def test_an_article_follows_its_new_word() -> None:
    contexts = {
        made(make_sample("A red lamp and a blue lamp are in <image 1>.", "How bright is the red lamp?"), seed)[0]
        for seed in range(30)
    }
    assert contexts == {
        "A pink lamp and a blue lamp are in <image 1>.",
        "A turquoise lamp and a blue lamp are in <image 1>.",
    }  # fmt: skip


def test_the_record_names_both_words() -> None:
    result = apply(make_sample("As shown, $DE$ is parallel to $BF$.", "Why?", ("yes", "no")))
    assert isinstance(result, Injection)
    flaw = result.candidate.flaws[0]
    assert flaw.edits == (TextEdit(part=TextPart.CONTEXT, start=18, before="parallel", after="perpendicular"),)
    assert flaw.explanation == (
        'The text now says "perpendicular to". The source text, which agrees with the picture, said "parallel to". The '
        "answer depends on how the two lines lie, and text and picture cannot both be right about it, so it cannot be "
        "settled."
    )
    assert result.candidate.options == ("yes", "no")


@pytest.mark.parametrize(
    ("context", "query", "expected"),
    [
        pytest.param(
            "The red line in <image 1> shows the rain and the blue line shows the wind.", "How much rain falls?",
            {"The X line in <image 1> shows the rain and the blue line shows the wind."},
            id="legend, the entry that is asked for",
        ),
        pytest.param(
            "In <image 1> red balls stand for oxygen and blue balls stand for iron.", "What is its mass?",
            {
                "In <image 1> X balls stand for oxygen and blue balls stand for iron.",
                "In <image 1> red balls stand for oxygen and X balls stand for iron.",
            },
            id="legend, every entry",
        ),
        pytest.param(
            "The triangle ABC in <image 1> has a right angle at B.", "How large is it?",
            {"The triangle ABC in <image 1> has a right angle at C."}, id="right angle",
        ),
        pytest.param(
            "图中OC 垂直于 AB，垂足为 C。", "求OC的长。", {"图中OC 平行于 AB。"}, id="chinese lines",
        ),
    ],
)  # fmt: skip
def test_what_the_answer_depends_on_changes(context: str, query: str, expected: set[str]) -> None:
    contexts = {made(make_sample(context, query), seed)[0] or "" for seed in range(40)}
    assert {re.sub("pink|turquoise", "X", text) for text in contexts} == expected


def test_no_picture_of_the_starter_set_has_a_colour_that_is_put_in() -> None:
    assert not re.search("pink|turquoise", repr(PICTURES))


NOTHING = RejectionReason.NOTHING_TO_CHANGE


@pytest.mark.parametrize(
    ("context", "query", "options", "pictures", "reason"),
    [
        pytest.param("A red lamp is shown.", "Does it glow?", (), 0, RejectionReason.NO_PICTURE, id="no picture"),
        pytest.param(
            "A red lamp glows.", "How hot?", (), 1, RejectionReason.TEXT_DOES_NOT_NEED_PICTURE, id="no evidence"
        ),
        pytest.param("Its colour is red, as shown.", "Which?", ("red", "blue"), 1, NOTHING, id="an option names it"),
        pytest.param(
            "Two stations at points $A$ and $B$ are shown.", "How far?", (), 1, NOTHING, id="named one by one"
        ),
        pytest.param(
            "The five parties are shown. All the members of the large party vote.",
            "How many votes are needed?",
            (),
            1,
            NOTHING,
            id="what is told of some of the members",
        ),
        pytest.param("Four charges at the corners of a square are shown.", "Sum?", (), 1, NOTHING, id="bound number"),
        pytest.param("The picture on the right is shown.", "Sum?", (), 1, NOTHING, id="place of the picture on a page"),
        pytest.param(
            "A brown crate on a green ramp is shown.", "How heavy is the crate?", (), 1, NOTHING, id="decoration"
        ),
        pytest.param("The red line in <image 1> shows its speed.", "How far?", (), 1, NOTHING, id="only one line"),
        pytest.param("The line chart shows its sales.", "How many in May?", (), 1, NOTHING, id="kind of chart"),
        pytest.param(
            "The table in <image 1> lists five metals.", "Which metal is it?", (), 1, NOTHING, id="choice of one"
        ),
        pytest.param("The map shows four towns.", "How many hours?", (), 1, NOTHING, id="count that is not asked for"),
        pytest.param(
            "A bug in the lattice shown walks.", "How many paths?", (), 1, NOTHING, id="animal not asked about"
        ),
        pytest.param(
            "The letter F in <image 1> is turned clockwise.", "Where is F?", (), 1, NOTHING, id="an operation"
        ),
        pytest.param("图中央有一个蓝色的液泡。", "哪个字母表示叶绿体？", (), 1, NOTHING, id="chinese decoration"),
        pytest.param("Louis Black is shown.", "Who painted it?", (), 1, NOTHING, id="a name, no colour"),
        pytest.param("如图，配重的质量为m。", "求m。", (), 1, NOTHING, id="chinese, nothing safe"),
    ],
)
def test_what_cannot_be_turned_round_safely_is_refused(
    context: str, query: str, options: tuple[str, ...], pictures: int, reason: RejectionReason
) -> None:
    result = apply(make_sample(context, query, options, pictures))
    assert isinstance(result, Rejection)
    assert result.reason is reason
