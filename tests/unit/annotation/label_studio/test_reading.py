"""What comes back from the server and what of it counts."""

from collections.abc import Mapping, Sequence
from random import Random

import pytest

from annotation.label_studio.reading import TOUCHED, Asked, Desk, read_item
from annotation.label_studio.shapes import SentTask, read_task, seal
from core.errors import AnnotationError
from core.review import Flag, Judged, Judgement, Round
from core.votes import Criterion

ME, OTHER = 7, 8
DESK = Desk("ann1", ME, Round.FIRST, 3, "screen", screen_changed=False)
ASKED = Asked("cnd_a", content_sha="sha")
PASSED = {"type_compliance": "pass", "unanswerability": "pass"}


def result(answers: Mapping[str, object]) -> list[dict[str, object]]:
    return [
        {"from_name": name, "to_name": "modified", "value": {"text" if "reason" in name else "choices": [answer]}}
        for name, answer in answers.items()
    ]


def annotation(number: int = 1, minute: int = 0, **changes: object) -> dict[str, object]:
    return {
        "id": number,
        "result": result(PASSED),
        "completed_by": ME,
        "updated_by": ME,
        "was_cancelled": False,
        "lead_time": 4.5,
        "created_at": f"2026-11-30T10:{number:02}:00Z",
        "updated_at": f"2026-11-30T11:{minute:02}:00.250000Z",
    } | changes


def task(*annotations: object, number: int = 50, drafts: Sequence[object] = (), **data: object) -> SentTask:
    sealed = seal({"sample_id": "cnd_a", "round": 1, "content_sha": "sha", "modified": "text"})
    return read_task({"id": number, "data": sealed | data, "annotations": list(annotations), "drafts": list(drafts)})


def read(*tasks: SentTask, known: Sequence[Judgement] = (), asked: Asked = ASKED) -> tuple[Judgement, ...]:
    return read_item(asked, tasks, tasks, (), known, DESK)


def test_an_honest_whole_annotation_counts_with_all_that_was_sent() -> None:
    answers = {
        "type_compliance": "fail",
        "type_compliance_reason": " wrong type ",
        "unanswerability": "unsure",
        "problem": "picture_broken",
    }
    (judgement,) = read(task(annotation(result=result(answers))), asked=Asked("cnd_a", control=True))

    assert judgement.counts
    assert judgement.verdict(Criterion.TYPE_COMPLIANCE) is Judged.FAIL
    assert judgement.type_compliance_reason == "wrong type"
    assert judgement.unanswerability is Judged.UNSURE
    assert judgement.problems == ("picture_broken",)
    assert (judgement.seconds, judgement.control, judgement.edited_by) == (4.5, True, ME)
    assert (judgement.project, judgement.task, judgement.annotation) == (3, 50, 1)
    assert (judgement.content_sha, judgement.screen_sha) == ("sha", "screen")


@pytest.mark.parametrize(
    ("changes", "flags"),
    [
        ({"result": []}, {Flag.EMPTY}),
        ({"result": None}, {Flag.EMPTY}),
        ({"result": "text"}, {Flag.EMPTY}),
        ({"result": ["text"]}, {Flag.UNKNOWN_CONTROL, Flag.INCOMPLETE}),
        ({"result": [*result(PASSED), *result({"nope": "pass"})]}, {Flag.UNKNOWN_CONTROL}),
        ({"result": result(PASSED | {"problem": "bored"})}, {Flag.UNKNOWN_CHOICE}),
        ({"result": result(PASSED | {"unanswerability": "PASS"})}, {Flag.UNKNOWN_CHOICE, Flag.INCOMPLETE}),
        ({"result": [*result(PASSED), *result({"unanswerability": "fail"})]}, {Flag.UNKNOWN_CHOICE, Flag.INCOMPLETE}),
        ({"result": [{"from_name": "type_compliance"}]}, {Flag.UNKNOWN_CHOICE, Flag.INCOMPLETE}),
        ({"result": [{"from_name": ["a"], "value": 3}]}, {Flag.UNKNOWN_CONTROL, Flag.INCOMPLETE}),
        ({"result": result({"type_compliance": "pass"})}, {Flag.INCOMPLETE}),
        ({"result": result(PASSED | {"type_compliance": "fail"})}, {Flag.REASON_MISSING}),
        (
            {"result": result({"type_compliance_reason": "  ", **PASSED, "type_compliance": "fail"})},
            {Flag.REASON_MISSING},
        ),
        (
            {
                "result": result(
                    {"type_compliance_reason": "\u200b\u2060 \ufeff\u3164\u0301\t", **PASSED, "type_compliance": "fail"}
                )
            },
            {Flag.REASON_MISSING},
        ),
        ({"was_cancelled": True, "result": []}, {Flag.SKIPPED}),
        ({"completed_by": OTHER, "updated_by": OTHER}, {Flag.FOREIGN}),
        ({"completed_by": {"id": OTHER}, "updated_by": None}, {Flag.FOREIGN}),
        ({"completed_by": None, "updated_by": None}, {Flag.FOREIGN}),
        ({"updated_by": OTHER}, {Flag.EDITED_BY_OTHER}),
    ],
)
def test_what_the_server_lets_through_is_kept_and_flagged(changes: dict[str, object], flags: set[Flag]) -> None:
    (judgement,) = read(task(annotation(**changes)))

    assert set(judgement.flags) == flags
    assert judgement.detail


