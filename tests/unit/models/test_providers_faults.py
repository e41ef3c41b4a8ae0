import time
from email.utils import formatdate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.base import FailureKind
from models.providers.faults import clean_message, connection_error, read_retry_after, status_error, strange_body

KEY = "sk-planted-0123456789"


@pytest.mark.parametrize(
    ("status", "codes", "said", "kind"),
    [
        (400, {"invalid_request_error"}, "bad", FailureKind.PERMANENT),
        (400, {"API_KEY_INVALID"}, "API key not valid.", FailureKind.KEY),
        (400, {"invalid_request_error"}, "Your credit balance is too low to access the API.", FailureKind.BROKE),
        (401, set[str](), "no", FailureKind.KEY),
        (402, set[str](), "pay", FailureKind.BROKE),
        (403, set[str](), "no", FailureKind.KEY),
        (403, {"AccountOverdueError"}, "overdue", FailureKind.BROKE),
        (404, {"model_not_found"}, "no such model", FailureKind.MOVED),
        (405, set[str](), "no such method", FailureKind.MOVED),
        (408, set[str](), "late", FailureKind.TEMPORARY),
        (409, set[str](), "conflict", FailureKind.TEMPORARY),
        (413, set[str](), "large", FailureKind.PERMANENT),
        (422, set[str](), "shape", FailureKind.PERMANENT),
        (425, set[str](), "early", FailureKind.TEMPORARY),
        (429, {"rate_limit_exceeded"}, "slow down", FailureKind.RATE),
        (429, {"insufficient_quota"}, "You exceeded your quota", FailureKind.BROKE),
        (500, set[str](), "", FailureKind.TEMPORARY),
        (503, set[str](), "", FailureKind.TEMPORARY),
        (529, {"overloaded_error"}, "Overloaded", FailureKind.TEMPORARY),
    ],
)
def test_a_status_says_what_can_be_done(status: int, codes: set[str], said: str, kind: FailureKind) -> None:
    error = status_error(status, said, codes, {}, KEY)
    assert (error.kind, error.http_status, error.retry_after) == (kind, status, None)
    assert str(error) == f"HTTP {status}: {said}"


@pytest.mark.parametrize(
    ("status", "content_type", "kind"),
    [
        (400, "text/html", FailureKind.MOVED),
        (422, "text/plain; charset=utf-8", FailureKind.MOVED),
        (400, "application/json; charset=utf-8", FailureKind.PERMANENT),
        (400, "application/problem+json", FailureKind.PERMANENT),
        (413, "text/html", FailureKind.PERMANENT),
        (403, "text/html", FailureKind.KEY),
        (429, "text/html", FailureKind.RATE),
        (502, "text/html", FailureKind.TEMPORARY),
    ],
)
def test_a_page_says_nothing_of_the_request(status: int, content_type: str, kind: FailureKind) -> None:
    assert status_error(status, "no", (), {"content-type": content_type}, KEY).kind is kind


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "Mon, 01 Jan 99999999999 00:00:00 GMT"}, None),
        ({"retry-after": "Mon, 01 Jan 2027 00:00:00 +99999999999999"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({}, None),
    ],
    ids=[
        "seconds",
        "half",
        "milliseconds first",
        "negative",
        "endless",
        "words",
        "no year",
        "no zone",
        "blank",
        "past date",
        "none",
    ],
)
def test_the_wait_that_is_asked_for_is_read(headers: dict[str, str], seconds: float | None) -> None:
    assert read_retry_after(headers) == seconds


def test_a_date_to_come_is_a_wait_until_then() -> None:
    wait = read_retry_after({"retry-after": formatdate(time.time() + 60, usegmt=True)})
    assert wait is not None
    assert 57 < wait <= 60


def test_neither_key_nor_picture_is_kept() -> None:
    said = f"Incorrect key {KEY}, header Bearer abc.def, other sk-proj-77; body data:image/png;base64,{'iVBOR/+0' * 50}"
    error = status_error(400, said, (), {}, KEY)
    for secret in (KEY, "abc.def", "sk-proj-77", "iVBOR/+0iVBOR"):
        assert secret not in error.message
    assert "Incorrect key [key]" in error.message


def test_a_key_of_any_form_is_kept_out_when_it_is_the_one_in_use() -> None:
    assert clean_message("denied: hunter2!", "hunter2!") == "denied: [key]"


@given(st.text(max_size=2000))
def test_a_message_is_one_short_line(text: str) -> None:
    cleaned = clean_message(text, None)
    assert len(cleaned) <= 304
    assert "\n" not in cleaned


def test_a_connection_that_breaks_is_temporary_and_says_its_cause() -> None:
    wrapped = RuntimeError("Connection error.")
    wrapped.__cause__ = ConnectionResetError(104, "reset by peer")
    error = connection_error(wrapped, None)
    assert error.kind is FailureKind.TEMPORARY
    assert error.message == "ConnectionResetError: [Errno 104] reset by peer"


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        ("<html>Bad gateway</html>", FailureKind.TEMPORARY, 200),
        ("", FailureKind.TEMPORARY, 200),
        ('{"error": {"code": 429, "message": "slow"}}', FailureKind.RATE, 429),
        ('{"error": {"code": 402, "message": "no credit"}}', FailureKind.BROKE, 402),
        ('{"error": {"code": "odd", "message": "x"}}', FailureKind.TEMPORARY, 200),
        ('{"error": "x"}', FailureKind.TEMPORARY, 200),
    ],
    ids=["page", "nothing", "rate in a 200", "credit in a 200", "odd code", "text"],
)
def test_a_success_that_is_none_is_a_failure(body: str, kind: FailureKind, status: int) -> None:
    error = strange_body(200, body, {}, KEY)
    assert (error.kind, error.http_status) == (kind, status)
