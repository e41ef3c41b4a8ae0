"""What was asked of models and what it cost: `flawbench calls`, `calls why-miss` and `cost`. They only read."""

import json
import shutil
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Annotated

import typer

from cli.call_page import show_call
from cli.lineage import BuildArgument, JsonOption, build_or_newest, open_lineage
from cli.terminal import print_out

_STAGES = ("rewrite", "inject", "panel", "twin", "answer")
_WIDEST = 4000

calls = typer.Typer(help="List the calls of models, or say why two requests differ.", invoke_without_command=True)


@calls.callback()
def list_calls(
    context: typer.Context,
    build: Annotated[str | None, typer.Option("--build", help="Only calls of runs of this build.")] = None,
    stage: Annotated[str | None, typer.Option("--stage", help="rewrite, inject, panel, twin or answer.")] = None,
    model: Annotated[str | None, typer.Option("--model", help="Part of the name of the model.")] = None,
    status: Annotated[
        str | None, typer.Option("--status", help="ok, truncated, refused, empty, unparsable or failed.")
    ] = None,
    other_model: Annotated[
        bool, typer.Option("--other-model", help="Only replies of another model than the one asked.")
    ] = False,
    cost_at_least: Annotated[
        float | None, typer.Option("--cost-at-least", min=0, help="Only calls of at least so many US dollars.")
    ] = None,
    by_cost: Annotated[bool, typer.Option("--by-cost", help="The dearest first, not the newest.")] = False,
    most: Annotated[int, typer.Option("--most", min=1, max=10**9, help="How many to list.")] = 50,
    as_json: JsonOption = False,
) -> None:
    """List calls: when, what for, which model, how it ended, what it cost."""
    if context.invoked_subcommand is not None:
        return
    from cli.json_rows import json_rows
    from cli.spending_tables import calls_view
    from core.calls import AnswerStatus
    from storage.spending import CallFilter

    lineage = open_lineage()
    _require_known("build", build, [summary.build for summary in lineage.builds()] if build else [])
    _require_known("stage", stage, _STAGES)
    _require_known("status", status, list(AnswerStatus))
    wanted = CallFilter(
        build=build,
        stage=stage,
        model=model,
        status=status,
        cost_at_least=cost_at_least,
        other_model=other_model,
        order="cost" if by_cost else "time",
        most=most,
    )
    found = lineage.calls(wanted)
    if as_json:
        print_out(json_rows(found.columns, found.rows))
    else:
        print_out(calls_view(found, shutil.get_terminal_size().columns if sys.stdout.isatty() else _WIDEST))


@calls.command("why-miss")
def why_miss(
    first: Annotated[
        str, typer.Argument(help="Key of a reply: `reply` of `flawbench calls --json`, or that a replay missed.")
    ],
    second: Annotated[str, typer.Argument(help="Key of another reply.")],
) -> None:
    """Say in which parts two requests differ: why the reply to one was not used for the other."""
    from core.errors import ModelCallError
    from core.settings import load_settings
    from models.differences import explain_difference
    from models.reply_store import ReplyStore
    from storage.files import Files

    store = ReplyStore(Files(load_settings().objects_url))
    requests = {key: store.request(key) for key in (first, second)}
    for key, request in requests.items():
        if request is None:
            raise ModelCallError(
                f"There is no reply {key!r}.", "Take keys from `flawbench calls --json`, field `reply`."
            )
    one, other = (request for request in (requests[first], requests[second]) if request is not None)
    print_out("\n".join(explain_difference(one, other)) or "The two requests are the same.")


calls.command("show")(show_call)


def cost(build: BuildArgument = None, as_json: JsonOption = False) -> None:
    """Sum what a build's replies cost, by stage, model and subtype, and tell what was paid and may have been billed."""
    from cli.spending_tables import cost_view
    from core.settings import load_settings
    from tasks.stores import open_ledger

    name, lineage = build_or_newest(build), open_lineage()
    _require_known("build", name, [summary.build for summary in lineage.builds()])
    lines = lineage.costs(name)
    ledger = open_ledger(load_settings(), name)
    payments, unanswered = ledger.payments(), ledger.attempts()
    used = lineage.used_replies(name)
    paid = sum(payment.usd for payment in payments)
    unused = [payment for payment in payments if payment.key not in used]
    funnel = lineage.funnel(name)
    kept = {str(row.subtype): row.selected for row in funnel.subtypes}
    kept |= {str(row.subtype): row.taken for row in funnel.premises}
    if as_json:
        summed = {
            "build": name,
            "lines": [line._asdict() for line in lines],
            "kept": kept,
            "paid_usd": paid,
            "paid_replies": len(payments),
            "maybe_billed_usd": sum(attempt.worst_usd for attempt in unanswered),
            "maybe_billed_requests": len(unanswered),
            "unused_usd": sum(payment.usd for payment in unused),
            "unused_replies": len(unused),
            "unused_models": dict(sorted(Counter(payment.model for payment in unused).items())),
        }
        print_out(json.dumps(summed, default=str))
    else:
        print_out(cost_view(lines, paid, unused, kept, unanswered))


def _require_known(what: str, value: str | None, known: Sequence[str]) -> None:
    from core.errors import ConfigurationError

    if value is not None and value not in known:
        raise ConfigurationError(f"There is no {what} {value!r}.", f"Name one of: {', '.join(known) or 'none yet'}.")
