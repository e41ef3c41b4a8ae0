"""Known cases of requests that nobody can answer, and what is refused because nothing ties them to the item."""

import re

import numpy as np
import pytest

from core.records import Language, Picture, Sample, Subject, TextEdit, TextPart, TextRemoval
from core.seeding import stream
from injectors.base import Injection, InjectionContext, Rejection, RejectionReason
from injectors.beyond_capability import BEYOND_CAPABILITY


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
    return BEYOND_CAPABILITY.apply(
        sample, InjectionContext(stream(seed, "known case"), lambda picture: np.zeros(0, np.uint8))
    )


def made(sample: Sample, seed: int = 1) -> tuple[str | None, str | None]:
    result = apply(sample, seed)
    assert isinstance(result, Injection)
    return result.candidate.context, result.candidate.query


DATE = r"\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December) 20\d\d"
YEAR = r"20[5-9]\d"


@pytest.mark.parametrize(
    ("context", "query", "patterns"),
    [
        pytest.param(
            "Tom buys a chocolate heart.", "How heavy is it?",
            (rf"What will Tom be thinking of at noon on {DATE}\?", rf"How many people will Tom speak to on {DATE}\?",
             rf"What will Tom have for breakfast on {DATE}\?",
             rf"In which town will Tom live in the year {YEAR}\?"), id="person",
        ),
        pytest.param(
            "A snail walks along the wall.", "How far?",
            (rf"How many steps will the snail take on {DATE}\?", r"What did the snail dream of in the night before\?",
             r"At what hour of the day was the snail born\?",
             rf"Where exactly will the snail be at noon on {DATE}\?"), id="animal",
        ),
        pytest.param(
            "如图，灯泡与电源相连。", "求电流。",
            (r"题中的灯泡将在哪一天第一次损坏？", r"题中的灯泡是由哪家工厂的哪位工人装配的？",
             rf"{YEAR}年题中的灯泡一共会被使用多少次？"),
            id="chinese circuit",
        ),
    ],
)  # fmt: skip
def test_the_request_is_about_a_thing_of_the_text(context: str, query: str, patterns: tuple[str, ...]) -> None:
    seen: set[str] = set()
    for seed in range(60):
        kept, request = made(make_sample(context, query), seed)
        assert kept == context
        assert request is not None
        if ("Tom" in context and "Tom" not in request) or "wall" in request:
            continue
        matching = [pattern for pattern in patterns if re.fullmatch(pattern, request)]
        assert len(matching) == 1, request
        seen.update(matching)
    assert seen == set(patterns)


def test_a_text_without_things_is_about_its_formula() -> None:
    query = made(make_sample(None, "Find all $n$ for which $7^{k}-3^{n}$ is prime.", pictures=0))[1]
    assert query is not None
    assert "$7^{k}-3^{n}$" in query


def test_tokens_stay_and_options_go() -> None:
    result = apply(make_sample("A snail walks.", "How far?\n<image 1>", ("1 m", "2 m")))
    assert isinstance(result, Injection)
    edits = result.candidate.flaws[0].edits
    assert isinstance(edits[0], TextEdit)
    assert (edits[0].start, edits[0].before) == (0, "How far?")
    assert result.candidate.query == f"{edits[0].after}\n<image 1>"
    assert edits[1:] == (TextRemoval(part=TextPart.OPTIONS),)
    assert '"the snail"' in result.candidate.flaws[0].explanation
    assert edits[0].part is TextPart.QUERY


@pytest.mark.parametrize(
    ("context", "query", "options", "pictures"),
    [
        pytest.param(None, "Compute the sum of the divisors of 24.", (), 0, id="nothing to ask about"),
        pytest.param("A snail walks.", "Which is it?", ("<image 1>", "none"), 1, id="pictures as options"),
        pytest.param("Two snails and three dogs walk.", "Which is it?", (), 0, id="several of each"),
        pytest.param(None, "计算24的约数之和。", (), 0, id="chinese, nothing to ask about"),
    ],
)
def test_a_text_that_names_nothing_is_refused(
    context: str | None, query: str, options: tuple[str, ...], pictures: int
) -> None:
    result = apply(make_sample(context, query, options, pictures))
    assert isinstance(result, Rejection)
    assert result.reason is RejectionReason.NOTHING_TO_CHANGE


def test_a_request_inside_a_longer_sentence_is_refused() -> None:
    result = apply(make_sample("Tom buys a cake.", "When the cake is cut, how many pieces does Tom have?"))
    assert isinstance(result, Rejection)
    assert result.reason is RejectionReason.NOTHING_TO_CHANGE
