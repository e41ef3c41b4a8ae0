"""The items of a review to the annotators' projects in Label Studio."""

from prefect import flow

from tasks.review_pushing import PushedProject, push_review


@flow(name="push-reviews", flow_run_name="push reviews of {build}", persist_result=False)
def push_reviews(build: str, informed: bool = False, restore_screen: bool = False) -> list[PushedProject]:
    """What the annotators lack, disputed items for the third among it; again, it creates nothing. Raises
    AnnotationError and ConfigurationError.

    Args:
        build: name of the build, whose review is planned
        informed: the third annotator of a dispute sees the two verdicts, without names
        restore_screen: put back a labelling screen that was changed by hand
    """
    return push_review(build, informed=informed, restore_screen=restore_screen)
