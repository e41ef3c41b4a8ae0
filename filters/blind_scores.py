"""What a reader who sees only the text of a question can tell about its label: bags of traits (words, pieces of words,
first words, length and punctuation), a logistic regression on each, and scores for rows that it was not fitted on."""

import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

from core.seeding import ordered
from filters.grouped_intervals import Bools, Floats

FOLDS = 5
SEED = 0
"""Of folds and of what is left out. Not that of a recipe: who has the rows alone gets the same figures."""
_MAX_CHARACTERS = 2_000
_MIN_ROWS = 2  # a trait of a single row tells nothing about another one
_WORD = re.compile(r"<image \d+>|[\u3400-\u9fff]|[^\W\u3400-\u9fff]+(?:['’][^\W\d]+)?")
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_MARKS = ",.;:?!'\"()[]*-—…，。；：？！“”"
_DIGITS = 6  # of a score: what differs between machines lies below

Traits = Callable[[str], list[str]]
Matrix = csr_matrix | Floats


class Bag(NamedTuple):
    """`values`: rows x traits, 1 where the text has the trait."""

    values: csr_matrix
    names: list[str]


def word_traits(text: str) -> list[str]:
    """Words and pairs of words, Chinese characters and pairs of them."""
    words = _words(text)
    return [*words, *(f"{one} {other}" for one, other in pairwise(words))]


def piece_traits(text: str) -> list[str]:
    """Three and four characters in a row, with the blanks before and behind."""
    padded = f" {' '.join(_cut(text).lower().split())} "
    return [padded[start : start + size] for size in (3, 4) for start in range(len(padded) - size + 1)]


def first_word_traits(text: str) -> list[str]:
    """One, two and three words at the beginning of the text and of its last sentence."""
    sentences = [part for part in _SENTENCE.split(_cut(text).strip()) if part]
    starts = (("first", text), ("last sentence", sentences[-1] if sentences else ""))
    return [f"{name}: {' '.join(_words(part)[:size])}" for name, part in starts for size in (1, 2, 3)]


def shape_traits(text: str) -> list[str]:
    """Length in words and characters, sentences, capitals, digits and every mark, each in steps."""
    words = _words(text)
    counts = {
        "characters": _step(len(text)),
        "words": _step(len(words)),
        "sentences": min(5, len(_SENTENCE.split(text.strip()))),
        "capitals": min(8, sum(map(str.isupper, text))),
        "digits": min(4, sum(map(str.isdecimal, text))),
        "last character": ord(text.rstrip()[-1:] or " "),
    }
    marks = {mark: min(4, text.count(mark)) for mark in _MARKS}
    return [f"{name}={count}" for name, count in (counts | marks).items()]


CLASSIFIERS: Mapping[str, Traits] = {
    "words": word_traits,
    "characters": piece_traits,
    "first words": first_word_traits,
    "length and punctuation": shape_traits,
}


def bag(texts: Sequence[str], traits: Traits) -> Bag | None:
    """None where no trait is in two texts."""
    counter = CountVectorizer(analyzer=traits, binary=True, min_df=_MIN_ROWS)  # pyright: ignore[reportArgumentType] - its types know no function
    try:
        values = csr_matrix(counter.fit_transform(texts), dtype=np.float64)
    except ValueError:  # how it says that nothing is left
        return None
    return Bag(values, [str(name) for name in counter.get_feature_names_out()])


def assign_folds(groups: Sequence[str], labels: Bools) -> NDArray[np.int64]:
    """Rows of a group stay together; large groups first, equal ones in an order drawn from their names,
    each into the fold that has the fewest rows of the labels that it holds."""
    rows: dict[str, list[int]] = {}
    for position, group in enumerate(groups):
        rows.setdefault(group, []).append(position)
    filled = np.zeros((FOLDS, 2), dtype=np.int64)
    folds = np.empty(len(groups), dtype=np.int64)
    for group in sorted(ordered(rows, SEED, "blind baseline", str), key=lambda name: -len(rows[name])):
        own = np.bincount(labels[rows[group]].astype(np.int64), minlength=2)
        fold = int(np.argmin((filled + own) @ (own + 0.001)))
        filled[fold] += own
        folds[rows[group]] = fold
    return folds


def score_unseen(matrix: Matrix, labels: Bools, folds: NDArray[np.int64]) -> Floats:
    """Log odds of the label True for each row, by a model that was fitted on the other folds, where both labels weigh
    the same. 0 where the other folds hold one label only."""
    scores = np.zeros(len(labels))
    for fold in range(FOLDS):
        held, rest = np.flatnonzero(folds == fold), np.flatnonzero(folds != fold)
        if not len(held) or labels[rest].all() or not labels[rest].any():
            continue
        # The dual form takes a tenth of the time of the primal one and ends at the same accuracy.
        model = LogisticRegression(solver="liblinear", dual=True, class_weight="balanced", tol=0.01, random_state=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(matrix[rest], labels[rest])
        scores[held] = model.decision_function(matrix[held])
    return np.round(scores, _DIGITS)


def _words(text: str) -> list[str]:
    return _WORD.findall(_cut(text).lower())


def _cut(text: str) -> str:
    """Beginning and end of a long text: where it opens and where it asks."""
    half = _MAX_CHARACTERS // 2
    return text if len(text) <= _MAX_CHARACTERS else f"{text[:half]}\n{text[-half:]}"


def _step(count: int) -> int:
    """Numbers of about a fifth more than the one before."""
    return round(4 * np.log2(count + 1))
