from rich.console import Console

from cli.tables import answer_table, quarantine_table
from storage.funnel import QuarantinedRow


def shown(table: object) -> str:
    console = Console(width=200)
    with console.capture() as capture:
        console.print(table)
    return capture.get()


def test_brackets_in_data_are_shown_and_not_read_as_formatting() -> None:
    assert "[red]x[/red] [/nope]" in shown(answer_table(["[/x]"], [["[red]x[/red] [/nope]"]]))
    assert "[/x]" in shown(answer_table(["[/x]"], []))
    assert "[/x].png" in shown(quarantine_table([QuarantinedRow("mine", "[/x]", "picture_missing", "[/x].png")]))
