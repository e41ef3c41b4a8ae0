"""Where a review stands, for those who look at Prefect and not at a terminal."""

from prefect.artifacts import create_table_artifact

from tasks.review_reports import ReviewStatus


def publish_status(status: ReviewStatus) -> None:
    """As an artifact of the flow run, for Prefect's user interface."""
    rows = [
        {
            "annotator": person.annotator,
            "done": person.done,
            "left": person.left,
            "seconds an item": person.seconds,
            "controls right": f"{person.controls_right} of {person.controls_judged}",
            "hours left": person.hours_left,
            "days left": person.days_left,
            "look at": "; ".join(person.doubts),
            "not counted": ", ".join(f"{flag} {count}" for flag, count in person.flagged),
        }
        for person in status.annotators
    ]
    refused = f"{status.rejected} rejected, {status.undecided} undecided"
    told = f"{status.accepted} accepted, {refused}, {status.open} open of {status.items}"
    create_table_artifact(rows, key="review", description=f"Review of the build {status.build}: {told}")
