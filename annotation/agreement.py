"""How far the annotators agree (M-20, M-40): per criterion Cohen's kappa of each pair with a bootstrap interval, its
mean weighted by items, Krippendorff's alpha and Fleiss' kappa over all, raw agreement, pass rates and confusion tables.
Of the first round alone, because the third annotator sees only what was disputed; control items are left out.

A figure that is not defined is None with the reason: with nine passes in ten, kappa can be 0 or undefined where the raw
agreement is high, so none is to be read without the others."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from annotation.fleiss import Fleiss, measure_fleiss
from annotation.resampling import (
    CATEGORIES,
    Counts,
    Interval,
    Verdicts,
    compute_kappas,
    resample_items,
    resample_table,
)
from core.review import BOTH_CRITERIA, Judged, Judgement, Round
from core.votes import Criterion

_NO_ITEMS = "no item was judged by both"
_ONE_CATEGORY = "both used one and the same category for all items, so chance agreement is 1"
_ONE_VALUE = "all verdicts are equal, so there is no disagreement to expect by chance"


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
    interval: Interval | None
    pass_rates: tuple[float, float] | None
    undefined: str | None


class CriterionAgreement(NamedTuple):
    """All pairs of one criterion. `items` were judged by two or more, and `paired` is how often two verdicts are
    compared. `kappa` is the mean of the pairs' kappas weighted by their items, over the pairs where it is defined;
    `alpha` is Krippendorff's for nominal data. Both in -1..1, None with the reason in `undefined`, each with the
    interval that holds 95 % of what items drawn with replacement give. `pass_rate` is that of all `verdicts`,
    also of items that one has judged so far. `subtypes`: the same of the items of each."""

    criterion: Criterion
    pairs: tuple[PairAgreement, ...]
    items: int
    paired: int
    agreement: float | None
    kappa: float | None
    kappa_interval: Interval | None
    alpha: float | None
    alpha_interval: Interval | None
    fleiss: Fleiss
    verdicts: int
    pass_rate: float | None
    undefined: tuple[str, ...]
    subtypes: "Mapping[str, CriterionAgreement]"

    def as_json(self) -> dict[str, object]:
        subtypes = {subtype: found.as_json() for subtype, found in self.subtypes.items()}
        pairs = [pair._asdict() for pair in self.pairs]
        return {**self._asdict(), "pairs": pairs, "fleiss": self.fleiss._asdict(), "subtypes": subtypes}


def measure_agreement(
    judgements: Iterable[Judgement], seed: int = 42, subtypes: Mapping[str, str] | None = None
) -> list[CriterionAgreement]:
    """One for each criterion; `seed` draws the bootstrap, `subtypes` are those of the items."""
    counted = [found for found in judgements if found.counts and found.round is Round.FIRST and not found.control]
    return [
        _measure_criterion(criterion, _verdicts(counted, criterion), seed, subtypes or {})
        for criterion in BOTH_CRITERIA
    ]


def _verdicts(judgements: Sequence[Judgement], criterion: Criterion) -> Verdicts:
    """By item and annotator."""
    found: defaultdict[str, dict[str, Judged]] = defaultdict(dict)
    for judgement in judgements:
        verdict = judgement.verdict(criterion)
        if verdict is not None:
            found[judgement.item][judgement.annotator] = verdict
    return found


def _measure_criterion(
    criterion: Criterion, verdicts: Verdicts, seed: int, subtypes: Mapping[str, str]
) -> CriterionAgreement:
    annotators = sorted({annotator for given in verdicts.values() for annotator in given})
    pairs = tuple(_measure_pair(criterion, pair, verdicts, seed) for pair in combinations(annotators, 2))
    defined = [(pair.kappa, pair.items) for pair in pairs if pair.kappa is not None]
    kappa = sum(kappa * items for kappa, items in defined) / sum(items for _, items in defined) if defined else None
    both = sum(pair.items for pair in pairs)
    agreed = sum(pair.agreement * pair.items for pair in pairs if pair.agreement is not None)
    said = [verdict for given in verdicts.values() for verdict in given.values()]
    alpha, why = _alpha(verdicts, annotators)
    fleiss = measure_fleiss(verdicts)
    overall = (("alpha", why), ("Fleiss", fleiss.undefined))
    reasons = [f"{' and '.join(pair.annotators)}: {pair.undefined}" for pair in pairs if pair.undefined]
    intervals = resample_items(verdicts, annotators, seed)
    return CriterionAgreement(
        criterion,
        pairs,
        items=sum(len(given) > 1 for given in verdicts.values()),
        paired=both,
        agreement=agreed / both if both else None,
        kappa=kappa,
        kappa_interval=intervals.kappa if kappa is not None else None,
        alpha=alpha,
        alpha_interval=intervals.alpha if alpha is not None else None,
        fleiss=fleiss,
        verdicts=len(said),
        pass_rate=said.count(Judged.PASS) / len(said) if said else None,
        undefined=(*reasons, *(f"{name}: {reason}" for name, reason in overall if reason)),
        subtypes={
            subtype: _measure_criterion(criterion, _only(verdicts, subtypes, subtype), seed, {})
            for subtype in sorted({subtypes[item] for item in verdicts if item in subtypes})
        },
    )


def _only(verdicts: Verdicts, subtypes: Mapping[str, str], subtype: str) -> Verdicts:
    return {item: given for item, given in verdicts.items() if subtypes.get(item) == subtype}


def _measure_pair(criterion: Criterion, pair: tuple[str, str], verdicts: Verdicts, seed: int) -> PairAgreement:
    first, second = pair
    both = [(given[first], given[second]) for given in verdicts.values() if first in given and second in given]
    if not both:
        return PairAgreement(criterion, pair, 0, (), None, None, None, None, _NO_ITEMS)
    table = np.zeros((len(CATEGORIES), len(CATEGORIES)), dtype=np.int64)
    for one, other in both:
        table[CATEGORIES.index(one), CATEGORIES.index(other)] += 1
    kappa = _kappa(table)
    rates = (float(table[0].sum() / len(both)), float(table[:, 0].sum() / len(both)))
    return PairAgreement(
        criterion,
        pair,
        items=len(both),
        table=tuple(tuple(int(count) for count in row) for row in table),
        agreement=float(np.trace(table) / len(both)),
        kappa=kappa,
        interval=resample_table(table, seed) if kappa is not None else None,
        pass_rates=rates,
        undefined=_ONE_CATEGORY if kappa is None else None,
    )


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


def _kappa(table: Counts) -> float | None:
    """None where chance agreement is 1."""
    kappa = float(compute_kappas(table[np.newaxis])[0])
    return None if math.isnan(kappa) else kappa
