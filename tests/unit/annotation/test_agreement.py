"""Agreement equals what scikit-learn and krippendorff compute of the same verdicts, and is None where undefined."""

import math
import random
from itertools import combinations

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from annotation.agreement import measure_agreement
from core.review import Flag, Judged, Judgement, Round
from core.votes import Criterion

P, F, U = Judged.PASS, Judged.FAIL, Judged.UNSURE
NAMES = ("ann1", "ann2", "ann3")
Row = dict[str, Judged]


def judge(item: int, annotator: str, verdict: Judged, round_: Round = Round.FIRST) -> Judgement:
    return Judgement(
        item=f"cnd_{item}",
        round=round_,
        annotator=annotator,
        type_compliance=verdict,
        unanswerability=P,
        project=1,
        task=1,
        annotation=1,
        content_sha="",
        screen_sha="",
        created="2026-01-02T00:00:00+00:00",
        updated="2026-01-02T00:00:00+00:00",
    )


def judgements_of(rows: list[Row]) -> list[Judgement]:
    return [judge(item, name, verdict) for item, row in enumerate(rows) for name, verdict in row.items()]


def two_of_three(verdicts: list[tuple[int, Judged, Judged]]) -> list[Row]:
    pairs = list(combinations(NAMES, 2))
    return [dict(zip(pairs[pair], given, strict=True)) for pair, *given in verdicts]


@settings(max_examples=25)
@given(
    st.lists(st.tuples(st.integers(0, 2), st.sampled_from(Judged), st.sampled_from(Judged)), min_size=1, max_size=30)
)
def test_kappa_and_alpha_equal_the_libraries(verdicts: list[tuple[int, Judged, Judged]]) -> None:
    rows = two_of_three(verdicts)

    found = measure_agreement(judgements_of(rows))[0]

    for pair in found.pairs:
        both = [(row[pair.annotators[0]], row[pair.annotators[1]]) for row in rows if set(pair.annotators) <= set(row)]
        if len({verdict for given in both for verdict in given}) > 1:
            expected = cohen_kappa_score([one for one, _ in both], [other for _, other in both], labels=list(Judged))
            assert pair.kappa == pytest.approx(expected)
        else:
            assert pair.kappa is None
            assert pair.undefined
    matrix = [[list(Judged).index(row[name]) if name in row else math.nan for row in rows] for name in NAMES]
    if len({verdict for row in rows for verdict in row.values()}) > 1:
        expected = krippendorff.alpha(reliability_data=matrix, level_of_measurement="nominal")
        assert found.alpha == pytest.approx(expected)
    else:
        assert found.alpha is None


def test_a_table_of_cohen_himself() -> None:
    """The textbook table of 50 grant proposals: 20 and 15 agreed, 5 and 10 not; kappa 0.40."""
    rows = [{"ann1": P, "ann2": P}] * 20 + [{"ann1": P, "ann2": F}] * 5
    rows += [{"ann1": F, "ann2": P}] * 10 + [{"ann1": F, "ann2": F}] * 15

    found = measure_agreement(judgements_of(rows))[0]

    assert found.pairs[0].table == ((20, 5, 0), (10, 15, 0), (0, 0, 0))
    assert found.pairs[0].agreement == pytest.approx(0.7)
    assert found.pairs[0].kappa == pytest.approx(0.4)
    assert found.pairs[0].pass_rates == pytest.approx((0.5, 0.6))


def test_the_mean_is_weighted_by_items() -> None:
    rows: list[Row] = [{"ann1": P, "ann2": P}] * 20 + [{"ann1": F, "ann2": F}] * 20
    rows += [{"ann1": P, "ann3": F}, {"ann1": F, "ann3": P}, {"ann1": P, "ann3": P}, {"ann1": F, "ann3": F}]

    found = measure_agreement(judgements_of(rows))[0]

    assert [pair.kappa for pair in found.pairs if pair.items] == pytest.approx([1.0, 0.0])
    assert found.kappa == pytest.approx(40 / 44)


