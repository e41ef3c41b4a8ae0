"""From a reply to a record: what fits, what is mended and what is refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.calls import AnswerStatus
from core.records import Record
from models.base import Parsed, Usage
from models.reading import Reading, read_reply


class Reply(Record):
    answer: str
    count: int
    more: tuple[str, ...] = ()


GOOD = '{"answer": "yes", "count": 2}'


def read(text: str, reply: type[Record] | None = Reply, status: AnswerStatus = AnswerStatus.OK) -> Reading:
    return read_reply(Parsed(status, text, "stop", Usage(), "m"), reply)


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"  {GOOD}\n",
        f"```json\n{GOOD}\n```",
        f"Here it is:\n```\n{GOOD}\n```\nThat is all.",
        f"First I thought {{of this}}:\n```json\n{{}}\n```\nand then:\n```json\n{GOOD}\n```",
        f"The answer is {GOOD}. I hope that helps.",
    ],
    ids=["bare", "blanks", "fence", "words_around_fence", "last_fence", "words_around"],
)
def test_a_record_is_found_in_what_models_put_around_it(text: str) -> None:
    assert read(text) == (AnswerStatus.OK, Reply(answer="yes", count=2), "")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("no object at all", "no JSON object"),
        ("} {", "no JSON object"),
        ('{"answer": "yes", "count": 2', "delimiter"),
        ('{"answer": "yes"}', "count: Field required"),
        ('{"answer": "yes", "count": "2"}', "count: Input should be a valid integer"),
        ('{"answer": "yes", "count": 2, "extra": 1}', "extra: Extra inputs"),
        ('{"answer": "yes", "count": 2, "answer": "no"}', "'answer' stands twice"),
        ('{"answer": "yes", "count": 2, "count": 2}', "'count' stands twice"),
        ('[{"answer": "yes", "count": 2}, {"answer": "no", "count": 2}]', ""),
        (f"{GOOD} {GOOD}", "Extra data"),
        ('{"answer": "\\ud800", "count": 2}', ""),
        ("{" * 100_000, ""),
    ],
    ids=[
        "words",
        "no_object",
        "cut",
        "missing",
        "text_for_number",
        "extra",
        "twice",
        "twice_the_same",
        "two_in_a_list",
        "two",
        "half_surrogate",
        "deep",
    ],
)
def test_what_does_not_fit_is_unparsable_and_says_why(text: str, told: str) -> None:
    reading = read(text)
    assert (reading.status, reading.value) == (AnswerStatus.UNPARSABLE, None)
    assert told in reading.detail
    assert 0 < len(reading.detail) <= 300


def test_an_error_never_repeats_what_the_model_said() -> None:
    assert "secret" not in read('{"answer": 5, "count": "secret words"}').detail


@pytest.mark.parametrize("status", [AnswerStatus.TRUNCATED, AnswerStatus.REFUSED, AnswerStatus.EMPTY])
def test_a_reply_that_is_not_ok_is_not_read_even_when_it_would_fit(status: AnswerStatus) -> None:
    assert read(GOOD, status=status)[:2] == (status, None)


def test_free_text_is_taken_as_it_is() -> None:
    assert read("{any", reply=None) == (AnswerStatus.OK, None, "")


@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    assert read(text).status in (AnswerStatus.OK, AnswerStatus.UNPARSABLE)


@given(st.builds(Reply, answer=st.text(), count=st.integers(-(2**53), 2**53), more=st.lists(st.text()).map(tuple)))
def test_every_record_written_as_json_is_read_back(reply: Reply) -> None:
    assert read(json.dumps(reply.model_dump(mode="json"))).value == reply
