"""What ends a run names the file of models that the run uses."""

from collections.abc import Callable
from functools import partial

import pytest

from core.errors import ModelCallError
from core.model_specs import Limits, ModelSpec
from models.base import CallError, FailureKind
from models.lines import Line
from models.pace import Pace
from models.providers.scripted import ScriptedProvider
from models.stops import out_of_attempts, refuses_all, stop_for, unreachable

LINE = Line(
    "writer",
    "mine/two.yaml",
    ModelSpec(provider="scripted", name="s", family="f"),
    ScriptedProvider(),
    Pace(Limits()),
    price=None,
)


@pytest.mark.parametrize(
    ("stop", "kind", "key"),
    [
        (stop_for, FailureKind.KEY, "`models.writer.key_variable`"),
        (partial(refuses_all, since="so far"), FailureKind.PERMANENT, "`models.writer`"),
        (unreachable, FailureKind.TEMPORARY, "`models.writer.base_url`"),
        (unreachable, FailureKind.MOVED, "`models.writer.name`"),
        (out_of_attempts, FailureKind.RATE, "`models.writer.limits`"),
        (out_of_attempts, FailureKind.TEMPORARY, "`models.writer.timeout_seconds`"),
    ],
    ids=["no key", "refuses all", "no server", "another server", "too fast", "fails"],
)
def test_what_is_to_be_changed_is_named_with_its_file(
    stop: Callable[[Line, CallError], ModelCallError], kind: FailureKind, key: str
) -> None:
    fix = stop(LINE, CallError(kind, "no")).fix
    assert "mine/two.yaml" in fix
    assert key in fix
