"""Known cases of requests that name no goal, and what is refused because the goal shows elsewhere."""

import numpy as np
import pytest

from core.records import Language, Picture, Sample, Subject, TextEdit, TextPart, TextRemoval
from core.seeding import stream
from injectors.base import Injection, InjectionContext, Rejection, RejectionReason
from injectors.unclear_intent import UNCLEAR_INTENT


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
    return UNCLEAR_INTENT.apply(
        sample, InjectionContext(stream(seed, "known case"), lambda picture: np.zeros(0, np.uint8))
    )


def made(sample: Sample, seed: int = 1) -> tuple[str | None, str | None]:
    result = apply(sample, seed)
    assert isinstance(result, Injection)
    return result.candidate.context, result.candidate.query


GIVEN = "Given $AB=3$ and $AC=4$."


@pytest.mark.parametrize(
    ("context", "query", "cut"),
    [
        pytest.param(GIVEN, "What is the length of $BC$?\n<image 1>", "What is the\n<image 1>", id="english"),
        pytest.param(None, f"{GIVEN} Find the length of $BC$.", f"{GIVEN} Find the", id="in one part"),
        pytest.param("物块的质量为2 kg。", "求物块的加速度。", "求", id="chinese"),
        pytest.param(None, "若AB＝3，则BC的长为（）", "若AB＝3，则", id="chinese blank"),
        pytest.param("$已知函数f(x).$", "$试求m的范围.$", "$试求$", id="dollar signs stay in pairs"),
    ],
)
def test_a_request_is_cut_before_its_object_or_replaced(context: str | None, query: str, cut: str) -> None:
    sample = make_sample(context, query)
    results = {made(sample, seed) for seed in range(12)}
    assert {result[0] for result in results} == {context}
    assert (context, cut) in results
    assert len(results) > 3


def test_no_request_is_cut_after_all_where_a_premise_speaks_of_all() -> None:
    sample = make_sample("Consider all polynomials $P(x)$.", "Determine all values of $P(0)$.")
    assert not [query for seed in range(20) if (query := made(sample, seed)[1]) == "Determine all"]


def test_picture_tokens_among_the_words_of_a_request_stay() -> None:
    sample = make_sample("The machine prints and turns.", "What happens from <image 1> to <image 2>?", pictures=2)
    assert made(sample, 3)[1] in {f"{words} <image 1> <image 2>" for words in ENGLISH_REQUESTS}


ENGLISH_REQUESTS = (
    "Please handle this.", "Please deal with this as needed.", "Do what is needed here.", "Please take care of this.",
    "Please proceed with this.", "Work on this and report back.",
)  # fmt: skip


def test_a_request_inside_a_sentence_goes_on_with_a_small_letter() -> None:
    query = made(make_sample(None, "If $AB=AC$, by how much does it move?"))[1]
    assert query is not None
    assert query.startswith("If $AB=AC$, please ")


def test_options_go_because_they_tell_what_is_asked() -> None:
    result = apply(make_sample(GIVEN, "How long is it?", ("5 cm", "6 cm")))
    assert isinstance(result, Injection)
    edits = result.candidate.flaws[0].edits
    assert result.candidate.options == ()
    assert edits[1:] == (TextRemoval(part=TextPart.OPTIONS),)
    assert isinstance(edits[0], TextEdit)
    assert (edits[0].part, edits[0].start, edits[0].before) == (TextPart.QUERY, 0, "How long is it?")
    assert "How long is it?" in result.candidate.flaws[0].explanation


@pytest.mark.parametrize(
    ("context", "query", "options", "pictures", "reason"),
    [
        pytest.param(None, "Compute $15!$.", (), 0, RejectionReason.NO_CONTEXT, id="nothing is left"),
        pytest.param("A cube.", "Which is it?", ("A", "B"), 1, RejectionReason.NOTHING_TO_CHANGE, id="drawn options"),
        pytest.param(
            "A cube.", "Which is it?", ("<image 1>",), 1, RejectionReason.NOTHING_TO_CHANGE, id="pictures as options"
        ),
        pytest.param(
            None, "What is the value of $x$?", (), 1, RejectionReason.NOTHING_TO_CHANGE, id="the picture has the letter"
        ),
        pytest.param(
            "She asks him to plot pairs.", "How?", (), 1, RejectionReason.NOTHING_TO_CHANGE, id="a task is told"
        ),
        pytest.param(
            "He wants to leave.", "Where is it?", (), 1, RejectionReason.NOTHING_TO_CHANGE, id="the goal is told"
        ),
        pytest.param(
            None, "Which number is missing?", (), 1, RejectionReason.NOTHING_TO_CHANGE, id="the picture tells"
        ),
        pytest.param(
            "为使气压回到正常，", "求时间。", (), 1, RejectionReason.NOTHING_TO_CHANGE, id="chinese goal is told"
        ),
    ],
)
def test_a_goal_that_shows_elsewhere_is_refused(
    context: str | None, query: str, options: tuple[str, ...], pictures: int, reason: RejectionReason
) -> None:
    result = apply(make_sample(context, query, options, pictures))
    assert isinstance(result, Rejection)
    assert result.reason is reason
