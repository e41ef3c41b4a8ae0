"""How a plan looks in a terminal: what a build would ask and pay."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from cli.tables import make_table, plain
from core.counting import counted

if TYPE_CHECKING:
    from tasks.estimating import PlanLine


def plan_view(lines: Sequence["PlanLine"], budget: float | None) -> RenderableType:
    if not lines:
        return Text("No model is asked: rules make the flaws. Name models with --models.")
    table = make_table(
        "stage", "model", "calls", "stored", "guessed", "tokens\nin", "tokens\nout", "likely\nUSD", "most\nUSD"
    )
    for line in lines:
        money = ["no price" if usd is None else f"{usd:.2f}" for usd in (line.usd_likely, line.usd_most)]
        counts = (line.calls, line.stored, line.guessed, line.tokens_in, line.tokens_out)
        table.add_row(*plain(line.stage, line.model, *counts, *money))
    likely, most, repairs = (
        sum(usd or 0 for usd in column)
        for column in zip(*((line.usd_likely, line.usd_most, line.usd_repairs) for line in lines), strict=True)
    )
    calls, stored, guessed = (
        sum(column) for column in zip(*((line.calls, line.stored, line.guessed) for line in lines), strict=True)
    )
    unpriced = sum(line.calls - line.stored for line in lines if line.usd_likely is None)
    free = f", and {counted(unpriced, 'call')} without a price" if unpriced else ""
    asked, expected = counted(calls, "call"), counted(guessed, "call")
    further = sum(line.repairs for line in lines)
    notes = [
        f"in all    {asked}, {stored} of them stored; likely {likely:.2f} US dollars, at most {most:.2f}{free}",
        f"repairs   none to {further} calls more, at most {repairs:.2f} US dollars: {most + repairs:.2f} with them",
        f"budget    {_budget(budget, likely)}",
    ]
    if guessed:
        notes += [
            f"guessed   {expected} from answers that are not there yet: what they ask, how many they are",
            "          and whether replies to them are stored cannot be known before the run",
            "assumed   9 of 10 questions become candidates, 4 of 10 candidates pass the panel",
        ]
    notes += [
        "          likely: a reply takes a quarter of what is allowed",
        "left out  requests that break on their way, which may be billed without a reply",
    ]
    return Group(table, Text(), *(Text(note) for note in notes))


def _budget(budget: float | None, likely: float) -> str:
    if budget is None:
        return "none"
    short = ", which is likely not enough: the build will stop and can go on with more" if budget < likely else ""
    return f"{budget:g} US dollars{short}"
