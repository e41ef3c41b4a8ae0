"""Texts that are nearly but not letter by letter equal: candidates by MinHash over character shingles, then a strict
look at the words that differ. A number, a colour or a negation makes another question out of 500 equal characters."""

import zlib
from collections import Counter
from collections.abc import Iterable
from difflib import SequenceMatcher

from datasketch import MinHash, MinHashLSH

from sources.text_keys import TextKey

MIN_SIMILARITY = 0.85
"""Share of common shingles (Jaccard). Copies of a question with a hint or a unit added stay above it."""
_SHINGLE = 5
_PERMUTATIONS = 64
_MIN_CHARACTERS = 30
_MIN_SPELLING = 0.85
_NEGATIONS = frozenset(
    {"not", "no", "never", "except", "incorrect", "false", "least", "不", "非", "无", "没", "错", "误", "未"}
)


class NearTexts:
    """Finds among all texts those that are nearly equal to one of them. `crowd`: a text that has so many candidates is
    none for others, so that thousands of questions from one template do not all meet each other. None: all are."""

    def __init__(self, keys: Iterable[TextKey], crowd: int | None = None) -> None:
        texts = sorted({key.text for key in keys if len(key.text) >= _MIN_CHARACTERS})
        self._index = MinHashLSH(threshold=MIN_SIMILARITY, num_perm=_PERMUTATIONS, weights=(0.3, 0.7))
        self._hashes: dict[str, MinHash] = {}
        contents = ([shingle.encode() for shingle in _shingles(text)] for text in texts)
        signatures = MinHash.generator(contents, num_perm=_PERMUTATIONS, hashfunc=zlib.crc32)
        for text, signature in zip(texts, signatures, strict=True):
            self._hashes[text] = signature
            if crowd is None or len(self._index.query(signature)) < crowd:
                self._index.insert(text, signature, check_duplication=False)

    def of(self, text: str) -> list[str]:
        """Without the text itself, in alphabetical order."""
        signature = self._hashes.get(text)
        return (
            [] if signature is None else sorted(str(found) for found in self._index.query(signature) if found != text)
        )

    def same_question(self, first: TextKey, second: TextKey) -> bool:
        """Whether texts and options ask the same. Texts that differ at all must have the same answer, the same numbers
        and no word exchanged for another one."""
        if not _options_agree(first, second):
            return False
        if first.text == second.text:
            return True
        answers_differ = None not in (first.answer, second.answer) and first.answer != second.answer
        return (
            not answers_differ
            and _similarity(first.text, second.text) >= MIN_SIMILARITY
            and _words_agree(first, second)
        )


def deciding_words(text: str) -> tuple[str, ...]:
    """Texts in which these differ never ask the same."""
    return tuple(sorted(filter(_decides, text.split())))


def _options_agree(first: TextKey, second: TextKey) -> bool:
    """MMMU-Pro has the same question with 4 and with 10 options."""
    return first.options <= second.options or second.options <= first.options


def _similarity(first: str, second: str) -> float:
    one, other = _shingles(first), _shingles(second)
    return len(one & other) / len(one | other)


def _shingles(text: str) -> set[str]:
    return {text[start : start + _SHINGLE] for start in range(max(1, len(text) - _SHINGLE + 1))}


def _words_agree(first: TextKey, second: TextKey) -> bool:
    """Words may be added on one side, or spelt otherwise; none may be exchanged."""
    one, other = Counter(first.text.split()), Counter(second.text.split())
    only_one, only_other = (one - other).keys(), (other - one).keys()
    if any(map(_decides, (*only_one, *only_other))):
        return False
    fewer, more = sorted((only_one, only_other), key=len)
    return all(any(_same_word(word, candidate) for candidate in more) for word in fewer)


def _decides(word: str) -> bool:
    """Numbers, operators, names of one letter and negations change what is asked wherever they are added."""
    return not word.isalpha() or word in _NEGATIONS or (len(word) == 1 and word.isascii() and word != "a")


def _same_word(first: str, second: str) -> bool:
    """Two spellings of one long word (colour, color); nitrite and nitrate differ in the answer."""
    if first[0] != second[0] or min(len(first), len(second)) < 5 or not first.isascii():
        return False
    return SequenceMatcher(None, first, second, autojunk=False).ratio() >= _MIN_SPELLING
