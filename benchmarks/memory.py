"""How much memory processes took at most. Linux counts that in `VmHWM` from the start of the program; `ru_maxrss`
begins with the peak of the process that started it."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.watching import looked_at

_LOOK_SECONDS = 0.1  # the shortest commands take half a second


class Peak:
    """`mb`: the most that one of the watched processes took, in MB of 1024 * 1024 bytes."""

    mb = 0.0


def find_peak_mb(process: int) -> float:
    """0 for a process that has ended."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM:")), 0.0)


@contextmanager
def peak_watched(process: int) -> Generator[Peak, None, None]:
    """Of the process and all that it starts, while the block runs."""
    peak = Peak()

    def look() -> None:
        peak.mb = max(peak.mb, *(find_peak_mb(one) for one in find_family(process)))

    with looked_at(look, _LOOK_SECONDS):
        yield peak


def find_family(process: int) -> list[int]:
    """The process and all that it started and what those started, the process first."""
    found = [process]
    for parent in found:
        for children in Path(f"/proc/{parent}/task").glob("*/children"):
            try:
                found += [int(child) for child in children.read_text(encoding="ascii").split()]
            except (FileNotFoundError, ProcessLookupError):
                continue
    return found