@pytest.mark.parametrize("seconds", [None, "4", True, -1.0, float("nan"), float("inf"), 1e300])
def test_a_time_that_cannot_be_is_none(seconds: object) -> None:
    (judgement,) = read(task(annotation(lead_time=seconds)))

    assert judgement.counts
    assert judgement.seconds is None


def test_an_annotation_without_number_or_time_is_no_annotation() -> None:
    for changes in ({"id": "x"}, {"updated_at": None}, {"updated_at": "2026-11-30T10:00:00"}):
        with pytest.raises(AnnotationError, match="Label Studio sent"):
            task(annotation() | changes)
    for field in ("result", "completed_by", "updated_by", "was_cancelled"):
        with pytest.raises(AnnotationError, match=f"an annotation without {field}"):
            task({name: value for name, value in annotation().items() if name != field})


def test_a_long_reason_is_cut_with_a_note_and_half_a_surrogate_pair_is_replaced() -> None:
    answers = PASSED | {"type_compliance": "fail", "type_compliance_reason": "bad \ud800" + "x" * 20_000}
    (judgement,) = read(task(annotation(result=result(answers))))

    assert judgement.counts
    assert judgement.type_compliance_reason == "bad ?" + "x" * 9_995
    assert judgement.detail == "type_compliance_reason: the first 10000 of 20005 letters"


def test_a_reason_left_over_from_a_change_of_mind_is_let_go_of() -> None:
    (judgement,) = read(task(annotation(result=result(PASSED | {"type_compliance_reason": "old"}))))

    assert judgement.counts
    assert judgement.type_compliance_reason == ""


def test_only_the_criteria_that_were_asked_must_be_there() -> None:
    asked = Asked("cnd_a", criteria=(Criterion.UNANSWERABILITY,))
    (judgement,) = read(task(annotation(result=result({"unanswerability": "pass"}))), asked=asked)

    assert judgement.counts


def test_the_first_whole_annotation_counts_and_a_second_is_a_double() -> None:
    found = read(task(annotation(1, result=[]), annotation(2), annotation(3)))

    assert [judgement.flags for judgement in found] == [(Flag.EMPTY,), (), (Flag.DOUBLE,)]


def test_doubles_in_two_tasks_of_one_item_are_told_from_each_other() -> None:
    found = read(task(annotation(2), number=51), task(annotation(1)))

    assert [(judgement.annotation, judgement.flags) for judgement in found] == [(1, ()), (2, (Flag.DOUBLE,))]


def test_the_newest_version_of_the_annotator_counts_and_the_older_is_kept_as_revised() -> None:
    first = read(task(annotation()))
    failed = result(PASSED | {"unanswerability": "fail", "unanswerability_reason": "it is given"})
    second = read(task(annotation(minute=5, result=failed)), known=first)

    assert [judgement.flags for judgement in second] == [(Flag.REVISED,), ()]
    assert second[1].unanswerability is Judged.FAIL


def test_an_edit_by_another_is_flagged_and_the_honest_version_goes_on_counting() -> None:
    first = read(task(annotation()))
    edited = annotation(minute=5, updated_by=OTHER, result=result(PASSED | {"unanswerability": "unsure"}))
    second = read(task(edited), known=first)

    assert [judgement.flags for judgement in second] == [(), (Flag.EDITED_BY_OTHER,)]
    assert second[0] == first[0]

    third = read(task(annotation(minute=9)), known=second)
    assert [judgement.flags for judgement in third] == [(Flag.REVISED,), (Flag.EDITED_BY_OTHER,), ()]


def test_an_annotation_given_to_another_or_whose_account_was_deleted_stays_that_of_its_author() -> None:
    first = read(task(annotation()))
    given = read(task(annotation(minute=5, completed_by=OTHER, updated_by=OTHER)), known=first)
    orphan = read(task(annotation(completed_by=None, updated_by=None)), known=first)

    assert [judgement.flags for judgement in given] == [(), (Flag.FOREIGN,)]
    assert orphan == first


