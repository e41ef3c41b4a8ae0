"""`flawbench review`: plan, push, pull and judge the review of a build by people. Plans and reports only read and write
the lineage file; pushing and pulling are flows."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from cli.lineage import BuildArgument, JsonOption, build_or_newest
from cli.terminal import print_out

if TYPE_CHECKING:
    from storage.reviews import Reviews

review = typer.Typer(
    help="Have people judge a build in Label Studio, two of three for each item.", no_args_is_help=True
)


@review.command()
def plan(
    build: BuildArgument = None,
    annotators: Annotated[str, typer.Option("--annotators", help="Names or e-mail addresses, with commas.")] = "",
    overlap: Annotated[int, typer.Option("--overlap", min=2, help="How many judge each item.")] = 2,
    controls: Annotated[
        float, typer.Option("--controls", min=0, max=0.5, help="Share of items whose verdict is known.")
    ] = 0.05,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Draws who judges what.")] = 42,
) -> None:
    """Decide who judges what. Run again after the build has grown: what was dealt stays."""
    from cli.review_tables import plan_view
    from core.review import ReviewPlan
    from tasks.review_plans import parse_annotators, plan_review

    names = parse_annotators(annotators)
    wanted = ReviewPlan(
        build=build_or_newest(build), annotators=names, overlap=overlap, seed=seed, control_share=controls
    )
    print_out(plan_view(plan_review(wanted)), soft_wrap=True)


@review.command()
def status(build: BuildArgument = None, as_json: JsonOption = False) -> None:
    """Where each annotator stands, and what is decided so far. Reads what was pulled."""
    from cli.review_tables import status_view
    from tasks.review_reports import review_status

    found = review_status(_reviews(), build_or_newest(build))
    if as_json:
        people = [person._asdict() | {"left": person.left} for person in found.annotators]
        print_out(json.dumps(found._asdict() | {"annotators": people, "open": found.open}))
    else:
        print_out(status_view(found))


@review.command()
def agreement(build: BuildArgument = None, as_json: JsonOption = False) -> None:
    """Kappa of each pair with its interval, Krippendorff's alpha, raw agreement, pass rates; the first round alone."""
    from cli.review_tables import agreement_view
    from tasks.review_reports import review_agreement

    found = review_agreement(_reviews(), build_or_newest(build))
    if as_json:
        rows = [one._asdict() | {"pairs": [pair._asdict() for pair in one.pairs]} for one in found]
        print_out(json.dumps(rows))
    else:
        print_out(agreement_view(found))


def _reviews() -> "Reviews":
    from core.settings import load_settings
    from tasks.review_plans import open_reviews

    return open_reviews(load_settings())
