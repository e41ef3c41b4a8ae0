import pytest
from rich.console import Console

from cli.premise_tables import blind_line, premise_reasons, premise_table
from core.premises import Split
from core.taxonomy import PremiseSubtype
from export.blindness import Blindness
from filters.blind_reports import BlindReport, BlindScore
from storage.premises import PremiseFunnel

ROW = PremiseFunnel(
    subtype=PremiseSubtype.EMOTIONAL_STATE,
    asked=41,
    absent=30,
    refused={"hedged": 3},
    made=8,
    unverified={"premise_not_shown": 2},
    untaken={"over_target": 1},
    taken=5,
    true=5,
    false=5,
    splits=dict.fromkeys(Split, 0),
    answered=2,
    unanswered={},
)


def shown(table: object, width: int = 200) -> str:
    console = Console(width=width)
    with console.capture() as capture:
        console.print(table)
    return capture.get()


def report(low: float, high: float) -> BlindReport:
    score = BlindScore(
        classifier="words",
        rows=80,
        accuracy=(low + high) / 2,
        interval=(low, high),
        auc=None,
        auc_interval=None,
        plain_accuracy=0.5,
        majority=0.5,
    )
    return BlindReport(
        rows=80, groups=40, majority=0.5, best=score, classifiers=(score,), subtypes=(), features=(), picture=None
    )


def test_a_line_of_the_funnel_shows_the_yield_and_every_loss() -> None:
    _, header, line = shown(premise_table([ROW], {PremiseSubtype.EMOTIONAL_STATE: 10})).splitlines()
    assert header.split()[:3] == ["subtype", "wanted", "asked"]
    assert line.split() == ["emotional", "state", "10", "41", "30", "3", "8", "2", "1", "5", "5"]
    assert "wanted" not in shown(premise_table([ROW], {}))


@pytest.mark.parametrize("targets", [dict.fromkeys(PremiseSubtype, 1000), {}], ids=["build", "funnel"])
def test_nothing_is_cut_in_a_terminal_of_80_columns(targets: dict[PremiseSubtype, int]) -> None:
    counts = {"asked": 12345, "absent": 10234, "made": 2111, "true": 1000, "false": 1000}
    rows = [ROW.model_copy(update={"subtype": subtype, **counts}) for subtype in PremiseSubtype]
    table = shown(premise_table(rows, targets), width=80)
    assert "…" not in table
    assert {"refused", "failed", "12345"} <= set(table.split())
    assert len(table.splitlines()) == len(rows) + 2  # of the header


def test_every_reason_has_a_line() -> None:
    lines = shown(premise_reasons([ROW])).splitlines()[1:]
    assert [line.split()[-1] for line in lines] == ["30", "3", "2", "1"]
    assert "premise not shown" in lines[2]


def test_what_the_text_tells_is_said_with_its_interval_and_the_limit() -> None:
    assert blind_line(Blindness(report=report(0.42, 0.58))).endswith("50 % is a guess: passes the limit of 60%")
    failed = blind_line(Blindness(report=report(0.7, 0.8), dropped=3))
    assert "75.0% (70.0% to 80.0%) by words" in failed
    assert "does not pass the limit of 60%; 3 rows left out for that" in failed
    assert "nothing to compare" in blind_line(Blindness(report=None))
    few = blind_line(Blindness(report=report(0.42, 0.58).model_copy(update={"rows": 4})))
    assert few == "4 rows: too few to tell"
