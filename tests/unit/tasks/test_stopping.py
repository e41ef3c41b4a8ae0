import logging
import signal
from collections.abc import Generator
from types import FrameType

import pytest
from prefect.exceptions import TerminationSignal

from tasks.stopping import StopsTold


def raise_termination(number: int, _frame: FrameType | None) -> None:
    raise TerminationSignal(signal=number)


@pytest.fixture(autouse=True)
def as_in_a_flow() -> Generator[None, None, None]:
    before = signal.signal(signal.SIGTERM, raise_termination)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.fixture
def told(caplog: pytest.LogCaptureFixture) -> Generator[pytest.LogCaptureFixture, None, None]:
    """Also where a command that ran before keeps the log from going further up."""
    logger = logging.getLogger("flawbench.progress")
    logger.addHandler(caplog.handler)
    yield caplog
    logger.removeHandler(caplog.handler)


@pytest.mark.parametrize(
    ("number", "stop"),
    [(signal.SIGTERM, TerminationSignal), (signal.SIGINT, KeyboardInterrupt)],
    ids=["SIGTERM", "Ctrl-C"],
)
@pytest.mark.parametrize("swallowed", [True, False])
def test_a_stop_stays_a_stop_when_a_library_puts_its_own_error_in_its_place(
    number: signal.Signals, stop: type[BaseException], swallowed: bool, told: pytest.LogCaptureFixture
) -> None:
    def work() -> None:
        try:
            signal.raise_signal(number)
        except stop:
            if swallowed:
                raise ValueError("counting the rows failed") from None
            raise

    with pytest.raises(stop), StopsTold():
        work()
    assert "the same command goes on from here" in told.text


def test_an_error_without_a_signal_is_that_error(told: pytest.LogCaptureFixture) -> None:
    with pytest.raises(ValueError, match="mine"), StopsTold():
        raise ValueError("mine")
    assert not told.text


def test_the_handlers_are_as_before_afterwards() -> None:
    with StopsTold():
        assert signal.getsignal(signal.SIGTERM) is not raise_termination
    assert signal.getsignal(signal.SIGTERM) is raise_termination
