"""What of a question's text counts when two are compared: its letters, digits and operators. Spacing, punctuation, the
spelling of picture tokens and the marks of LaTeX differ between copies of the same question."""

import re
import unicodedata
from typing import NamedTuple

from core.records import Sample

_TOKEN = re.compile(r"<\s*image[ _]?\d+\s*>|\[image ?\d+\]", re.IGNORECASE)
_LATEX_STYLE = re.compile(
    r"\\(?:mathrm|mathbf|mathit|mathsf|text|textbf|textit|operatorname|left|right|displaystyle|quad|qquad|big|Big)\b"
)
_LATEX_SIGNS = {r"\times": "×", r"\cdot": "·", r"\leq": "≤", r"\geq": "≥", r"\le": "≤", r"\ge": "≥", r"\circ": "°"}
_LATEX_SIGN = re.compile("|".join(rf"{re.escape(sign)}(?![A-Za-z])" for sign in sorted(_LATEX_SIGNS, reverse=True)))
_HYPHEN = re.compile(r"(?<=[^\W\d_]{2})-(?=[^\W\d_]{2})")
_WORD = re.compile(r"\d+(?:\.\d+)?|[\u3400-\u9fff]|[^\W\d_\u3400-\u9fff]+|[-+*/=<>^%≤≥×·°−±√]")


class TextKey(NamedTuple):
    """`text`: the words one after another; `options` and `answer` in the same form."""

    text: str
    options: frozenset[str]
    answer: str | None


def text_key(sample: Sample) -> TextKey:
    text = normalise(f"{sample.context or ''} {sample.query or ''}")
    answer = None if sample.answer is None else normalise(sample.answer)
    return TextKey(text, frozenset(normalise(option) for option in sample.options), answer)


def normalise(text: str) -> str:
    """Words, numbers, single Chinese characters and operators in lower case, with one blank between them."""
    text = unicodedata.normalize("NFKC", _TOKEN.sub(" ", text)).casefold()
    text = _LATEX_SIGN.sub(lambda sign: f" {_LATEX_SIGNS[sign[0]]} ", _LATEX_STYLE.sub(" ", text))
    return " ".join(_WORD.findall(_HYPHEN.sub(" ", text.replace("−", "-"))))