def test_one_category_is_undefined_and_says_why() -> None:
    found = measure_agreement(judgements_of([{"ann1": P, "ann2": P}] * 9))[0]

    assert (found.pairs[0].kappa, found.kappa, found.alpha) == (None, None, None)
    assert found.agreement == 1.0
    assert "one and the same category" in found.undefined[0]
    assert "alpha: all verdicts are equal" in found.undefined[1]
    assert "Fleiss: all verdicts are equal" in found.undefined[2]
    assert found.as_json()["fleiss"] == {"kappa": None, "items": 9, "raters": 2, "undefined": found.fleiss.undefined}


def test_no_verdict_at_all_is_undefined() -> None:
    found = measure_agreement([])[0]

    assert (found.items, found.agreement, found.pass_rate, found.alpha) == (0, None, None, None)


def test_second_rounds_controls_and_flagged_verdicts_are_left_out() -> None:
    first = judgements_of([{"ann1": P, "ann2": F}])
    more = [
        judge(1, "ann1", P, Round.ADJUDICATION),
        judge(2, "ann1", P).model_copy(update={"control": True}),
        judge(3, "ann1", P).model_copy(update={"flags": (Flag.FOREIGN,)}),
    ]

    assert measure_agreement([*first, *more]) == measure_agreement(first)


def test_the_interval_is_that_of_items_drawn_again() -> None:
    source = random.Random(7)
    rows: list[Row] = []
    for _ in range(150):
        verdict = source.choice([P, P, F])
        rows.append({"ann1": verdict, "ann2": verdict if source.random() < 0.8 else source.choice([P, F])})

    low, high = measure_agreement(judgements_of(rows))[0].pairs[0].interval or (0.0, 0.0)

    drawn = np.random.default_rng(1).integers(0, len(rows), size=(200, len(rows)))
    kappas = [
        cohen_kappa_score([rows[place]["ann1"] for place in places], [rows[place]["ann2"] for place in places])
        for places in drawn
    ]
    assert (low, high) == pytest.approx(tuple(np.quantile(kappas, [0.025, 0.975])), abs=0.05)


def test_both_criteria_are_measured() -> None:
    found = measure_agreement(judgements_of([{"ann1": P, "ann2": F}]))

    assert [one.criterion for one in found] == [Criterion.TYPE_COMPLIANCE, Criterion.UNANSWERABILITY]
    assert [one.agreement for one in found] == [0.0, 1.0]


def test_items_and_intervals_of_all_are_of_what_two_have_judged() -> None:
    source = random.Random(7)
    rows: list[Row] = []
    for number in range(150):
        verdict = source.choice([P, P, F])
        one, other = list(combinations(NAMES, 2))[number % 3]
        rows.append({one: verdict, other: verdict if source.random() < 0.8 else source.choice([P, F, U])})

    found = measure_agreement(judgements_of([*rows, {"ann1": F}]))[0]

    assert (found.items, found.paired) == (150, 150)
    coded = np.array([[(P, F, U).index(row[name]) if name in row else math.nan for name in NAMES] for row in rows])
    alphas: list[float] = []
    means: list[float] = []
    for places in np.random.default_rng(1).integers(0, len(rows), size=(200, len(rows))):
        again = coded[places]
        alphas.append(krippendorff.alpha(again.T, level_of_measurement="nominal"))
        pairs = [again[:, pair][~np.isnan(again[:, pair]).any(axis=1)] for pair in combinations(range(3), 2)]
        kappas = [cohen_kappa_score(*pair.T) for pair in pairs]
        means.append(np.average(kappas, weights=[len(pair) for pair in pairs]))
    assert found.alpha_interval == pytest.approx(tuple(np.quantile(alphas, [0.025, 0.975])), abs=0.05)
    assert found.kappa_interval == pytest.approx(tuple(np.quantile(means, [0.025, 0.975])), abs=0.05)


def test_each_subtype_has_the_figures_of_its_own_items() -> None:
    rows: list[Row] = [{"ann1": P, "ann2": P}, {"ann1": P, "ann2": F}, {"ann1": F, "ann2": F}]
    subtypes = {"cnd_0": "ambiguity", "cnd_1": "mismatch", "cnd_2": "mismatch"}

    found = measure_agreement(judgements_of(rows), subtypes=subtypes)[0].subtypes

    assert {name: (one.items, one.agreement) for name, one in found.items()} == {
        "ambiguity": (1, 1.0),
        "mismatch": (2, 0.5),
    }
    assert found["mismatch"].alpha == measure_agreement(judgements_of(rows[1:]))[0].alpha
