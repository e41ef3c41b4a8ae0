"""The items of a review to the annotators' projects in Label Studio."""

from prefect import flow

from core.settings import load_settings
from tasks.review_desk import open_desk
from tasks.review_pushing import PushedProject, deal_disputes, push_projects
from tasks.turns import build_turn


@flow(name="push-reviews", flow_run_name="push reviews of {build}", persist_result=False)
def push_reviews(build: str, informed: bool = False, restore_screen: bool = False) -> list[PushedProject]:
    """What the annotators lack, disputed items for the third among it; again, it creates nothing. Raises
    AnnotationError and ConfigurationError.

    Args:
        build: name of the build, whose review is planned
        informed: the third annotator of a dispute sees the two verdicts, without names
        restore_screen: put back a labelling screen that was changed by hand
    """
    settings = load_settings()
    with build_turn(settings.data, f"{build}.review"), open_desk(settings) as desk:
        deal_disputes(build, settings, informed=informed)
        return push_projects(build, settings, desk, restore_screen=restore_screen)
