"""Labels that the text gives away are found, those that it does not are not, and pairs do not help."""

import random

import numpy as np
import pytest

from filters.blind_baseline import measure_blind
from filters.blind_rebalancing import rebalance
from filters.blind_reports import BlindReport, BlindRow, fails
from filters.grouped_intervals import balanced_share, grouped_auc

pytestmark = pytest.mark.integration

_WORDS = ("cat", "dog", "car", "tree", "house", "red", "blue", "small", "runs", "sits", "near", "lake", "road", "hat")


def _sentence(random_: random.Random) -> str:
    return " ".join(random_.choice(_WORDS) for _ in range(9))


def _rows(count: int, cue: float, *, flawed_share: float = 0.5, subtype: str = "s") -> list[BlindRow]:
    """Of the flawed rows, a share `cue` begins with `might`."""
    random_ = random.Random(1)
    rows: list[BlindRow] = []
    for number in range(count):
        label = number >= flawed_share * count
        text = _sentence(random_)
        text = f"might {text}" if not label and random_.random() < cue else text
        rows.append(BlindRow(f"r{number:04}", text, label, f"g{number}", subtype))
    return rows


def _matched(pairs: int, cue: float = 0) -> list[BlindRow]:
    """One frame for both labels, and another last word; a share `cue` of the flawed ones ends with `jug`."""
    random_ = random.Random(2)
    rows: list[BlindRow] = []
    for number in range(pairs):
        frame, (one, other) = _sentence(random_), random_.sample(_WORDS, 2)
        other = "jug" if number < cue * pairs else other
        rows += [
            BlindRow(f"{number}p", f"{frame} {one}", True, str(number), pair=f"pair {number}"),
            BlindRow(f"{number}n", f"{frame} {other}", False, str(number), pair=f"pair {number}"),
        ]
    return rows


def test_a_first_word_that_only_flawed_questions_have_fails_the_gate_and_is_named() -> None:
    report = measure_blind(_rows(400, 0.6))
    assert 0.74 < report.best.accuracy < 0.86
    assert report.best.interval[0] < report.best.accuracy < report.best.interval[1]
    assert report.best.auc is not None
    assert report.best.auc > 0.7
    assert fails(report)
    told = {feature.feature: feature for feature in report.features}
    assert told["first: might"].sound == 0
    assert told["first: might"].flawed > 100
    assert told["first: might"].z < -10


def test_matched_pairs_pass() -> None:
    report = measure_blind(_matched(100))
    assert abs(report.best.accuracy - 0.5) < 0.06
    assert not fails(report)
    assert (report.rows, report.groups) == (200, 100)


def test_rows_of_one_group_do_not_tell_each_others_labels() -> None:
    random_ = random.Random(3)
    rows: list[BlindRow] = []
    for group in range(60):
        text, label = " ".join("".join(random_.choices("abcdefgh", k=8)) for _ in range(5)), random_.random() < 0.5
        rows += [BlindRow(f"{group}-{number}", text, label, str(group)) for number in range(5)]
    grouped = measure_blind(rows).best.accuracy
    alone = measure_blind([row._replace(group=row.id) for row in rows]).best.accuracy
    assert alone > 0.95
    assert grouped < 0.65


def test_a_frequent_label_is_no_accuracy() -> None:
    report = measure_blind(_rows(600, 0.0, flawed_share=0.9))
    assert report.majority == 0.9
    assert report.best.accuracy < 0.6
    assert measure_blind(_rows(600, 0.9, flawed_share=0.9)).best.accuracy > 0.9


def test_what_gives_away_one_subtype_and_misleads_in_another_is_found_in_each() -> None:
    cued = _rows(300, 0.9, subtype="one")
    turned = [row._replace(id=f"t{row.id}", group=f"t{row.group}", label=not row.label, subtype="two") for row in cued]
    report = measure_blind([*cued, *turned])
    assert report.best.accuracy < 0.6
    assert {one.subtype for one in report.subtypes} == {"one", "two"}
    assert all(one.score.accuracy > 0.85 for one in report.subtypes)


def test_a_sound_twin_counts_for_every_subtype_of_its_group() -> None:
    flawed = [BlindRow(f"{name}{n}", f"odd {n % 7}", False, str(n), name) for n in range(30) for name in ("a", "b")]
    twins = [BlindRow(f"twin{n}", f"plain {n % 7}", True, str(n)) for n in range(30)]
    report = measure_blind([*flawed, *twins])
    assert [(one.subtype, one.score.rows) for one in report.subtypes] == [("a", 60), ("b", 60)]
    assert all(one.score.accuracy == 1.0 for one in report.subtypes)


