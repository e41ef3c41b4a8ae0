import pytest

from sources.base import QuarantineReason
from sources.completeness import require_no_other_part
from sources.rows import UnusableRowError


@pytest.mark.parametrize(
    ("question", "solution"),
    [
        ("求作用力的大小。", "由(2)分析可知 FΔt=Δp"),
        ("由(1)中图象可知，求速度。", None),
        ("在（1）的条件下，求x。", None),
        ("利用第(1)问的结论证明。", None),
        ("Using the result of part (a), find $x$.", None),
        ("Find $x$ as in the previous part.", None),
    ],
)
def test_a_question_that_needs_another_part_is_refused(question: str, solution: str | None) -> None:
    with pytest.raises(UnusableRowError) as raised:
        require_no_other_part(question, solution)
    assert raised.value.reason is QuarantineReason.NEEDS_ANOTHER_PART


@pytest.mark.parametrize(
    ("question", "solution"),
    [
        ("(1)求a。(2)在(1)的条件下，求b。", "由(1)可知 a=1"),
        ("(a) Find $x$. (b) Using part (a), find $y$.", None),
        ("求f(1)的值。", "由f(1)=2得"),
        ("A part of the wall is wet. Find the area in part.", "It is a part."),
    ],
)
def test_a_question_that_holds_its_parts_is_kept(question: str, solution: str | None) -> None:
    require_no_other_part(question, solution)
