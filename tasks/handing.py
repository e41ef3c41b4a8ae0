"""What a flow hands to a task. Prefect searches it for results of other tasks, record by record, field by field: with
thousands of records that takes longer than the task."""

from typing import TypeVar, cast

from prefect.utilities.annotations import quote

Value = TypeVar("Value")


def unsearched(value: Value) -> Value:
    """The task gets the value itself; until then it is wrapped in a mark that Prefect takes off without looking in."""
    marked: object = quote(value)
    return cast("Value", marked)
