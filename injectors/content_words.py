"""Content words of a text: two sentences that share one speak of the same thing, as far as a rule can tell."""

import re

from core.image_tokens import TOKEN
from core.records import Language

_STOP = frozenset(
    (
        "the", "and", "image", "figure", "shown", "picture", "each", "value", "number", "large", "total",
        "what", "which", "how", "many", "much", "find", "does", "with", "that", "this", "from",
        "into", "one", "two", "three", "four", "five", "same", "after", "before", "only", "has",
        "have", "been", "are", "was", "were", "its", "his", "her", "their", "for", "all",
        "given", "there", "they", "them", "then", "when", "where", "will", "can", "than", "also",
        "long", "high", "take", "takes", "time", "every", "other", "at", "least",
    )
)  # fmt: skip
_STOP_CHINESE = re.compile(r"[的了是为和与在有中每个这那其由分别多少如图所示已知大小]|\s")


def content_words(text: str, language: Language) -> set[str]:
    """Stems of English words; in Chinese, pairs of neighbouring characters."""
    if language is Language.CHINESE:
        runs = re.split(r"[^\u4e00-\u9fff]+", _STOP_CHINESE.sub("，", text))
        return {run[index : index + 2] for run in runs for index in range(len(run) - 1)}
    found = re.findall(r"[a-z]{3,}", re.sub(r"\\[a-z]+", " ", TOKEN.sub(" ", text).lower()))
    return {re.sub(r"(?:es|s|ed|ing|e|y)$", "", re.sub("ies$", "y", word)) for word in found if word not in _STOP}
