"""`flawbench review`: plan, push, pull and judge the review of a build by people. Plans and reports only read and write
the lineage file; pushing and pulling are flows where a Prefect server runs."""

import json
import time
from contextlib import suppress
from enum import StrEnum
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


class VerdictFormat(StrEnum):
    CSV = "csv"
    JSON = "json"


review = typer.Typer(
    help="Have people judge a build in Label Studio, two of three for each item.", no_args_is_help=True
)


@review.command()
def plan(
    build: BuildArgument = None,
    annotators: Annotated[str, typer.Option("--annotators", help="Names or e-mail addresses, with commas.")] = "",
    overlap: Annotated[int, typer.Option("--overlap", min=2, help="How many judge each item.")] = 2,
    per_subtype: Annotated[
        int | None, typer.Option("--per-subtype", min=1, help="Only so many items of each subtype, drawn by the seed.")
    ] = None,
    language: Annotated[Language, typer.Option("--language", help="Of the labelling screen.")] = Language.ENGLISH,
    controls: Annotated[
        float, typer.Option("--controls", min=0, max=0.5, help="Share of items whose verdict is known.")
    ] = 0.05,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Draws who judges what.")] = 42,
    replace: Annotated[
        str, typer.Option("--replace", help="OLD=NEW: what OLD has not judged goes to NEW; the rest of the plan stays.")
    ] = "",
) -> None:
    """Decide who judges what. Run again after the build has grown: what was dealt stays."""
    from cli.review_tables import plan_view
    from core.review import ReviewPlan
    from core.settings import load_settings
    from tasks.review_plans import parse_annotators, parse_replacement, plan_review, replace_annotator

    has_server = load_settings().label_studio_url is not None
    if replace:
        summary = replace_annotator(build_or_newest(build), *parse_replacement(replace))
    else:
        wanted = ReviewPlan(
            annotators=parse_annotators(annotators),
            build=build_or_newest(build),
            overlap=overlap,
            seed=seed,
            control_share=controls,
            language=language,
            per_subtype=per_subtype,
        )
        summary = plan_review(wanted)
    print_out(plan_view(summary, has_server=has_server), soft_wrap=True)


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
    flagged: Annotated[
        bool, typer.Option("--flagged", help="Show instead what has to be judged again, why, and where.")
    ] = False,
) -> None:
    """Where each annotator stands, and what is decided so far. Reads what was pulled."""
    from cli.review_tables import status_view
    from tasks.review_reports import review_status

    name = build_or_newest(build)
    if follow:
        with suppress(KeyboardInterrupt):
            show_live(_follow(_planned(name)))
        return
    if flagged:
        _show_flagged(name, as_json=as_json)
        return
    found = review_status(_reviews(), name)
    if as_json:
        people = [
            person._asdict() | {"left": person.left, "hours_left": person.hours_left, "doubts": person.doubts}
            for person in found.annotators
        ]
        print_out(json.dumps(found._asdict() | {"annotators": people, "open": found.open}))
    else:
        print_out(status_view(found))


@review.command()
def verdicts(
    build: BuildArgument = None,
    shape: Annotated[VerdictFormat, typer.Option("--format", help="Of the rows.")] = VerdictFormat.CSV,
) -> None:
    """Every verdict that was read, for a program of statistics: counted ones and others, with names as planned."""
    from cli.review_tables import verdicts_text
    from tasks.review_reports import review_verdicts

    rows = review_verdicts(_reviews(), build_or_newest(build))
    print_out(json.dumps(rows, ensure_ascii=False) if shape is VerdictFormat.JSON else verdicts_text(rows))


@review.command()
def agreement(build: BuildArgument = None, as_json: JsonOption = False) -> None:
    """Kappa of each pair with its interval, Krippendorff's alpha, Fleiss' kappa, pass rates; the first round alone."""
    from cli.review_tables import agreement_view
    from tasks.review_reports import review_agreement

    found = review_agreement(_reviews(), build_or_newest(build))
    if as_json:
        print_out(json.dumps([one.as_json() for one in found]))
    else:
        print_out(agreement_view(found))


def _show_flagged(build: str, *, as_json: bool) -> None:
    from cli.review_tables import flagged_view
    from core.settings import load_settings
    from tasks.review_flagged import find_flagged

    found = find_flagged(_reviews(), build, load_settings().label_studio_link)
    if as_json:
        print_out(json.dumps([one._asdict() for one in found]))
    else:
        print_out(flagged_view(build, found), soft_wrap=True)


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
