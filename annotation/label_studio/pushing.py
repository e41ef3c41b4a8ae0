"""Tasks into one project, each item once however often a push is cut off: what is there is listed first, and again
after any error, since the server carries out what it could not answer in time."""

import logging
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from annotation.label_studio.client import Client
from annotation.label_studio.shapes import is_sealed, read_data, read_number, seal
from core.errors import AnnotationError
from core.review import ReviewProject, ReviewTask

BATCH = 500
_LISTED = "id,data,total_annotations,cancelled_annotations"
_LIST_PAGE = 500

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ThereTask:
    number: int
    data: Mapping[str, object]
    judged: bool


@dataclass(slots=True)
class Pushed:
    """`stale`: items that were judged on other content than they have now, whose tasks stay as they are. `doubles`:
    items with several tasks that were judged, which stay too. `removed`: numbers of tasks that were there twice or are
    asked no longer."""

    tasks: tuple[ReviewTask, ...] = ()
    created: int = 0
    updated: int = 0
    kept: int = 0
    stale: list[str] = field(default_factory=list[str])
    doubles: list[str] = field(default_factory=list[str])
    removed: list[int] = field(default_factory=list[int])


def push_tasks(
    client: Client,
    project: ReviewProject,
    tasks: Sequence[Mapping[str, object]],
    judged: Collection[str] = (),
    review: Collection[str] | None = None,
) -> Pushed:
    """`tasks` are the data of the tasks in the order in which they are to be judged, each with `sample_id`, `round` and
    `content_sha`. Tasks of ours that are there, not in `tasks` and not judged are removed: their items were handed over
    or have left the build. `judged`: items whose verdict counts already, for which no task is made again. `review`: all
    items of the review, where the project may be that of another.

    Raises AnnotationError, also for a project with tasks of another review; what was pushed until then is there, and
    the next push goes on from it."""
    wanted = {str(data["sample_id"]): seal(data) for data in tasks}
    pushed = Pushed()
    there = _list(client, project)
    if review is not None:
        _require_own_tasks(client, project, there, review)
    for item in there.keys() - wanted.keys():
        _take_back(client, project, item, there[item], pushed)
    wanted = {item: data for item, data in wanted.items() if item in there or item not in judged}
    new = [data for item, data in wanted.items() if item not in there]
    for start in range(0, len(new), BATCH):
        _import(client, project, new[start : start + BATCH])
        _log.info("project=%d tasks=%d of=%d", project.project, min(start + BATCH, len(new)), len(new))
    if new:
        there = _list(client, project)
    only = {item: _keep_one(client, project, item, found, pushed) for item, found in there.items() if item in wanted}
    missing = wanted.keys() - only.keys()
    if missing:
        raise AnnotationError(
            f"{len(missing)} of {len(wanted)} tasks are not in project {project.project} of {project.annotator} after"
            " they were imported.",
            "Run `flawbench review push` again, and look whether somebody deletes tasks there.",
        )
    pushed.created = len(new)
    pushed.tasks = tuple(_bring_up(client, project, item, wanted[item], only[item], pushed) for item in wanted)
    pushed.kept = len(wanted) - pushed.created - pushed.updated - len(pushed.stale)
    return pushed


def _require_own_tasks(
    client: Client, project: ReviewProject, there: Mapping[str, Sequence[ThereTask]], review: Collection[str]
) -> None:
    """Most tasks that a push of ours made show items of the review: a few may have left it, as control items do. What
    people put there themselves bears no seal."""
    pushed = [item for item, found in there.items() if any(is_sealed(one.data) for one in found)]
    strange = [item for item in pushed if item not in review]
    if len(strange) > len(pushed) / 2:
        raise AnnotationError(
            f"Project {project.project} of {project.annotator} at {client.url} is that of another review of a build"
            f" {project.build}: {len(strange)} of {len(pushed)} tasks show no item of this one, such as {strange[0]}.",
            "Make the build again as it was if it is lost; else build under another name, or delete the old projects.",
        )


def _list(client: Client, project: ReviewProject) -> dict[str, list[ThereTask]]:
    """By item. A task without one is somebody else's and stays."""
    found: dict[str, list[ThereTask]] = defaultdict(list)
    what = f"listing the tasks of project {project.project} of {project.annotator}"
    for sent in client.list_tasks(project.project, _LISTED, what, page_size=_LIST_PAGE):
        data = read_data(sent)
        item = data.get("sample_id")
        if isinstance(item, str) and data.get("round") == int(project.round):
            judged = bool(sent.get("total_annotations") or sent.get("cancelled_annotations"))
            found[item].append(ThereTask(read_number(sent), data, judged))
    return found


def _import(client: Client, project: ReviewProject, batch: Sequence[Mapping[str, object]]) -> None:
    """After an error the tasks may be there all the same. Raises the error when not all of them are."""
    from label_studio_sdk.types.import_api_request import ImportApiRequest

    try:
        with client.doing(f"importing {len(batch)} tasks into project {project.project} of {project.annotator}"):
            client.sdk.projects.import_tasks(
                id=project.project,
                request=[ImportApiRequest(data=dict(data)) for data in batch],
                return_task_ids=True,
            )
    except AnnotationError:
        there = _list(client, project)
        if any(str(data["sample_id"]) not in there for data in batch):
            raise


def _keep_one(
    client: Client, project: ReviewProject, item: str, found: Sequence[ThereTask], pushed: Pushed
) -> ThereTask:
    """The one that was judged, else the oldest. One with a verdict is never deleted."""
    kept, *others = sorted(found, key=lambda task: (not task.judged, task.number))
    if any(task.judged for task in others):
        pushed.doubles.append(item)
    for task in others:
        if not task.judged:
            with client.doing(f"deleting task {task.number}, the second of {item} in project {project.project}"):
                client.sdk.tasks.delete(id=str(task.number))
            pushed.removed.append(task.number)
    return kept


def _take_back(client: Client, project: ReviewProject, item: str, found: Sequence[ThereTask], pushed: Pushed) -> None:
    """What people put there themselves bears no seal and stays."""
    for task in found:
        if not task.judged and is_sealed(task.data):
            with client.doing(f"deleting task {task.number} of {item}, asked no longer, in project {project.project}"):
                client.sdk.tasks.delete(id=str(task.number))
            pushed.removed.append(task.number)


def _bring_up(
    client: Client, project: ReviewProject, item: str, data: Mapping[str, object], there: ThereTask, pushed: Pushed
) -> ReviewTask:
    """Other content after a verdict would change what the verdict is about; only links to pictures and the like are
    renewed then."""
    shown = there.data
    if shown != data:
        same = shown.get("content_sha") == data["content_sha"] and is_sealed(shown)
        if there.judged and not same:
            pushed.stale.append(item)
        else:
            with client.doing(f"updating task {there.number} of {item} in project {project.project}"):
                client.sdk.tasks.update(id=str(there.number), data=dict(data))
            pushed.updated += 1
            shown = data
    return ReviewTask(
        item=item, project=project.project, task=there.number, content_sha=str(shown.get("content_sha", ""))
    )
