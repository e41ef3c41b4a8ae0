"""What changed in one project since the last pull, and now and then which tasks are still there: the server's filter
sees new, edited, skipped and deleted annotations, but neither drafts nor deleted tasks, which are asked for."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from annotation.label_studio.client import Client, ServerFailedError
from annotation.label_studio.projects import read_screen
from annotation.label_studio.reading import Asked, Desk, read_item
from annotation.label_studio.shapes import ANNOTATION_FIELDS, SentTask, read_number, read_task
from core.review import Assignment, Judgement, ReviewProject, ReviewTask

FULL_EVERY = 10
_OVERLAP = timedelta(minutes=2)  # writes in flight while the last pull read
_LISTED = ",".join(["data", "annotations", *sorted(ANNOTATION_FIELDS)])  # the list holds for what stands inside, too
_DRAFTS = 200  # tasks an export
_NUMBERS_PAGE = 1000


@dataclass(frozen=True, slots=True)
class Pulled:
    """For `Reviews.store_pull`: the project with its new mark and all judgements of `items`, which are those that
    changed. `read`: tasks that were read. `gone`: numbers of tasks that the server has no more. `strange`: numbers of
    tasks that show no item of this annotator. `unreadable`: numbers of tasks on which the server fails; the mark stays
    where it was as long as there are such, so that they are read as soon as they can be."""

    project: ReviewProject
    judgements: tuple[Judgement, ...]
    items: tuple[str, ...]
    read: int
    gone: tuple[int, ...]
    strange: tuple[int, ...]
    unreadable: tuple[int, ...]
    screen_changed: bool


def pull_project(
    client: Client,
    project: ReviewProject,
    assignments: Sequence[Assignment],
    tasks: Sequence[ReviewTask],
    known: Sequence[Judgement],
    wanted: Mapping[str, str],
) -> Pulled:
    """`assignments`, `tasks` and `known` are all there are of this build; those of other annotators and rounds are
    passed over. `wanted`: the hash of what each item should show now.

    Raises AnnotationError; nothing is lost then, since the mark moves with what is stored."""
    clock = client.read_clock()
    screen_sha = read_screen(client, project)
    desk = Desk(
        project.annotator,
        project.user,
        project.round,
        project.project,
        screen_sha,
        screen_sha != project.screen_sha,
    )
    asked = _asked(project, assignments, wanted)
    items = {task.task: task.item for task in tasks if task.project == project.project}
    unreadable: list[int] = []
    read, strange = _sort(_changed_tasks(client, project, unreadable), project, items, asked)
    drafted, _ = _sort(_drafted_tasks(client, project, unreadable), project, items, asked)
    gone = _find_gone(client, project, items, known)
    before = _known(project, known)
    judgements = {
        item: read_item(asked[item], read.get(item, ()), drafted.get(item, ()), gone, before.get(item, ()), desk)
        for item in asked
        if item in read or item in drafted or item in before
    }
    changed = [item for item, found in judgements.items() if set(found) != set(before.get(item, ()))]
    return Pulled(
        project=project.model_copy(
            update={"pulled": project.pulled if unreadable else clock, "pulls": project.pulls + 1}
        ),
        judgements=tuple(judgement for item in changed for judgement in judgements[item]),
        items=tuple(changed),
        read=sum(len(found) for found in read.values()),
        gone=tuple(sorted(gone)),
        strange=tuple(sorted(strange)),
        unreadable=tuple(sorted(set(unreadable))),
        screen_changed=desk.screen_changed,
    )


def _asked(project: ReviewProject, assignments: Sequence[Assignment], wanted: Mapping[str, str]) -> dict[str, Asked]:
    return {
        one.item: Asked(one.item, one.control, one.criteria, wanted.get(one.item))
        for one in assignments
        if (one.annotator, one.round) == (project.annotator, project.round)
    }


def _known(project: ReviewProject, known: Sequence[Judgement]) -> dict[str, list[Judgement]]:
    found: dict[str, list[Judgement]] = defaultdict(list)
    for judgement in known:
        if (judgement.annotator, judgement.round) == (project.annotator, project.round):
            found[judgement.item].append(judgement)
    return found


def _sort(
    tasks: Iterable[SentTask], project: ReviewProject, items: Mapping[int, str], asked: Mapping[str, Asked]
) -> tuple[dict[str, list[SentTask]], list[int]]:
    """By item. A task is known by its number; what its data say counts only where it is not."""
    read: dict[str, list[SentTask]] = defaultdict(list)
    strange: list[int] = []
    for task in tasks:
        item = items.get(task.number)
        if item is None and task.round == int(project.round):
            item = task.sample_id
        if item is None or item not in asked:
            strange.append(task.number)
        else:
            read[item].append(task)
    return read, strange


def _changed_tasks(client: Client, project: ReviewProject, unreadable: list[int]) -> Iterator[SentTask]:
    query = None
    if project.pulled is not None:
        mark = (project.pulled - _OVERLAP).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        query = _filter("updated_at", "greater", "Datetime", mark)
    what = f"reading project {project.project} of {project.annotator}"
    for sent in client.list_tasks(project.project, _LISTED, what, query, unreadable=unreadable):
        yield read_task(sent)


def _drafted_tasks(client: Client, project: ReviewProject, unreadable: list[int]) -> Iterator[SentTask]:
    """Lists show nobody the drafts of others, only that there are some; exports hold them."""
    what = f"reading the drafts of {project.annotator} in project {project.project}"
    query = _filter("draft_exists", "equal", "Boolean", True)
    numbers = [read_number(sent) for sent in client.list_tasks(project.project, "id", what, query)]
    for start in range(0, len(numbers), _DRAFTS):
        yield from _export(client, project, numbers[start : start + _DRAFTS], what, unreadable)


def _export(
    client: Client, project: ReviewProject, numbers: Sequence[int], what: str, unreadable: list[int]
) -> Iterator[SentTask]:
    """By halves where the server fails, down to the task on which it does."""
    wanted = "&".join(f"ids[]={number}" for number in numbers)
    path = f"api/projects/{project.project}/export?exportType=JSON&download_all_tasks=true&{wanted}"
    try:
        sent = client.get_list(path, what)
    except ServerFailedError:
        if len(numbers) == 1:
            unreadable.append(numbers[0])
            return
        middle = len(numbers) // 2
        for half in (numbers[:middle], numbers[middle:]):
            yield from _export(client, project, half, what, unreadable)
    else:
        yield from map(read_task, sent)


def _filter(column: str, operator: str, kind: str, value: object) -> Mapping[str, object]:
    item = {"filter": f"filter:tasks:{column}", "operator": operator, "type": kind, "value": value}
    return {"filters": {"conjunction": "and", "items": [item]}}


def _find_gone(
    client: Client, project: ReviewProject, items: Mapping[int, str], known: Sequence[Judgement]
) -> set[int]:
    """Tasks that are missing in two listings: one that is deleted while they are listed moves others to a page that was
    read already."""
    if project.pulls % FULL_EVERY:
        return set()
    gone = set(items) | {one.task for one in known if one.project == project.project}
    for _ in range(2):
        if gone:
            gone -= set(_list_numbers(client, project))
    return gone


def _list_numbers(client: Client, project: ReviewProject) -> Iterator[int]:
    what = f"listing the tasks of project {project.project} of {project.annotator}"
    for sent in client.list_tasks(project.project, "id", what, page_size=_NUMBERS_PAGE):
        yield read_number(sent)
