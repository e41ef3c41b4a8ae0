"""What was sent becomes judgements: each version of each annotation once, with all reasons why it does not count. A
version that was read stays as it was read, whatever becomes of it on the server; only how the versions stand to each
other is worked out anew each time, so that reading the same twice gives the same."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from annotation.label_studio.answers import read_answers
from annotation.label_studio.shapes import SentAnnotation, SentTask, read_time
from core.review import BOTH_CRITERIA, Flag, Judgement, Round
from core.votes import Criterion

TOUCHED = "the data of the task are not those that were pushed"

_RELATIVE = frozenset({Flag.REVISED, Flag.DOUBLE, Flag.DELETED, Flag.STALE})
_ANOTHER = frozenset({Flag.FOREIGN, Flag.EDITED_BY_OTHER})
_ORDER = list(Flag)


@dataclass(frozen=True, slots=True)
class Desk:
    """Whose project it is. `screen_sha` is that of the screen as it is on the server, `screen_changed` whether that is
    another than was pushed."""

    annotator: str
    user: int
    round: Round
    project: int
    screen_sha: str
    screen_changed: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked of one item. `content_sha`: of what should be shown now, None where that is not known."""

    item: str
    control: bool = False
    criteria: tuple[Criterion, ...] = BOTH_CRITERIA
    content_sha: str | None = None


def read_item(
    asked: Asked,
    tasks: Sequence[SentTask],
    drafted: Sequence[SentTask],
    gone: Collection[int],
    known: Sequence[Judgement],
    desk: Desk,
) -> tuple[Judgement, ...]:
    """All versions of all annotations of one item in this round, by time. `tasks` are those of the item that were read
    now, `drafted` all with drafts, `gone` those that the server has no more; `known` is what was read before of this
    item, round and annotator.

    Of several versions of one annotation the annotator's own newest counts; the edit of another never does. Of several
    annotations the first that is honest and whole counts."""
    read = {task.number for task in tasks}
    versions: dict[int, list[Judgement]] = defaultdict(list)
    for judgement in known:
        if Flag.DRAFT not in judgement.flags:
            versions[judgement.annotation].append(_without_relations(judgement, read))
    living = {one.annotation for one in known if _is_there(one, read | set(gone), desk)}
    for task in tasks:
        for sent in task.annotations:
            living.add(sent.number)
            if all(one.updated != sent.updated for one in versions[sent.number]):
                versions[sent.number].append(_judge(asked, task, sent, desk))
    touched = {task.number for task in tasks if not task.untouched}
    marked = [
        _mark_stale(one, asked, touched)
        for number, found in versions.items()
        for one in _mark_versions(found, number in living)
    ]
    drafts = [
        _judge(asked, task, sent, desk).model_copy(update={"flags": (Flag.DRAFT,), "detail": "not submitted"})
        for task in drafted
        for sent in task.drafts
    ]
    return tuple(sorted((*_mark_doubles(marked), *drafts), key=_by_time))


def _judge(asked: Asked, task: SentTask, sent: SentAnnotation, desk: Desk) -> Judgement:
    answers = read_answers(sent.result, asked.criteria)
    faults = list(answers.faults)
    if sent.skipped:
        faults = [(Flag.SKIPPED, "")]
    if sent.author != desk.user:
        faults.append((Flag.FOREIGN, f"by account {sent.author}" if sent.author else "its account was deleted"))
    if sent.editor not in (None, sent.author):
        faults.append((Flag.EDITED_BY_OTHER, f"by account {sent.editor}"))
    if desk.screen_changed:
        faults.append((Flag.SCREEN_CHANGED, "the labelling screen was changed by hand"))
    return Judgement(
        item=asked.item,
        round=desk.round,
        annotator=desk.annotator,
        type_compliance=answers.verdicts.get(Criterion.TYPE_COMPLIANCE),
        type_compliance_reason=answers.reasons.get(Criterion.TYPE_COMPLIANCE, ""),
        unanswerability=answers.verdicts.get(Criterion.UNANSWERABILITY),
        unanswerability_reason=answers.reasons.get(Criterion.UNANSWERABILITY, ""),
        problems=answers.problems,
        seconds=sent.seconds,
        control=asked.control,
        flags=_ordered(flag for flag, _ in faults),
        detail="; ".join(
            [*(f"{flag.value}: {detail}" if detail else flag.value for flag, detail in faults), *answers.notes]
        ),
        project=desk.project,
        task=task.number,
        annotation=sent.number,
        content_sha=task.content_sha,
        screen_sha=desk.screen_sha,
        edited_by=sent.editor,
        created=sent.created,
        updated=sent.updated,
    )


def _is_there(judgement: Judgement, looked_at: Collection[int], desk: Desk) -> bool:
    """As far as is known without what was read now: what is deleted stays so until it is seen again, and what was there
    stays there until its task is looked at."""
    if Flag.DELETED in judgement.flags:
        return False
    return judgement.project != desk.project or judgement.task not in looked_at


def _without_relations(judgement: Judgement, read: Collection[int]) -> Judgement:
    """That a task was changed by hand is known from reading it alone, so it stays until the task is read again."""
    kept = set(judgement.flags) - _RELATIVE
    detail = judgement.detail
    if judgement.task in read:
        detail = detail.removesuffix(TOUCHED).removesuffix("; ")
    elif detail.endswith(TOUCHED):
        kept.add(Flag.STALE)
    return judgement.model_copy(update={"flags": _ordered(kept), "detail": detail})


def _mark_versions(found: list[Judgement], alive: bool) -> list[Judgement]:
    versions = sorted(found, key=lambda one: read_time(one.updated))
    if not alive:
        return [_with_flag(one, Flag.DELETED) for one in versions]
    honest = [one for one in versions if not _ANOTHER & set(one.flags)]
    return [_with_flag(one, Flag.REVISED) if one in honest[:-1] else one for one in versions]


def _mark_stale(judgement: Judgement, asked: Asked, touched: Collection[int]) -> Judgement:
    if judgement.task in touched:
        detail = f"{judgement.detail}; {TOUCHED}" if judgement.detail else TOUCHED
        return _with_flag(judgement.model_copy(update={"detail": detail}), Flag.STALE)
    if asked.content_sha not in (None, judgement.content_sha):
        return _with_flag(judgement, Flag.STALE)
    return judgement


def _mark_doubles(judgements: Sequence[Judgement]) -> list[Judgement]:
    whole = sorted((one for one in judgements if one.counts), key=_by_time)
    return [_with_flag(one, Flag.DOUBLE) if one in whole[1:] else one for one in judgements]


def _with_flag(judgement: Judgement, flag: Flag) -> Judgement:
    return judgement.model_copy(update={"flags": _ordered({*judgement.flags, flag})})


def _ordered(flags: Iterable[Flag]) -> tuple[Flag, ...]:
    return tuple(sorted(set(flags), key=_ORDER.index))


def _by_time(judgement: Judgement) -> tuple[object, ...]:
    return read_time(judgement.created), judgement.annotation, read_time(judgement.updated), judgement.flags
