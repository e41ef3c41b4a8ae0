"""Whether a process still runs that wrote a file or a claim: what it left is another's as long as it does."""

import os
from contextlib import suppress


def is_running(process: int) -> bool:
    """Whether a process of this number runs on this host."""
    try:
        with suppress(PermissionError):  # it runs, as another user
            os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
