import pytest

from sources.base import QuarantineReason
from sources.rows import UnusableRowError, require_storable


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("x" * 40_001, QuarantineReason.TEXT_TOO_LONG),
        ({"a": ["fine", "\ud800"]}, QuarantineReason.MALFORMED_ROW),
        (["x"] * 1_001, QuarantineReason.MALFORMED_ROW),
    ],
    ids=["long", "surrogate", "list"],
)
def test_what_no_sample_can_hold_is_refused(value: object, reason: QuarantineReason) -> None:
    with pytest.raises(UnusableRowError) as caught:
        require_storable(value)
    assert caught.value.reason is reason


def test_ordinary_values_pass() -> None:
    require_storable({"q": "What is it? 这是什么？", "options": ["A", None], "n": 3})
