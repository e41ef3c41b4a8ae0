"""Where the review stands: for each annotator what is done, left and flagged, how long an item takes, how many control
items were judged as known, and how many days of work are left at the pace so far."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from statistics import median
from typing import NamedTuple

from core.review import BOTH_CRITERIA, Assignment, Control, Flag, Judged, Judgement, Round
from core.votes import Criterion

HASTY_SECONDS = 2.0
"""A median below: nobody reads two questions and looks at their pictures in that."""
FEW_CONTROLS_RIGHT = 0.8


class AnnotatorProgress(NamedTuple):
    """Items, both rounds together. `flagged` counts the flags of items of which nothing counts; `seconds` is the median
    time of an item; `controls_right` of `controls_judged` known verdicts were given as they are known; `days_left` is
    at the mean pace of the days on which the annotator worked, None before the first verdict."""

    annotator: str
    assigned: int
    done: int
    flagged: tuple[tuple[Flag, int], ...]
    seconds: float | None
    controls_right: int
    controls_judged: int
    days_left: float | None

    @property
    def left(self) -> int:
        return self.assigned - self.done

    @property
    def hours_left(self) -> float | None:
        """Of work, at the median time of an item."""
        return None if self.seconds is None else self.left * self.seconds / 3600

    @property
    def doubts(self) -> tuple[str, ...]:
        """Why somebody should look at these verdicts before they are used."""
        hasty = self.seconds is not None and self.seconds < HASTY_SECONDS
        wrong = self.controls_right < FEW_CONTROLS_RIGHT * self.controls_judged
        return (
            *([f"{self.seconds:.1f} seconds an item: too fast to have read it"] if hasty else []),
            *(
                [f"{self.controls_right} of {self.controls_judged} controls right, below {FEW_CONTROLS_RIGHT:.0%}"]
                if wrong
                else []
            ),
        )


def measure_progress(
    annotators: Sequence[str],
    assignments: Iterable[Assignment],
    judgements: Iterable[Judgement],
    controls: Mapping[str, Control],
) -> list[AnnotatorProgress]:
    """One for each annotator, in the order given."""
    asked, given = list(assignments), list(judgements)
    return [
        _measure(
            annotator,
            [found for found in asked if found.annotator == annotator],
            [found for found in given if found.annotator == annotator],
            controls,
        )
        for annotator in annotators
    ]


def _measure(
    annotator: str, assigned: Sequence[Assignment], judgements: Sequence[Judgement], controls: Mapping[str, Control]
) -> AnnotatorProgress:
    wanted = {(found.item, found.round) for found in assigned}
    given = [found for found in judgements if (found.item, found.round) in wanted]
    counted = [found for found in given if found.counts]
    flagged = Counter(flag for found in find_uncounted(given) for flag in found.flags)
    known = [pair for found in counted if found.control for pair in _known_verdicts(found, controls[found.item])]
    times = [found.seconds for found in counted if found.seconds is not None]
    days = Counter(datetime.fromisoformat(found.created).date() for found in counted)
    return AnnotatorProgress(
        annotator,
        assigned=len(wanted),
        done=len(counted),
        flagged=tuple(sorted(flagged.items())),
        seconds=median(times) if times else None,
        controls_right=sum(given is expected for given, expected in known),
        controls_judged=len(known),
        days_left=(len(wanted) - len(counted)) * len(days) / len(counted) if counted else None,
    )


def find_uncounted(judgements: Iterable[Judgement]) -> list[Judgement]:
    """The newest of each item, round and annotator of which none counts: to be judged again."""
    given: defaultdict[tuple[str, Round, str], list[Judgement]] = defaultdict(list)
    for judgement in judgements:
        given[judgement.item, judgement.round, judgement.annotator].append(judgement)
    return [max(found, key=_updated) for found in given.values() if not any(judgement.counts for judgement in found)]


def _updated(judgement: Judgement) -> datetime:
    return datetime.fromisoformat(judgement.updated)


def _known_verdicts(judgement: Judgement, control: Control) -> list[tuple[Judged | None, Judged]]:
    """What was said beside what is known, where something is."""
    expected = {
        Criterion.TYPE_COMPLIANCE: control.type_compliance,
        Criterion.UNANSWERABILITY: control.unanswerability,
    }
    return [
        (judgement.verdict(criterion), verdict)
        for criterion in BOTH_CRITERIA
        if (verdict := expected[criterion]) is not None
    ]
