import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.image_tokens import numbers_in, token


@pytest.mark.parametrize(
    ("texts", "numbers"),
    [
        pytest.param(("See <image 1> and <image 2>.",), [1, 2], id="in order"),
        pytest.param(("<image 3><image 1>", "<image 1>"), [3, 1, 1], id="repeats and other order kept"),
        pytest.param((None, "", "no token"), [], id="absent and empty texts"),
        pytest.param(("<image 12>",), [12], id="two digits"),
        pytest.param(("<image1> <image_2> <img 3> <image  4> <Image 5> <image >",), [], id="other spellings"),
        pytest.param(("p < image 1> q", "<0', 'q = 0, w >"), [], id="comparisons"),
    ],
)
def test_numbers_of_tokens_are_found(texts: tuple[str | None, ...], numbers: list[int]) -> None:
    assert numbers_in(*texts) == numbers


@given(st.lists(st.integers(0, 99)))
def test_every_written_token_is_found_again(numbers: list[int]) -> None:
    assert numbers_in("，".join(map(token, numbers))) == numbers
