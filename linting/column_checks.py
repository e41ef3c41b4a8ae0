"""Which checks had nothing to look at, since the data have no labels: nothing found is not the same as sound."""

from linting.columns import Role
from linting.findings import Finding, Kind, Severity
from linting.rows import DataSet

_NEED_LABELS = (
    Kind.BLIND_BASELINE,
    Kind.LABEL_IMBALANCE,
    Kind.ONE_SIDED_WORD,
    Kind.PREMISE_NOT_REPLACED,
    Kind.PREMISE_MISSING_IN_POSITIVE,
)


def find_left_out(data: DataSet) -> list[Finding]:
    """Where not one row of a file has a label."""
    if not data.columns or any(row.label is not None for row in data.rows):
        return []
    column = data.columns.get(Role.LABEL)
    why = f"the column {column} holds no label" if column else "no column of labels was found"
    return [
        Finding(
            kind=Kind.CHECKS_LEFT_OUT,
            severity=Severity.INFO,
            split=None,
            count=len(_NEED_LABELS),
            unit="check",
            message=f"{why}, so these checks were left out: {', '.join(_NEED_LABELS)}. The columns are "
            f"{', '.join(data.names)}: name the one that says whether a question is sound with --map label=COLUMN",
        )
    ]
