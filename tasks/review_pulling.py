"""Verdicts from the annotators: every project of the review is read for what changed, and what came is stored with the
mark up to which it was read, both or nothing."""

import logging
from typing import NamedTuple

from annotation.label_studio.pulling import Pulled, pull_project
from core.errors import ConfigurationError
from core.records import Record
from core.review import Assignment, Judgement, ReviewProject, ReviewTask, Round
from core.settings import load_settings
from storage.reviews import Reviews
from tasks.review_desk import Desk, open_desk, task_link
from tasks.review_store import open_reviews, planned
from tasks.turns import review_turn

_logger = logging.getLogger("flawbench.progress")


class PulledProject(Record):
    """`read` tasks came, `changed` items have other verdicts than before. `gone` tasks were deleted on the server,
    `strange` ones show no item of this annotator. `unreadable`: links to those on which the server fails."""

    annotator: str
    round: Round
    read: int
    changed: int
    gone: int
    strange: int
    unreadable: tuple[str, ...]


def pull_review(build: str) -> list[PulledProject]:
    """What was judged since the last pull, each verdict that cannot count with its reason. Raises AnnotationError, and
    ConfigurationError for a review that was not pushed."""
    settings = load_settings()
    reviews = open_reviews(settings)
    with review_turn(settings.data, build), open_desk(settings) as desk:
        planned(reviews, build)
        projects = reviews.projects(build)
        if not projects:
            raise ConfigurationError(
                f"The review of build {build} was never pushed.", f"Run `flawbench review push {build}`."
            )
        known = _Known(reviews.assignments(build), reviews.tasks(build), reviews.judgements(build))
        return [_pull(project, known, reviews, desk, settings.label_studio_link) for project in projects]


class _Known(NamedTuple):
    """Of all projects: a pull of one changes nothing of another."""

    assignments: list[Assignment]
    tasks: list[ReviewTask]
    judgements: list[Judgement]


def _pull(project: ReviewProject, known: _Known, reviews: Reviews, desk: Desk, address: str | None) -> PulledProject:
    # What was pushed, not what would be shown today: another wording of the screen makes no verdict stale.
    shown = {found.item: found.content_sha for found in known.tasks if found.project == project.project}
    pulled = pull_project(desk.client, project, known.assignments, known.tasks, known.judgements, shown)
    reviews.store_pull(pulled.project, pulled.judgements, pulled.items)
    unreadable = tuple(task_link(project, task, address) for task in pulled.unreadable)
    _tell(pulled, unreadable)
    return PulledProject(
        annotator=project.annotator,
        round=project.round,
        read=pulled.read,
        changed=len(pulled.items),
        gone=len(pulled.gone),
        strange=len(pulled.strange),
        unreadable=unreadable,
    )


def _tell(pulled: Pulled, unreadable: tuple[str, ...]) -> None:
    project = pulled.project
    _logger.info("Round %d, %s: %d items changed.", project.round, project.annotator, len(pulled.items))
    if pulled.screen_changed:
        _logger.warning(
            "The screen of project %d of %s was changed by hand: verdicts given on it do not count.",
            project.project,
            project.annotator,
        )
    if pulled.gone:
        _logger.warning(
            "%d tasks of %s are no longer on the server; `flawbench review push` puts them back.",
            len(pulled.gone),
            project.annotator,
        )
    for link in unreadable:
        _logger.warning(
            "Label Studio fails on a task of %s in round %d, which was left out: %s. Delete its annotations or the task"
            " there and pull again; until then the project is read from where it was before.",
            project.annotator,
            project.round,
            link,
        )
