"""What a push and a pull of a review store, for tests without a server."""

from core.review import Assignment, Judged, Judgement, ReviewProject, Round


def first_project(build: str, annotator: str) -> ReviewProject:
    return ReviewProject(
        build=build, round=Round.FIRST, annotator=annotator, url="http://desk/", project=1, user=1, screen_sha="0" * 64
    )


def passed(asked: Assignment) -> Judgement:
    """Judged to pass by whom it was dealt to."""
    time = "2026-11-30T10:00:00Z"
    return Judgement(
        item=asked.item, round=asked.round, annotator=asked.annotator, type_compliance=Judged.PASS,
        unanswerability=Judged.PASS, project=1, task=1, annotation=1, content_sha="", screen_sha="", created=time,
        updated=time,
    )  # fmt: skip
