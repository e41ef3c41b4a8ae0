"""What a run says of how far it is, by a clock of the test."""

import io
import logging

import pytest
from rich.console import Console

from tasks.progress import BarProgress, LineProgress


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_line_says_stage_round_done_rate_time_left_and_what_was_paid(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "flawbench.progress")
    clock = Clock()
    with LineProgress(lambda: 1.25, clock) as progress:
        progress.expect("panel", 60)
        clock.now += 10
        progress.advance("panel", 20)
    assert caplog.messages == ["stage=panel round=1 done=20/60 rate=2.0/s left=20s paid=1.2500USD"]


def test_a_stage_has_a_line_every_five_seconds_at_most_and_one_when_a_round_is_complete(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "flawbench.progress")
    clock = Clock()
    progress = LineProgress(None, clock)
    for stage in ("injections", "panel"):
        progress.expect(stage, 12)
    for _ in range(12):
        clock.now += 1
        for stage in ("injections", "panel"):
            progress.advance(stage, 1)
    told = [line.split()[2] for line in caplog.messages if "stage=panel" in line]
    assert told == ["done=5/12", "done=10/12", "done=12/12"]
    assert len(caplog.messages) == 6


def test_what_is_asked_for_later_is_another_round_and_no_step_back(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "flawbench.progress")
    clock = Clock()
    progress = LineProgress(None, clock)
    for items, seconds in ((68, 34), (12, 3)):
        progress.expect("injections", items)
        clock.now += seconds
        progress.advance("injections", items)
    assert caplog.messages == [
        "stage=injections round=1 done=68/68 rate=2.0/s left=0s",
        "stage=injections round=2 done=12/12 rate=4.0/s left=0s",
    ]


def test_a_bar_names_its_round_and_fits_in_80_columns() -> None:
    screen = io.StringIO()
    with BarProgress(lambda: 12.5, Console(file=screen, width=80, force_terminal=True, color_system=None)) as bars:
        bars.expect("injections", 6800)
        bars.advance("injections", 6800)
        bars.expect("injections", 1200)
        bars.advance("injections", 1001)
    last = next(line for line in reversed(screen.getvalue().splitlines()) if "injections" in line)
    assert "injections, round 2" in last
    assert "1001/1200" in last
    assert "12.50 USD" in last
