"""Whether the label of a question can be told without its picture. Of Judge Before Answer's released questions it can:
words of the question alone reach 90.6 % on its test file (requirements 3.4), above every model in its paper. A release
of ours must not be like that. The classifiers are in `filters.blind_scores`, the intervals in
`filters.grouped_intervals`."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy
from sklearn.preprocessing import StandardScaler

from filters.blind_reports import BlindReport, BlindRow, BlindScore, PictureControl, SubtypeScore, TellingFeature
from filters.blind_scores import CLASSIFIERS, assign_folds, bag, first_word_traits, score_unseen, word_traits
from filters.grouped_intervals import Bools, Floats, balanced_share, grouped_auc

_TELLING = 25
_MIN_TELLING_Z = 3.0
_TINY = 1e-12  # where all rows have a trait, 0 rows without it are divided by 0 expected ones
_MIN_SLICE = 4  # rows of a subtype: below that no fold leaves two labels to learn from


class Measured(NamedTuple):
    """`scores`: of each row, what all classifiers together make of it: above 0 for sound, -4 to 4."""

    report: BlindReport
    scores: Floats


def measure_blind(rows: Iterable[BlindRow]) -> BlindReport:
    """The order of the rows does not matter. Raises ValueError without rows of both labels."""
    return measure_sorted(sort_rows(rows)).report


def measure_pictures(rows: Iterable[BlindRow]) -> PictureControl | None:
    """A row is a picture. None where those with numbers have not both labels."""
    rows = sort_rows(rows)
    score = _control(rows)
    if score is None:
        return None
    found = ((subtype, _control([rows[at] for at in chosen])) for subtype, chosen in _slice(rows))
    subtypes = (SubtypeScore(subtype=subtype, score=own) for subtype, own in found if own)
    return PictureControl(score=score, subtypes=tuple(subtypes))


def sort_rows(rows: Iterable[BlindRow]) -> list[BlindRow]:
    return sorted(rows, key=lambda row: (row.id, row.label, row.text))


def measure_sorted(rows: Sequence[BlindRow]) -> Measured:
    """Raises ValueError without rows of both labels."""
    labels = np.array([row.label for row in rows], dtype=np.bool_)
    if not labels.any() or labels.all():
        raise ValueError("a blind baseline needs rows of both labels")
    texts, groups = [row.text for row in rows], [row.group for row in rows]
    folds = assign_folds(groups, labels)
    scores: dict[str, Floats] = {}
    for name, traits in CLASSIFIERS.items():
        matrix = bag(texts, traits)
        scores[name] = np.zeros(len(rows)) if matrix is None else score_unseen(matrix.values, labels, folds)
    found = {name: _score(name, score, labels, groups) for name, score in scores.items()}
    best = max(found.values(), key=lambda score: score.accuracy)
    report = BlindReport(
        rows=len(rows),
        groups=len(set(groups)),
        pairs=len({row.pair for row in rows} - {None}),
        majority=best.majority,
        best=best,
        classifiers=tuple(found.values()),
        subtypes=tuple(_by_subtype(rows, best.classifier, scores[best.classifier], labels, folds)),
        features=_find_telling(texts, labels),
        picture=_control(rows),
    )
    return Measured(report, np.sum([np.tanh(score / 2) for score in scores.values()], axis=0))


def _score(classifier: str, scores: Floats, labels: Bools, groups: Sequence[str]) -> BlindScore:
    right = (scores > 0) == labels
    accuracy, auc = balanced_share(right, labels, groups), grouped_auc(scores, labels, groups)
    share = float(labels.mean())
    return BlindScore(
        classifier=classifier,
        rows=len(labels),
        accuracy=accuracy.value,
        interval=accuracy.interval,
        auc=None if auc is None else auc.value,
        auc_interval=None if auc is None else auc.interval,
        plain_accuracy=round(float(right.mean()), 4),
        majority=round(max(share, 1 - share), 4),
    )


def _by_subtype(
    rows: Sequence[BlindRow], best: str, scores: Floats, labels: Bools, folds: NDArray[np.int64]
) -> Iterator[SubtypeScore]:
    for subtype, chosen in _slice(rows):
        groups = [rows[position].group for position in chosen]
        matrix = bag([rows[position].text for position in chosen], word_traits)
        found = [_score(best, scores[chosen], labels[chosen], groups)]
        if matrix is not None:
            alone = score_unseen(matrix.values, labels[chosen], folds[chosen])
            found.append(_score("words of the subtype alone", alone, labels[chosen], groups))
        yield SubtypeScore(subtype=subtype, score=max(found, key=lambda score: score.accuracy))


def _slice(rows: Sequence[BlindRow]) -> Iterator[tuple[str, NDArray[np.int64]]]:
    """Places of the rows of each subtype that has enough of both labels, the sound ones of its groups included."""
    sound: dict[str, list[int]] = {}
    own: dict[str, list[int]] = {}
    for position, row in enumerate(rows):
        if row.subtype is None:
            sound.setdefault(row.group, []).append(position)
        else:
            own.setdefault(row.subtype, []).append(position)
    for subtype, positions in sorted(own.items()):
        shared = (twin for group in {rows[position].group for position in positions} for twin in sound.get(group, ()))
        chosen = np.array(sorted({*positions, *shared}))
        if len(chosen) >= _MIN_SLICE and len({rows[at].label for at in chosen}) == 2:
            yield subtype, chosen


def _find_telling(texts: Sequence[str], labels: Bools) -> tuple[TellingFeature, ...]:
    matrix = bag(texts, lambda text: [*word_traits(text), *first_word_traits(text)])
    if matrix is None:
        return ()
    names = matrix.names
    sound, flawed = (np.asarray(matrix.values.T @ mask.astype(np.float64)).ravel() for mask in (labels, ~labels))
    z = _distance(sound, flawed, int(labels.sum()), int((~labels).sum()))
    order = sorted(range(len(names)), key=lambda place: (-round(abs(z[place]), 6), names[place]))
    return tuple(
        TellingFeature(feature=names[at], sound=int(sound[at]), flawed=int(flawed[at]), z=round(float(z[at]), 2))
        for at in order[:_TELLING]
        if abs(z[at]) >= _MIN_TELLING_Z
    )


def _distance(sound: Floats, flawed: Floats, sound_rows: int, flawed_rows: int) -> Floats:
    """The signed root of the likelihood ratio: standard deviations from a trait that is as frequent in both labels. It
    holds where one count is 0, too."""
    share = (sound + flawed) / (sound_rows + flawed_rows)
    total = np.zeros(len(sound))
    for seen, rows in ((sound, sound_rows), (flawed, flawed_rows)):
        total += xlogy(seen, seen / (rows * share)) + xlogy(rows - seen, (rows - seen) / (rows * (1 - share) + _TINY))
    return np.sign(sound / sound_rows - flawed / flawed_rows) * np.sqrt(2 * np.maximum(0, total))


def _control(rows: Sequence[BlindRow]) -> BlindScore | None:
    seen = [row for row in rows if row.picture is not None]
    labels = np.array([row.label for row in seen], dtype=np.bool_)
    if not labels.any() or labels.all():
        return None
    groups = [row.group for row in seen]
    numbers = StandardScaler().fit_transform(np.array([row.picture for row in seen], dtype=np.float64))
    scores = score_unseen(np.asarray(numbers), labels, assign_folds(groups, labels))
    return _score("picture statistics", scores, labels, groups)
