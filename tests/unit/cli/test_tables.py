import json

from rich.console import Console

from cli.plan_table import plan_view
from cli.tables import answer_table, chain_tree, quarantine_table
from storage.chains import Node
from storage.funnel import QuarantinedRow
from tasks.estimating import PlanLine


def shown(table: object, width: int = 200) -> str:
    console = Console(width=width)
    with console.capture() as capture:
        console.print(table)
    return capture.get()


def test_brackets_in_data_are_shown_and_not_read_as_formatting() -> None:
    assert "[red]x[/red] [/nope]" in shown(answer_table(["[/x]"], [["[red]x[/red] [/nope]"]]))
    assert "[/x]" in shown(answer_table(["[/x]"], []))
    assert "[/x].png" in shown(quarantine_table([QuarantinedRow("mine", "[/x]", "picture_missing", "[/x].png")]))


def test_no_answer_is_cut_in_a_narrow_terminal() -> None:
    names, row = ("id", "why", "count(*)"), ("0123456789abcdef" * 3, "the text does not need its picture", "1234567")
    lines = shown(answer_table(names, [row]), 60).splitlines()
    assert max(map(len, lines)) <= 60
    assert sorted("".join("".join(lines).split())) == sorted("".join("".join((*names, *row)).split()))


def test_a_plan_tells_what_is_stored_what_is_guessed_and_what_repairs_may_add() -> None:
    line = PlanLine(
        stage="panel",
        model="judge",
        calls=10,
        stored=4,
        guessed=5,
        repairs=6,
        tokens_in=1,
        tokens_out=2,
        usd_likely=0.5,
        usd_most=2.0,
        usd_repairs=3.0,
    )
    free = line.model_copy(update={"model": "own", "usd_likely": None, "usd_most": None, "usd_repairs": None})
    text = shown(plan_view([line, free], 0.25))
    assert (
        "in all    20 calls, 8 of them stored; likely 0.50 US dollars, at most 2.00, and 6 calls without a price"
        in text
    )
    assert "repairs   none to 12 calls more, at most 3.00 US dollars: 5.00 with them" in text
    assert "guessed   10 calls from answers that are not there yet" in text
    assert "likely not enough" in text
    assert "guessed  " not in shown(plan_view([line.model_copy(update={"guessed": 0})], None)).split("in all")[1]


def test_a_chain_shows_of_the_parameters_of_a_run_what_was_given() -> None:
    given = {"limit": 10, "models": {"use": None, "changes": []}, "recipe": "starter", "seed": 0}
    facts: dict[str, str | int | float | bool] = {"build": "mine", "parameters": json.dumps(given)}
    text = shown(chain_tree(Node(kind="run", id="run_1", relation="", facts=facts, children=())))
    assert text.strip() == 'run run_1  build=mine  parameters={"limit":10,"recipe":"starter","seed":0}'
