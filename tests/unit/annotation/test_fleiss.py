"""Fleiss' kappa of published verdicts, and beside alpha, which counts the same pairs."""

import random

import krippendorff
import numpy as np
import pytest

from annotation.fleiss import compute_fleiss, measure_fleiss
from core.review import Judged

# Fleiss 1971, table 1: 30 patients by 6 psychiatrists each, of five diagnoses.
PATIENTS = """
00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050 02031
00501 30012 51000 02040 10203 00006 01050 02013 20040 10041 05010 40002 02040 10500 00006
"""


def test_the_example_of_fleiss_himself() -> None:
    counts = np.array([[int(count) for count in row] for row in PATIENTS.split()])
    assert counts.sum(axis=0).tolist() == [26, 26, 30, 55, 43]
    kappa = compute_fleiss(counts)
    assert kappa is not None
    assert round(kappa, 3) == 0.430


@pytest.mark.parametrize("raters", [2, 3, 5])
def test_it_is_alpha_but_for_the_number_of_verdicts(raters: int) -> None:
    drawn = random.Random(7)
    said = [[drawn.choice((0, 0, 0, 1, 2)) for _ in range(raters)] for _ in range(40)]
    verdicts = {
        f"cnd_{item}": {f"ann{number}": tuple(Judged)[value] for number, value in enumerate(row)}
        for item, row in enumerate(said)
    }
    found = measure_fleiss(verdicts)
    assert (found.items, found.raters, found.undefined) == (40, raters, None)
    assert found.kappa is not None
    alpha = krippendorff.alpha(reliability_data=np.array(said).T, level_of_measurement="nominal")
    total = 40 * raters
    assert 1 - alpha == pytest.approx((1 - found.kappa) * (total - 1) / total)


def test_items_with_fewer_verdicts_than_others_are_left_out() -> None:
    whole = {f"cnd_{item}": {"a": Judged.PASS, "b": Judged.PASS, "c": Judged.FAIL} for item in range(3)}
    found = measure_fleiss(whole | {"cnd_9": {"a": Judged.UNSURE, "b": Judged.UNSURE}})
    assert found == measure_fleiss(whole)
    assert (found.items, found.raters) == (3, 3)


@pytest.mark.parametrize(
    ("verdicts", "reason"),
    [
        ({}, "no item was judged by two"),
        ({"cnd_1": {"a": Judged.PASS}}, "no item was judged by two"),
        ({"cnd_1": {"a": Judged.PASS, "b": Judged.PASS}}, "all verdicts are equal"),
    ],
    ids=["nothing", "one", "equal"],
)
def test_where_it_is_undefined_it_is_none_with_the_reason(verdicts: dict[str, dict[str, Judged]], reason: str) -> None:
    found = measure_fleiss(verdicts)
    assert found.kappa is None
    assert reason in str(found.undefined)
