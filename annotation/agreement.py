"""How far the annotators agree (M-20, M-40): per criterion Cohen's kappa of each pair with a bootstrap interval, its
mean weighted by items, Krippendorff's alpha over all, raw agreement, pass rates and confusion tables. Of the first
round alone, because the third annotator sees only what was disputed; control items are left out.

A figure that is not defined is None with the reason: with nine passes in ten, kappa can be 0 or undefined where the raw
agreement is high, so none is to be read without the others."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.records import Criterion
from core.review import BOTH_CRITERIA, Judged, Judgement, Round

CATEGORIES = tuple(Judged)
RESAMPLES = 2_000
_INTERVAL = (0.025, 0.975)
_NO_ITEMS = "no item was judged by both"
_ONE_CATEGORY = "both used one and the same category for all items, so chance agreement is 1"
_ONE_VALUE = "all verdicts are equal, so there is no disagreement to expect by chance"

_Counts = NDArray[np.int64]
Verdicts = Mapping[str, Mapping[str, Judged]]


class PairAgreement(NamedTuple):
    """Two annotators on one criterion. `table[i][j]`: items that the first called `CATEGORIES[i]` and the second
    `CATEGORIES[j]`. `agreement` in 0..1, `kappa` in -1..1, `interval` holds 95 % of the bootstrap's kappas that are
    defined (items drawn with replacement), `undefined` says why kappa is None. `pass_rates` are those of the two."""

    criterion: Criterion
    annotators: tuple[str, str]
    items: int
    table: tuple[tuple[int, ...], ...]
    agreement: float | None
    kappa: float | None
    interval: tuple[float, float] | None
    pass_rates: tuple[float, float] | None
    undefined: str | None


class CriterionAgreement(NamedTuple):
    """All pairs of one criterion. `kappa` is the mean of the pairs' kappas weighted by their items, over the pairs
    where it is defined; `alpha` is Krippendorff's for nominal data. Both in -1..1, None with the reason in
    `undefined`."""

    criterion: Criterion
    pairs: tuple[PairAgreement, ...]
    items: int
    agreement: float | None
    kappa: float | None
    alpha: float | None
    pass_rate: float | None
    undefined: tuple[str, ...]


def measure_agreement(judgements: Iterable[Judgement], seed: int = 42) -> list[CriterionAgreement]:
    """One for each criterion; `seed` draws the bootstrap."""
    counted = [found for found in judgements if found.counts and found.round is Round.FIRST and not found.control]
    return [_measure_criterion(criterion, _verdicts(counted, criterion), seed) for criterion in BOTH_CRITERIA]


def cohens_kappa(table: _Counts) -> float | None:
    """Of a square table of counts; None where chance agreement is 1 or the table is empty."""
    return _as_float(_kappas(table[np.newaxis])[0])


def _verdicts(judgements: Sequence[Judgement], criterion: Criterion) -> Verdicts:
    """By item and annotator."""
    found: defaultdict[str, dict[str, Judged]] = defaultdict(dict)
    for judgement in judgements:
        verdict = judgement.verdict(criterion)
        if verdict is not None:
            found[judgement.item][judgement.annotator] = verdict
    return found


def _measure_criterion(criterion: Criterion, verdicts: Verdicts, seed: int) -> CriterionAgreement:
    annotators = sorted({annotator for given in verdicts.values() for annotator in given})
    pairs = tuple(_measure_pair(criterion, pair, verdicts, seed) for pair in combinations(annotators, 2))
    defined = [(pair.kappa, pair.items) for pair in pairs if pair.kappa is not None]
    both = sum(pair.items for pair in pairs)
    agreed = sum(pair.agreement * pair.items for pair in pairs if pair.agreement is not None)
    said = [verdict for given in verdicts.values() for verdict in given.values()]
    alpha, why = _alpha(verdicts, annotators)
    reasons = [f"{' and '.join(pair.annotators)}: {pair.undefined}" for pair in pairs if pair.undefined]
    return CriterionAgreement(
        criterion,
        pairs,
        items=len(verdicts),
        agreement=agreed / both if both else None,
        kappa=sum(kappa * items for kappa, items in defined) / sum(items for _, items in defined) if defined else None,
        alpha=alpha,
        pass_rate=said.count(Judged.PASS) / len(said) if said else None,
        undefined=(*reasons, *([f"alpha: {why}"] if why else [])),
    )


def _measure_pair(criterion: Criterion, pair: tuple[str, str], verdicts: Verdicts, seed: int) -> PairAgreement:
    first, second = pair
    both = [(given[first], given[second]) for given in verdicts.values() if first in given and second in given]
    if not both:
        return PairAgreement(criterion, pair, 0, (), None, None, None, None, _NO_ITEMS)
    table = np.zeros((len(CATEGORIES), len(CATEGORIES)), dtype=np.int64)
    for one, other in both:
        table[CATEGORIES.index(one), CATEGORIES.index(other)] += 1
    kappa = cohens_kappa(table)
    rates = (float(table[0].sum() / len(both)), float(table[:, 0].sum() / len(both)))
    return PairAgreement(
        criterion,
        pair,
        items=len(both),
        table=tuple(tuple(int(count) for count in row) for row in table),
        agreement=float(np.trace(table) / len(both)),
        kappa=kappa,
        interval=_bootstrap(table, seed) if kappa is not None else None,
        pass_rates=rates,
        undefined=_ONE_CATEGORY if kappa is None else None,
    )


def _bootstrap(table: _Counts, seed: int) -> tuple[float, float] | None:
    """Drawing items with replacement is drawing the cells of the table from a multinomial distribution."""
    items = int(table.sum())
    drawn = np.random.default_rng(seed).multinomial(items, table.ravel() / items, size=RESAMPLES)
    kappas = _kappas(drawn.reshape(RESAMPLES, *table.shape))
    defined = kappas[~np.isnan(kappas)]
    if not len(defined):
        return None
    low, high = np.quantile(defined, _INTERVAL)
    return float(low), float(high)


def _kappas(tables: _Counts) -> NDArray[np.float64]:
    """Of tables of counts of shape (n, k, k): shape (n,), NaN where chance agreement is 1."""
    items = tables.sum(axis=(1, 2))
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = np.trace(tables, axis1=1, axis2=2) / items
        expected = (tables.sum(axis=2) * tables.sum(axis=1)).sum(axis=1) / items**2
        return np.where(expected < 1, (observed - expected) / (1 - expected), np.nan)


def _alpha(verdicts: Verdicts, annotators: Sequence[str]) -> tuple[float | None, str | None]:
    import krippendorff  # here: it loads slowly

    rows = [
        [CATEGORIES.index(given[name]) if name in given else np.nan for given in verdicts.values()]
        for name in annotators
    ]
    if sum(len(given) > 1 for given in verdicts.values()) == 0:
        return None, _NO_ITEMS
    paired = {verdict for given in verdicts.values() if len(given) > 1 for verdict in given.values()}
    if len(paired) == 1:
        return None, _ONE_VALUE
    return float(krippendorff.alpha(reliability_data=rows, level_of_measurement="nominal")), None


def _as_float(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
