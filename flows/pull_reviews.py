"""The verdicts of the annotators from Label Studio into the lineage."""

from prefect import flow

from core.settings import load_settings
from tasks.review_artifact import publish_status
from tasks.review_pulling import PulledProject, pull_review
from tasks.review_reports import review_status
from tasks.review_store import open_reviews


@flow(name="pull-reviews", flow_run_name="pull reviews of {build}", persist_result=False)
def pull_reviews(build: str) -> list[PulledProject]:
    """What was judged since the last pull, each verdict that cannot count with its reason. Raises AnnotationError and
    ConfigurationError.

    Args:
        build: name of the build, whose review was pushed
    """
    pulled = pull_review(build)
    publish_status(review_status(open_reviews(load_settings()), build))
    return pulled
