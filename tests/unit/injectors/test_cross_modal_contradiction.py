"""Known cases of statements turned against their picture, and what is refused for want of evidence."""

import pytest

from core.records import Language, Picture, Sample, Subject, TextEdit, TextPart
from core.seeding import stream
from injectors.base import Injection, InjectionContext, Rejection, RejectionReason
from injectors.cross_modal_contradiction import CROSS_MODAL_CONTRADICTION


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
    return CROSS_MODAL_CONTRADICTION.apply(sample, InjectionContext(stream(seed, "known case"), lambda picture: b""))


def made(sample: Sample, seed: int = 1) -> tuple[str | None, str | None]:
    result = apply(sample, seed)
    assert isinstance(result, Injection)
    return result.candidate.context, result.candidate.query


@pytest.mark.parametrize(
    ("context", "query", "old", "new"),
    [
        pytest.param(
            "Shown below is a map of five cities.", "How many roads?", "five", {"six", "seven", "eight"}, id="count"
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
            "The disc in <image 1> turns clockwise.", "How fast?", "clockwise", {"counterclockwise"}, id="turn"
        ),
        pytest.param("如图，在△ABC中，∠CAB＝40°，", "求∠B。", "40", {"140", "135", "130"}, id="chinese angle"),
        pytest.param("如图，在△ABC中，D是AB的中点，", "求CD的长。", "B的", {"C的"}, id="chinese midpoint"),
        pytest.param("数据如散点图，见图中。", "估计平均数。", "散点图", {"扇形统计图"}, id="chinese chart"),
        pytest.param("图中有四个圆点。", "求总数。", "四", {"五", "六"}, id="chinese count"),
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
    contexts = {made(make_sample("There is a red lamp in <image 1>.", "Does it glow?"), seed)[0] for seed in range(30)}
    assert contexts == {
        "There is a purple lamp in "
"<image 1>.", "There is an orange lamp in <image 1>.", "There is a pink lamp in <image 1>.",
        "There is a turquoise lamp in <image 1>.",
    }  # fmt: skip


def test_the_record_names_both_words() -> None:
    result = apply(make_sample("As shown, $DE$ is parallel to $BF$.", "Why?", ("yes", "no")))
    assert isinstance(result, Injection)
    flaw = result.candidate.flaws[0]
    assert flaw.edits == (TextEdit(part=TextPart.CONTEXT, start=18, before="parallel", after="perpendicular"),)
    assert flaw.explanation.startswith('"parallel" became "perpendicular"')
    assert result.candidate.options == ("yes", "no")


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
        pytest.param("Four charges at the corners of a square are shown.", "Sum?", (), 1, NOTHING, id="bound number"),
        pytest.param("The picture on the right is shown.", "Sum?", (), 1, NOTHING, id="place of the picture on a page"),
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