def test_a_deleted_annotation_is_flagged_and_the_next_one_counts() -> None:
    first = read(task(annotation()))
    second = read(task(annotation(2)), known=first)

    assert [judgement.flags for judgement in second] == [(Flag.DELETED,), ()]


def test_a_deleted_task_takes_its_annotations_along_and_an_unread_one_does_not() -> None:
    known = read(task(annotation(1)), task(annotation(2), number=51))

    unread = read_item(ASKED, (), (), (), known, DESK)
    gone = read_item(ASKED, (), (), {50}, known, DESK)

    assert unread == known
    assert [judgement.flags for judgement in gone] == [(Flag.DELETED,), ()]


def test_what_was_deleted_stays_deleted_over_pulls_that_do_not_look_until_it_is_seen_again() -> None:
    first = read(task(annotation(1)), task(annotation(2), number=51))
    known = read_item(ASKED, [task()], (), (), first, DESK)
    assert [judgement.flags for judgement in known] == [(Flag.DELETED,), ()]

    for tasks, gone in (((), ()), ((), {51}), ((), ()), ((task(number=51),), ()), ((), ())):
        known = read_item(ASKED, tasks, (), gone, known, DESK)
        assert known[0].flags == (Flag.DELETED,)
    assert [judgement.flags for judgement in known] == [(Flag.DELETED,), (Flag.DELETED,)]
    moved = Desk("ann1", ME, Round.FIRST, 4, "screen", screen_changed=False)
    assert read_item(ASKED, (), (), (), known, moved) == known

    assert read(task(annotation(1)), task(annotation(2), number=51), known=known) == first


def test_verdicts_of_a_project_that_was_made_again_stay() -> None:
    known = read(task(annotation(1)))
    moved = Desk("ann1", ME, Round.FIRST, 4, "screen", screen_changed=False)

    found = read_item(ASKED, [task(annotation(9), number=50)], (), {50}, known, moved)

    assert [judgement.flags for judgement in found] == [(), (Flag.DOUBLE,)]


def test_other_content_than_should_be_shown_makes_a_verdict_stale() -> None:
    known = read(task(annotation()))
    (judgement,) = read_item(Asked("cnd_a", content_sha="new"), (), (), (), known, DESK)

    assert judgement.flags == (Flag.STALE,)
    assert read_item(ASKED, (), (), (), [judgement], DESK) == known


def test_data_changed_by_hand_make_a_verdict_stale_until_they_are_put_back() -> None:
    first = read(task(annotation()))
    (touched,) = read(task(annotation(), modified="another text"), known=first)

    assert touched.flags == (Flag.STALE,)
    assert touched.detail == TOUCHED
    assert read_item(ASKED, (), (), (), [touched], DESK) == (touched,)
    assert read(task(annotation(), modified="another text"), known=[touched]) == (touched,)
    assert read(task(annotation()), known=[touched]) == first


def test_verdicts_first_read_from_a_changed_screen_are_flagged_and_those_before_are_not() -> None:
    known = read(task(annotation()))
    changed = Desk("ann1", ME, Round.FIRST, 3, "other", screen_changed=True)

    same = read_item(ASKED, [task(annotation())], (), (), known, changed)
    (new,) = read_item(ASKED, [task(annotation())], (), (), (), changed)

    assert same == known
    assert new.flags == (Flag.SCREEN_CHANGED,)
    assert read(task(annotation()), known=[new]) == (new,)


def test_a_draft_is_seen_and_never_counted_and_goes_when_it_is_submitted() -> None:
    draft = {name: annotation(4)[name] for name in ("id", "result", "lead_time", "created_at", "updated_at")}
    (seen,) = read(task(drafts=[draft]))
    submitted = read(task(annotation(4)), known=[seen])

    assert seen.flags == (Flag.DRAFT,)
    assert [judgement.flags for judgement in submitted] == [()]


def test_reading_again_gives_the_same_whatever_came_before() -> None:
    random = Random(4)
    makers = [
        lambda number, minute: annotation(number, minute),
        lambda number, minute: annotation(number, minute, updated_by=OTHER),
        lambda number, minute: annotation(number, minute, result=[]),
        lambda number, minute: annotation(number, minute, completed_by=OTHER),
    ]
    for _ in range(200):
        known: tuple[Judgement, ...] = ()
        for minute in range(4):
            living = [
                random.choice(makers)(number, minute) for number in random.sample(range(1, 4), random.randint(0, 3))
            ]
            state = task(*living, modified=random.choice(["text", "text", "touched"]))
            known = read(state, known=known)
            assert read(state, known=known) == known
            assert read(state, known=list(reversed(known))) == known
            assert sum(judgement.counts for judgement in known) <= 1
