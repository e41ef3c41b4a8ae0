"""What serves tests and is not installed: skipped on a developer's machine, never in continuous integration."""

from collections.abc import Callable
from typing import NoReturn

import pytest


def test_what_is_required_and_missing_fails_and_is_not_skipped(
    lacks: Callable[[str], NoReturn], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FLAWBENCH_SERVICES", "required")
    with pytest.raises(pytest.fail.Exception, match="no chromium"):
        lacks("no chromium")
    monkeypatch.delenv("FLAWBENCH_SERVICES")
    with pytest.raises(pytest.skip.Exception, match="no chromium"):
        lacks("no chromium")
