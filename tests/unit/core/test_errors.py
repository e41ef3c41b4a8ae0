import pickle

import pytest

from core import errors
from core.errors import FlawbenchError

KINDS = [
    value
    for value in vars(errors).values()
    if isinstance(value, type) and issubclass(value, FlawbenchError) and value is not FlawbenchError
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_error_reads_as_what_failed_and_what_to_do(kind: type[FlawbenchError]) -> None:
    error = kind("Picture 7 is missing.", "Set `location`.")
    assert str(error) == "Picture 7 is missing. Set `location`."
    assert (error.message, error.fix) == ("Picture 7 is missing.", "Set `location`.")
    assert error.retryable is False


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_error_survives_the_way_between_processes(kind: type[FlawbenchError]) -> None:
    copy = pickle.loads(pickle.dumps(kind("What failed.", "What to do.")))  # noqa: S301
    assert type(copy) is kind
    assert (copy.message, copy.fix) == ("What failed.", "What to do.")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_kind_stands_in_the_tree_and_has_a_sentence(kind: type[FlawbenchError]) -> None:
    assert f" {kind.__name__} " in (errors.__doc__ or "")
    assert (kind.__doc__ or "").endswith(".")
