"""Where each annotator stands."""

from annotation.progress import measure_progress
from core.records import Flaw, FlawedSample, Language, Sample, Subject, TextPart, TextRemoval
from core.review import Assignment, Control, Flag, Judged, Judgement, Round
from core.taxonomy import Subtype

SAMPLE = Sample(
    source="s",
    source_id="1",
    context=None,
    query="What?",
    subject=Subject.MATHEMATICS,
    language=Language.ENGLISH,
    licence="CC0-1.0",
    attribution="us",
)
FLAW = Flaw(
    subtype=Subtype.MISSING_INSTRUCTION,
    generator="rules",
    injector_version=1,
    edits=(TextRemoval(part=TextPart.QUERY),),
    explanation="Nothing is asked.",
)
CANDIDATE = FlawedSample(parent=SAMPLE.id, context=None, query=None, flaws=(FLAW,))
CONTROL = Control(candidate=CANDIDATE, parent=SAMPLE, type_compliance=Judged.PASS, unanswerability=None)


def assign(item: str, *, control: bool = False) -> Assignment:
    return Assignment(
        item=item, subtype=Subtype.MISSING_INSTRUCTION, round=Round.FIRST, annotator="ann1", control=control
    )


def judge(
    item: str,
    day: int,
    seconds: float,
    verdict: Judged = Judged.PASS,
    flags: tuple[Flag, ...] = (),
    *,
    control: bool = False,
) -> Judgement:
    return Judgement(
        item=item,
        round=Round.FIRST,
        annotator="ann1",
        type_compliance=verdict,
        unanswerability=Judged.PASS,
        seconds=seconds,
        control=control,
        flags=flags,
        project=1,
        task=1,
        annotation=1,
        content_sha="",
        screen_sha="",
        created=f"2026-01-{day:02}T10:00:00+00:00",
        updated=f"2026-01-{day:02}T10:00:00+00:00",
    )


def test_done_left_time_flags_and_days() -> None:
    asked = [assign(f"cnd_{number}") for number in range(10)]
    given = [
        judge("cnd_0", 1, 10),
        judge("cnd_1", 1, 20),
        judge("cnd_2", 2, 90),
        judge("cnd_3", 2, 5),
        judge("cnd_4", 2, 1, flags=(Flag.SKIPPED,)),
    ]

    one, other = measure_progress(["ann1", "ann2"], asked, given, {})

    assert (one.assigned, one.done, one.left) == (10, 4, 6)
    assert one.flagged == ((Flag.SKIPPED, 1),)
    assert one.seconds == 15
    assert one.days_left == 3.0
    assert (other.assigned, other.seconds, other.days_left) == (0, None, None)


def test_flags_of_an_answer_that_another_took_the_place_of_are_not_counted() -> None:
    asked = [assign("cnd_0"), assign("cnd_1")]
    bad = (Flag.INCOMPLETE, Flag.UNKNOWN_CHOICE)
    given = [
        judge("cnd_0", 1, 10, flags=(*bad, Flag.DELETED)),
        judge("cnd_0", 2, 10),
        judge("cnd_1", 1, 10, flags=bad),
        judge("cnd_1", 2, 10, flags=(Flag.DRAFT,)),
        judge("cnd_9", 1, 10, flags=bad),
    ]

    (found,) = measure_progress(["ann1"], asked, given, {})

    assert found.done == 1
    assert found.flagged == ((Flag.DRAFT, 1),)


def test_controls_count_only_verdicts_that_are_known() -> None:
    asked = [assign("cnd_0", control=True), assign("cnd_1", control=True)]
    given = [
        judge("cnd_0", 1, 10, control=True),
        judge("cnd_1", 1, 10, Judged.FAIL, control=True),
    ]

    found = measure_progress(["ann1"], asked, given, {"cnd_0": CONTROL, "cnd_1": CONTROL})[0]

    assert (found.controls_right, found.controls_judged) == (1, 2)


def test_a_verdict_on_what_is_no_longer_asked_is_not_progress() -> None:
    assert measure_progress(["ann1"], [assign("cnd_0")], [judge("cnd_9", 1, 3)], {})[0].done == 0


def test_haste_and_wrong_controls_are_doubts() -> None:
    asked = [assign("cnd_0", control=True), assign("cnd_1")]
    hasty, careful = (
        measure_progress(
            ["ann1"],
            asked,
            [judge("cnd_0", 1, seconds, verdict, control=True), judge("cnd_1", 1, seconds)],
            {"cnd_0": CONTROL},
        )[0]
        for seconds, verdict in ((1.94, Judged.FAIL), (2.0, Judged.PASS))
    )

    assert hasty.doubts == ("1.9 seconds an item: too fast to have read it", "0 of 1 controls right, below 80%")
    assert careful.doubts == ()


def test_hours_left_are_at_the_median_time() -> None:
    asked = [assign(f"cnd_{number}") for number in range(3)]

    assert measure_progress(["ann1"], asked, [judge("cnd_0", 1, 1800)], {})[0].hours_left == 1.0
    assert measure_progress(["ann1"], asked, [], {})[0].hours_left is None
