"""The answers inside one annotation. Only what the screen offers is understood; anything else is said, not guessed."""

import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from core.review import BOTH_CRITERIA, Flag, Judged
from core.votes import Criterion

PROBLEM = "problem"
PROBLEMS = ("picture_broken",)

_REASONS = {f"{criterion.value}_reason": criterion for criterion in BOTH_CRITERIA}
_CRITERIA = {criterion.value: criterion for criterion in BOTH_CRITERIA}
_NAME_LETTERS = 60
_REASON_LETTERS = 10_000
_EMPTY_LETTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # fillers that Unicode calls letters and signs


@dataclass(slots=True)
class Answers:
    """`faults`: why it cannot count as it stands, each with what was seen. `notes`: what else is to be known of it."""

    verdicts: dict[Criterion, Judged] = field(default_factory=dict[Criterion, Judged])
    reasons: dict[Criterion, str] = field(default_factory=dict[Criterion, str])
    problems: tuple[str, ...] = ()
    faults: list[tuple[Flag, str]] = field(default_factory=list[tuple[Flag, str]])
    notes: list[str] = field(default_factory=list[str])


def read_answers(result: object, criteria: Collection[Criterion]) -> Answers:
    """`criteria` are those that were asked. A reason that does not belong to its verdict is let go of: the form keeps
    what was typed before a change of mind."""
    answers = Answers()
    if not isinstance(result, list) or not result:
        answers.faults.append((Flag.EMPTY, "no answers"))
        return answers
    chosen: dict[str, list[object]] = {}
    for region in result:
        _sort_in(region, chosen, answers)
    for name, criterion in _CRITERIA.items():
        if name in chosen:
            _read_verdict(criterion, chosen[name], answers)
    _read_problems(chosen.get(PROBLEM, []), answers)
    _check(criteria, answers)
    return answers


def _sort_in(region: object, chosen: dict[str, list[object]], answers: Answers) -> None:
    fields = region if isinstance(region, Mapping) else {}
    name, value = fields.get("from_name"), fields.get("value")
    value = value if isinstance(value, Mapping) else {}
    if not isinstance(name, str):
        answers.faults.append((Flag.UNKNOWN_CONTROL, _quote(region)))
    elif name in _REASONS:
        _add_reason(_REASONS[name], value.get("text"), answers)
    elif name in _CRITERIA or name == PROBLEM:
        choices = value.get("choices")
        chosen.setdefault(name, []).extend(choices if isinstance(choices, list) else [choices])
    else:
        answers.faults.append((Flag.UNKNOWN_CONTROL, _quote(name)))


def _add_reason(criterion: Criterion, text: object, answers: Answers) -> None:
    parts = [text] if isinstance(text, str) else text if isinstance(text, Sequence) else []
    lines = [answers.reasons.get(criterion, ""), *(part.strip() for part in parts if isinstance(part, str))]
    answers.reasons[criterion] = "\n".join(line for line in lines if line)


def _read_verdict(criterion: Criterion, choices: list[object], answers: Answers) -> None:
    verdict = next((one for one in Judged if choices == [one.value]), None)
    if verdict is not None:
        answers.verdicts[criterion] = verdict
    elif choices:
        answers.faults.append((Flag.UNKNOWN_CHOICE, f"{criterion.value}: {_quote(choices)}"))


def _read_problems(choices: list[object], answers: Answers) -> None:
    answers.problems = tuple(problem for problem in PROBLEMS if problem in choices)
    strange = [choice for choice in choices if choice not in PROBLEMS]
    if strange:
        answers.faults.append((Flag.UNKNOWN_CHOICE, f"{PROBLEM}: {_quote(strange)}"))


def _check(criteria: Collection[Criterion], answers: Answers) -> None:
    answers.reasons = {
        criterion: _cut(criterion, reason, answers)
        for criterion, reason in answers.reasons.items()
        if _is_visible(reason) and answers.verdicts.get(criterion) in (Judged.FAIL, Judged.UNSURE)
    }
    missing = [
        name for name, criterion in _CRITERIA.items() if criterion in criteria and criterion not in answers.verdicts
    ]
    if missing:
        answers.faults.append((Flag.INCOMPLETE, "no " + " and no ".join(missing)))
    for name, criterion in _CRITERIA.items():
        if answers.verdicts.get(criterion) is Judged.FAIL and criterion not in answers.reasons:
            answers.faults.append((Flag.REASON_MISSING, name))


def _is_visible(text: str) -> bool:
    """Whether anything of it can be seen: blanks, control signs, joiners and bare accents cannot."""
    return any(unicodedata.category(letter)[0] in "LNPS" and letter not in _EMPTY_LETTERS for letter in text)


def _cut(criterion: Criterion, reason: str, answers: Answers) -> str:
    """The server sends half of a surrogate pair as it got it, which no file can hold."""
    whole = reason.encode(errors="replace").decode()
    if len(whole) > _REASON_LETTERS:
        answers.notes.append(f"{criterion.value}_reason: the first {_REASON_LETTERS} of {len(whole)} letters")
    return whole[:_REASON_LETTERS]


def _quote(value: object) -> str:
    return repr(value)[:_NAME_LETTERS]
