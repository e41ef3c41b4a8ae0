"""The verdicts of the annotators from Label Studio into the lineage."""

from prefect import flow

from core.settings import load_settings
from tasks.review_artifact import publish_status
from tasks.review_desk import open_desk
from tasks.review_plans import open_reviews
from tasks.review_pulling import PulledProject, pull_projects
from tasks.review_reports import review_status
from tasks.turns import build_turn


@flow(name="pull-reviews", flow_run_name="pull reviews of {build}", persist_result=False)
def pull_reviews(build: str) -> list[PulledProject]:
    """What was judged since the last pull, each verdict that cannot count with its reason. Raises AnnotationError and
    ConfigurationError.

    Args:
        build: name of the build, whose review was pushed
    """
    settings = load_settings()
    with build_turn(settings.data, f"{build}.review"), open_desk(settings) as desk:
        pulled = pull_projects(build, settings, desk)
        publish_status(review_status(open_reviews(settings), build))
        return pulled
