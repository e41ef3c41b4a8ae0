"""`flawbench review`: plan, push, pull and judge the review of a build by people. Plans and reports only read and write
the lineage file; pushing and pulling are flows where a Prefect server runs."""

import json
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from cli.here import flows_here, prefect_answers, tell_progress
from cli.lineage import BuildArgument, JsonOption, build_or_newest
from cli.terminal import print_out, show_live
from core.records import Language

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from storage.reviews import Reviews

_FOLLOW_SECONDS = 30

review = typer.Typer(
    help="Have people judge a build in Label Studio, two of three for each item.", no_args_is_help=True
)


@review.command()
def plan(
    build: BuildArgument = None,
    annotators: Annotated[str, typer.Option("--annotators", help="Names or e-mail addresses, with commas.")] = "",
    overlap: Annotated[int, typer.Option("--overlap", min=2, help="How many judge each item.")] = 2,
    language: Annotated[Language, typer.Option("--language", help="Of the labelling screen.")] = Language.ENGLISH,
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
        build=build_or_newest(build),
        annotators=names,
        overlap=overlap,
        seed=seed,
        control_share=controls,
        language=language,
    )
    print_out(plan_view(plan_review(wanted)), soft_wrap=True)


@review.command()
def push(
    build: BuildArgument = None,
    informed: Annotated[
        bool, typer.Option("--informed", help="Show the third annotator of a dispute the two verdicts, without names.")
    ] = False,
    restore_screen: Annotated[
        bool, typer.Option("--restore-screen", help="Put back a labelling screen that was changed by hand.")
    ] = False,
) -> None:
    """Give the annotators what they lack in Label Studio: first their items, later the disputes of the others."""
    name = _planned(build)
    if prefect_answers():
        with flows_here():
            from flows.push_reviews import push_reviews

            pushed = push_reviews(name, informed, restore_screen)
    else:
        from tasks.review_pushing import push_review

        tell_progress()
        pushed = push_review(name, informed=informed, restore_screen=restore_screen)
    from cli.review_tables import pushed_view
    from core.settings import load_settings
    from tasks.review_desk import logins_file

    print_out(pushed_view(name, pushed, logins_file(load_settings())), soft_wrap=True)


@review.command()
def pull(build: BuildArgument = None) -> None:
    """Read what was judged since the last pull, and say where the review stands."""
    name = _planned(build)
    if prefect_answers():
        with flows_here():
            from flows.pull_reviews import pull_reviews

            pulled = pull_reviews(name)
    else:
        from tasks.review_pulling import pull_review

        tell_progress()
        pulled = pull_review(name)
    from cli.review_tables import pulled_view
    from tasks.review_reports import review_status

    print_out(pulled_view(pulled, review_status(_reviews(), name)), soft_wrap=True)


@review.command()
def up(
    build: BuildArgument = None,
    port: Annotated[int, typer.Option("--port", min=1024, max=65535, help="Of the server, on this machine.")] = 8080,
) -> None:
    """Start a Label Studio for one desk with an account for each annotator of the plan; Ctrl-C stops it."""
    from cli.review_tables import accounts_view
    from tasks.review_serving import serve_review

    name = build_or_newest(build)
    print_out(f"starting   Label Studio on http://127.0.0.1:{port}; the first start takes minutes", soft_wrap=True)
    with suppress(KeyboardInterrupt), serve_review(name, port) as desk:
        print_out(accounts_view(name, desk), soft_wrap=True)
        desk.wait()
    print_out("stopped")


@review.command()
def status(
    build: BuildArgument = None,
    as_json: JsonOption = False,
    follow: Annotated[bool, typer.Option("--follow", help="Pull every 30 seconds and show it until Ctrl-C.")] = False,
) -> None:
    """Where each annotator stands, and what is decided so far. Reads what was pulled."""
    from cli.review_tables import status_view
    from tasks.review_reports import review_status

    name = build_or_newest(build)
    if follow:
        with suppress(KeyboardInterrupt):
            show_live(_follow(_planned(name)))
        return
    found = review_status(_reviews(), name)
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


def _follow(build: str) -> "Iterator[RenderableType]":
    from cli.review_tables import status_view
    from tasks.review_pulling import pull_review
    from tasks.review_reports import review_status

    while True:
        pull_review(build)
        yield status_view(review_status(_reviews(), build))
        time.sleep(_FOLLOW_SECONDS)


def _planned(build: str | None) -> str:
    """Before a server is started. Raises ConfigurationError for a build whose review is not planned."""
    from tasks.review_store import planned

    name = build_or_newest(build)
    planned(_reviews(), name)
    return name


def _reviews() -> "Reviews":
    from core.settings import load_settings
    from tasks.review_store import open_reviews

    return open_reviews(load_settings())
