import pytest
from rich.console import Console

from cli.spending_tables import calls_view, cost_view
from models.payments import Attempt, Payment
from storage.spending import CallList, CostLine

IDS = ("cal_" + "1" * 32, "cnd_" + "2" * 32)
LINES = [
    CostLine("inject", "writer", "ambiguity", 10, 1, 1000, 200, 0.5, 0),
    CostLine("panel", "judge", "ambiguity", 20, 0, 3000, 40, 1.0, 2),
    CostLine("panel", "judge", "missing_image", 4, 0, 500, 8, 0.25, 0),
    CostLine("panel", "local", "missing_image", 4, 0, 500, 8, None, 4),
    CostLine("twin", "judge", "ambiguity", 6, 0, 600, 12, 0.25, 0),
]


def shown(content: object, width: int = 100) -> list[str]:
    console = Console(width=width)
    with console.capture() as capture:
        console.print(content)
    return [" ".join(line.split()) for line in capture.get().splitlines()]


ASKED = "a-model-with-a-very-long-name-indeed"


def list_calls(total: int, reported: str | None = ASKED) -> CallList:
    names = ("id", "asked", "stage", "model", "model_reported", "item", "subtype", "status", "usd", "latency_seconds")
    row = (IDS[0], None, "inject", ASKED, reported, IDS[1], "ambiguity", "ok", 0.0134, 1.26)
    return CallList(names, [row], total)


def test_ids_are_whole_in_a_narrow_terminal() -> None:
    lines = shown(calls_view(list_calls(1115), 100))
    assert any(line.startswith(IDS[0]) and line.endswith("0.0134 1.3") for line in lines)
    assert lines[-1] == "1 of 1,115 calls; --most N for more"


def test_a_wide_terminal_shows_the_item_too() -> None:
    lines = shown(calls_view(list_calls(1), 180), 180)
    assert any(f"{IDS[1]} ambiguity" in line for line in lines)
    assert lines[-1] == "1 call"


@pytest.mark.parametrize(("reported", "told"), [(None, False), (ASKED, False), ("another-one", True)])
def test_a_reply_of_another_model_than_the_one_asked_names_it(reported: str | None, told: bool) -> None:
    lines = shown(calls_view(list_calls(1, reported), 180), 180)
    assert lines[0].endswith("answered by") is told
    assert ("another-one" in lines[1]) is told


def test_no_call_is_said() -> None:
    assert shown(calls_view(CallList(("id",), [], 0), 100)) == ["No call is like that."]


def test_costs_are_summed_by_model_and_by_subtype_with_twins_apart() -> None:
    lines = shown(cost_view(LINES, 1.5, [], {"missing_image": 0, "ambiguity": 5}, []))
    assert "panel judge 24 0 3,500 48 1.2500 + 2 without a price" in lines
    assert "panel local 4 0 500 8 no price" in lines
    assert "total 44 1 5,600 268 2.0000 + 6 without a price" in lines
    ambiguity = lines.index("ambiguity 30 1 1.5000 + 2 without a price 5 0.3000")
    assert lines[ambiguity - 1] == "missing image 8 0 0.2500 + 4 without a price 0"
    assert lines[ambiguity + 1] == "unmodified questions (twins) 6 0 0.2500"
    assert "in use 2.0000 US dollars of replies, each counted once; 0.4000 for each of 5 kept candidates" in lines
    assert lines[-1] == "waiting nothing: finished shards use all replies that were paid"


def test_paid_replies_that_wait_for_a_run_are_told_with_their_models() -> None:
    waiting = [Payment(key=str(at), usd=0.5, model=model, time="") for at, model in enumerate(("b", "a", "b"))]
    lines = shown(cost_view(LINES, 3.5, waiting, {"ambiguity": 0}, []))
    assert lines[-2].startswith("waiting 1.5000 US dollars for 3 paid replies that no finished shard uses yet")
    assert lines[-1] == "run of this build uses them): a 1, b 2"
    assert any(line.endswith("no candidate is kept yet") for line in lines)


def test_other_builds_are_named_only_where_they_paid() -> None:
    waiting = [Payment(key="k", usd=0.5, model="m", time="")]
    for paid, told in (
        (1.5, "paid 1.5000 US dollars by this build; other builds paid 1.0000 of what is in use"),
        (2.5, "paid 2.5000 US dollars by this build"),
    ):
        assert told in shown(cost_view(LINES, paid, waiting, {"ambiguity": 1}, []))


def test_where_no_reply_is_used_yet_there_is_no_empty_table() -> None:
    waiting = [Payment(key="k", usd=0.0094, model="m", time="")]
    lines = shown(cost_view([], 0.0094, waiting, {"ambiguity": 0}, []))
    assert lines[0] == "No finished shard uses a reply yet."
    assert not any("no price" in line or line.startswith("total") for line in lines)


def test_a_build_of_rules_costs_nothing() -> None:
    assert shown(cost_view([], 0.0, [], {"ambiguity": 3}, [])) == ["This build asked no model."]


def test_requests_without_a_reply_are_told_apart_from_what_was_paid() -> None:
    sent = [Attempt(id=str(at), key="k", worst_usd=0.25, model="m", time="") for at in range(3)]
    lines = shown(cost_view(LINES, 1.5, [], {"ambiguity": 5}, sent), 120)
    paid = next(at for at, line in enumerate(lines) if line.startswith("paid 1.5000 US dollars"))
    possible = (
        "possible up to 0.7500 US dollars more, if the provider billed 3 requests that went out and brought no reply"
    )
    assert lines[paid + 1] == possible
    assert any(line.startswith("possible up to 0.7500") for line in shown(cost_view([], 0.0, [], {}, sent), 120))