def test_the_order_of_the_rows_does_not_matter() -> None:
    rows = _rows(120, 0.4)
    shuffled = random.Random(5).sample(rows, len(rows))
    assert measure_blind(rows) == measure_blind(shuffled)
    found = rebalance(rows, 0.7)
    assert found.drop
    assert found == rebalance(shuffled, 0.7)


def test_numbers_of_pictures_are_reported_and_do_not_fail() -> None:
    rows = [row._replace(picture=(float(row.label), 1.0)) for row in _rows(400, 0.0)]
    report = measure_blind(rows)
    assert report.picture is not None
    assert report.picture.accuracy == 1.0
    assert not fails(report)
    assert measure_blind(_rows(100, 0.0)).picture is None


def test_one_label_alone_is_refused() -> None:
    with pytest.raises(ValueError, match="both labels"):
        measure_blind([row._replace(label=True) for row in _rows(20, 0.0)])


def test_texts_without_words_and_chinese_ones_are_measured() -> None:
    empty = [BlindRow(str(n), "", n % 2 == 0, str(n)) for n in range(100)]
    assert measure_blind(empty).best.accuracy == 0.5
    chinese = [
        BlindRow(str(n), f"图中{'可能' if n % 2 else '红色'}的车是什么{n % 5}", n % 2 == 0, str(n)) for n in range(100)
    ]
    assert measure_blind(chinese).best.accuracy == 1.0


def test_rebalancing_drops_few_and_the_rest_passes() -> None:
    rows = _rows(600, 0.4)
    found = rebalance(rows, 0.6)
    gone = [row for row in rows if row.id in found.drop]
    rest = [row for row in rows if row.id not in found.drop]
    assert not fails(found.report)
    assert found.report == measure_blind(rest)
    # With c of 300 cued a reader is right in 0.5 + c/600. That must be below 0.56, so of 120 about 85 go.
    assert 80 < len(gone) < 130
    assert sum(row.text.startswith("might") for row in gone) > 0.75 * len(gone)


def test_rebalancing_drops_matched_pairs_as_a_whole_and_few_of_them() -> None:
    rows = _matched(250, 0.4)
    found = rebalance(rows, 0.6)
    rest = [row for row in rows if row.id not in found.drop]
    assert not fails(found.report)
    assert found.report == measure_blind(rest)
    assert {row.pair for row in rows if row.id in found.drop}.isdisjoint(row.pair for row in rest)
    # With c cued ones of n pairs a reader is right in 0.5 + c/2n. That must be below 0.56, so of 100 about 75 go.
    assert 250 - 60 > found.report.pairs > 250 - 100
    assert sum("jug" in row.text for row in rows if row.id in found.drop) > 0.45 * len(found.drop)


def test_rebalancing_drops_nothing_where_nothing_helps_or_nothing_is_wrong() -> None:
    few = _rows(16, 0.9)
    assert fails(rebalance(few, 0.6).report)
    assert rebalance(few, 0.6).drop == ()
    assert rebalance(_matched(100), 0.6).drop == ()


def test_the_report_is_frozen_and_survives_json() -> None:
    report = measure_blind(_rows(100, 0.5))
    assert BlindReport.model_validate_json(report.model_dump_json()) == report


@pytest.mark.parametrize("together", ["alone", "alike", "in turn"])
@pytest.mark.parametrize("share", [0.5, 0.9])
def test_intervals_hold_the_truth_about_as_often_as_they_say(together: str, share: float) -> None:
    random_ = np.random.default_rng(0)
    groups = [str(group) for group in range(60) for _ in range(2)]
    labels = np.tile([True, False], 60)
    held = 0
    for _ in range(300):
        right = random_.random(120) < share
        if together == "alike":
            right[1::2] = right[::2]
        elif together == "in turn":
            right[1::2] = random_.random(60) < share if share != 0.5 else ~right[::2]
        low, high = balanced_share(right, labels, groups).interval
        held += low <= share <= high
    assert held / 300 > 0.92


def test_the_interval_of_the_area_holds_a_half_for_noise() -> None:
    random_ = np.random.default_rng(0)
    groups = [str(group) for group in range(60) for _ in range(2)]
    labels = np.tile([True, False], 60)
    held = 0
    for _ in range(300):
        estimate = grouped_auc(random_.normal(size=120) + np.repeat(random_.normal(size=60), 2), labels, groups)
        assert estimate is not None
        held += estimate.interval[0] <= 0.5 <= estimate.interval[1]
    assert held / 300 > 0.92
