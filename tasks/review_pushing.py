"""Items to the annotators: disputes are dealt to the third, then each annotator's project of each round gets the tasks
that it lacks. May be cut off anywhere and repeated."""

import logging
from collections.abc import Iterable, Sequence

from annotation.adjudication import find_disputes, gather
from annotation.label_studio.accounts import Account, ensure_accounts, login_of
from annotation.label_studio.pictures import PicturesNotShownError, PictureSource, check_picture
from annotation.label_studio.projects import Place, ensure_project
from annotation.label_studio.pushing import Pushed, push_tasks
from annotation.label_studio.uploads import UploadedPictures
from annotation.screen.config import render_config
from core.records import Record
from core.review import Assignment, ReviewPlan, ReviewProject, Round
from core.settings import Settings, load_settings
from storage.objects import ObjectStore, object_name
from storage.reviews import Reviews
from tasks.review_desk import Desk, open_desk, shared_pictures
from tasks.review_items import ReviewItems
from tasks.review_store import open_reviews, planned, read_current
from tasks.stores import open_lineage
from tasks.turns import review_turn

_logger = logging.getLogger("flawbench.progress")


class PushedProject(Record):
    """One annotator in one round. `link` leads into the project with one item after the other. `stale`: items whose
    content changed after they were judged; their tasks stay as they were judged."""

    annotator: str
    round: Round
    created: int
    updated: int
    kept: int
    stale: tuple[str, ...]
    removed: int
    link: str
    login: str


def push_review(build: str, *, informed: bool, restore_screen: bool) -> list[PushedProject]:
    """What the annotators lack, disputed items for the third among it; again, it creates nothing. Raises
    AnnotationError, ConfigurationError for an unplanned review, and StorageError."""
    settings = load_settings()
    with review_turn(settings.data, build), open_desk(settings) as desk:
        reviews = open_reviews(settings)
        plan = planned(reviews, build)
        _deal_disputes(plan, reviews, informed=informed)
        return _push_projects(plan, reviews, settings, desk, restore_screen=restore_screen)


def _deal_disputes(plan: ReviewPlan, reviews: Reviews, *, informed: bool) -> None:
    current = read_current(reviews, plan.build)
    items = gather(current.assignments, current.judgements)
    disputes = find_disputes(items, plan.active, plan.seed, informed=informed)
    if disputes:
        reviews.add_assignments(plan.build, disputes)


def _push_projects(
    plan: ReviewPlan, reviews: Reviews, settings: Settings, desk: Desk, *, restore_screen: bool
) -> list[PushedProject]:
    """What was pushed before an error is there, and the next push goes on from it; where a picture is not in the object
    store nothing is pushed."""
    build, objects = plan.build, ObjectStore(settings.objects_url)
    items = ReviewItems(build, open_lineage(settings), reviews, objects)
    accounts = ensure_accounts(desk.client, desk.keys_file, plan.active)
    known = {(found.round, found.annotator): found for found in reviews.projects(build)}
    screen = render_config(plan.language)
    pushed: list[PushedProject] = []
    counted = {(found.round, found.annotator, found.item) for found in reviews.judgements(build) if found.counts}
    assignments = reviews.assignments(build)
    review = {found.item for found in assignments}
    pushed_before = {task.project for task in reviews.tasks(build)}
    objects.require(items.pictures(assignments))
    for place, assigned in _by_place(plan, assignments, known):
        before = known.get((place.round, place.annotator))
        account = _find_account(place.annotator, accounts, before)
        if account is None:
            continue
        project = ensure_project(desk.client, place, account, screen, before, restore_screen)
        reviews.store_project(project)
        pictures = _open_pictures(desk, settings, project, items, assigned, objects)
        tasks = items.tasks(assigned, pictures.url)
        judged = {found.item for found in assigned if (place.round, place.annotator, found.item) in counted}
        is_ours = before is not None and before.url == project.url and project.project in pushed_before
        done = push_tasks(desk.client, project, tasks, judged, None if is_ours else review)
        reviews.store_tasks(build, project.project, done.tasks)
        pushed.append(_summarise(done, project, account, settings.label_studio_link))
        _logger.info("Round %d, %s: %d new tasks.", place.round, place.annotator, pushed[-1].created)
    return pushed


def _find_account(annotator: str, accounts: Sequence[Account], before: ReviewProject | None) -> Account | None:
    """Who left needs none on the server any more; without a project there is nothing to take back either."""
    found = next((account for account in accounts if account.annotator == annotator), None)
    if found is None and before is not None:
        return Account(annotator=annotator, login=login_of(annotator), user=before.user, password=None)
    return found


def _by_place(
    plan: ReviewPlan, assignments: Sequence[Assignment], known: Iterable[tuple[Round, str]]
) -> list[tuple[Place, list[Assignment]]]:
    """Projects of which nothing is asked any more come last, with nothing."""
    drawn = f"seed {plan.seed} and {plan.overlap} verdicts an item"
    asked = dict.fromkeys((*((found.round, found.annotator) for found in assignments), *known))
    places = [Place(plan.build, round_, annotator, drawn) for round_, annotator in asked]
    return [
        (place, [found for found in assignments if (found.round, found.annotator) == (place.round, place.annotator)])
        for place in places
    ]


def _open_pictures(
    desk: Desk,
    settings: Settings,
    project: ReviewProject,
    items: ReviewItems,
    assigned: Sequence[Assignment],
    objects: ObjectStore,
) -> PictureSource:
    """From where server and build share them; else, for a server elsewhere, by upload. Raises AnnotationError."""
    shared = shared_pictures(settings)
    shown = items.pictures(assigned)
    try:
        shared.open_to(desk.client, project.project)
        if shown:
            check_picture(desk.client, shared, project.project, shown[0])
    except PicturesNotShownError as error:
        if desk.is_local or settings.objects_url.startswith("s3://"):
            raise
        _logger.warning("%s The pictures are uploaded instead.", error.message)
        uploaded = UploadedPictures(object_name)
        uploaded.upload(desk.client, shown, objects.get)
        if shown:
            check_picture(desk.client, uploaded, project.project, shown[0])
        return uploaded
    return shared


def _summarise(done: Pushed, project: ReviewProject, account: Account, address: str | None) -> PushedProject:
    return PushedProject(
        annotator=project.annotator,
        round=project.round,
        created=done.created,
        updated=done.updated,
        kept=done.kept,
        stale=tuple(done.stale),
        removed=len(done.removed),
        link=f"{(address or project.url).rstrip('/')}/projects/{project.project}/data?labeling=1",
        login=account.login,
    )
