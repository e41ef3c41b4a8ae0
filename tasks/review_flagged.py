"""Which items wait for somebody who judged them already, since nothing of it counts: to be judged again there."""

from collections import defaultdict
from datetime import datetime
from typing import NamedTuple

from core.review import Flag, Judgement
from storage.reviews import Reviews
from tasks.review_desk import task_link
from tasks.review_store import planned


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
    given: defaultdict[tuple[int, str, str], list[Judgement]] = defaultdict(list)
    for judgement in reviews.judgements(build):
        given[judgement.round, judgement.annotator, judgement.item].append(judgement)
    flagged: list[FlaggedItem] = []
    for asked in reviews.assignments(build):
        found = given[asked.round, asked.annotator, asked.item]
        if not found or any(one.counts for one in found):
            continue
        project, last = projects.get((asked.round, asked.annotator)), max(found, key=_updated)
        task = tasks.get((project.project, asked.item)) if project else None
        link = task_link(project, task, address) if project and task is not None else None
        flagged.append(FlaggedItem(asked.item, int(asked.round), asked.annotator, last.flags, last.detail, link))
    return flagged


def _updated(judgement: Judgement) -> datetime:
    return datetime.fromisoformat(judgement.updated)
