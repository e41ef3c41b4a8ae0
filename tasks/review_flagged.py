"""Which items wait for somebody who judged them already, since nothing of it counts: to be judged again there."""

from typing import NamedTuple

from annotation.progress import find_uncounted
from core.review import Flag
from storage.reviews import Reviews
from tasks.review_desk import task_link
from tasks.review_store import planned, read_current


class FlaggedItem(NamedTuple):
    """`flags` and `detail` are those of the newest annotation. `link` leads to the task, which `flawbench review push`
    puts back first where it was deleted."""

    item: str
    round: int
    annotator: str
    flags: tuple[Flag, ...]
    detail: str
    link: str | None


def find_flagged(reviews: Reviews, build: str, address: str | None) -> list[FlaggedItem]:
    """In the order in which they were dealt. `address`: of the server as people see it, where that is another. Raises
    ConfigurationError for a build whose review is not planned."""
    planned(reviews, build)
    projects = {(found.round, found.annotator): found for found in reviews.projects(build)}
    tasks = {(task.project, task.item): task.task for task in reviews.tasks(build)}
    uncounted = {(one.item, one.round, one.annotator): one for one in find_uncounted(reviews.judgements(build))}
    flagged: list[FlaggedItem] = []
    for asked in read_current(reviews, build).assignments:
        last = uncounted.get((asked.item, asked.round, asked.annotator))
        if last is None:
            continue
        project = projects.get((asked.round, asked.annotator))
        task = tasks.get((project.project, asked.item)) if project else None
        link = task_link(project, task, address) if project and task is not None else None
        flagged.append(FlaggedItem(asked.item, int(asked.round), asked.annotator, last.flags, last.detail, link))
    return flagged
