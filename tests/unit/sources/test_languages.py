import pytest

from core.records import Language
from sources.base import QuarantineReason
from sources.languages import language_named, language_of
from sources.rows import UnusableRowError


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("What is the value of x?", Language.ENGLISH),
        ("Find the angle ∠AMK with α = 3 and Ω = 2.", Language.ENGLISH),
        ("$速度$ is a word for speed in this text", Language.ENGLISH),
        ("12 + 13 = ?", Language.ENGLISH),
        ("求质点的速度v。", Language.CHINESE),
        ("△ABC中，∠A＝110°，BO=OC，求∠BOC。", Language.CHINESE),
        ("函数 $f(x)=\\sin(\\omega x)$ 的周期 T 是多少 cm？", Language.CHINESE),
    ],
)
def test_the_script_tells_the_language(text: str, language: Language) -> None:
    assert language_of(text) is language


@pytest.mark.parametrize(
    "text",
    ["از سمت راست تصویر درب دوم چند شیشه بدون رنگ داره؟", "Сколько стоит?", "これはなんですか", "얼마입니까"],
    ids=["persian", "russian", "japanese", "korean"],
)
def test_another_script_is_not_supported(text: str) -> None:
    with pytest.raises(UnusableRowError) as raised:
        language_of(text)
    assert raised.value.reason is QuarantineReason.LANGUAGE_NOT_SUPPORTED


@pytest.mark.parametrize(("name", "language"), [("English", Language.ENGLISH), (" chinese", Language.CHINESE)])
def test_the_sources_own_word_is_read(name: str, language: Language) -> None:
    assert language_named(name) is language


def test_a_language_named_otherwise_is_not_supported() -> None:
    with pytest.raises(UnusableRowError, match="'persian'"):
        language_named("persian")
