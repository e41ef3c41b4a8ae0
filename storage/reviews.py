"""The human review of builds in the lineage file: plans, assignments, projects and tasks of Label Studio, and every
annotation that was read (M-20). Each call is one transaction on the file, which is free again at its end."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from duckdb import DuckDBPyConnection

from core.identity import canonical_json
from core.review import Assignment, Control, Judgement, ReviewPlan, ReviewProject, ReviewTask, Round
from storage.database import Database, load_query, named_rows

_ASSIGNED = {
    "item": "VARCHAR",
    "subtype": "VARCHAR",
    "round": "UTINYINT",
    "annotator": "VARCHAR",
    "control": "BOOLEAN",
    "criteria": ["VARCHAR"],
    "informed": "BOOLEAN",
    "position": "UINTEGER",
}
_TASKS = {"item": "VARCHAR", "project": "BIGINT", "task": "BIGINT", "content_sha": "VARCHAR"}
_JUDGED = {
    "id": "VARCHAR",
    "item": "VARCHAR",
    "round": "UTINYINT",
    "annotator": "VARCHAR",
    "type_compliance": "VARCHAR",
    "unanswerability": "VARCHAR",
    "comment": "VARCHAR",
    "seconds": "DOUBLE",
    "control": "BOOLEAN",
    "flags": ["VARCHAR"],
    "project": "BIGINT",
    "task": "BIGINT",
    "annotation": "BIGINT",
    "created": "VARCHAR",
    "updated": "VARCHAR",
    "record": "VARCHAR",
}


class Reviews:
    """`file` is the lineage file. Every method raises StorageError when it is held, damaged or newer than the code."""

    def __init__(self, file: Path, lock_timeout_seconds: float) -> None:
        self._database = Database(file, lock_timeout_seconds)

    def plan(self, build: str) -> ReviewPlan | None:
        rows = self._select("SELECT record FROM review_plans WHERE build = $build", {"build": build})
        return ReviewPlan.model_validate_json(rows[0]["record"]) if rows else None

    def store_plan(
        self,
        plan: ReviewPlan,
        controls: Mapping[str, Control],
        assignments: Sequence[Assignment],
        gone: Sequence[Assignment] = (),
    ) -> None:
        """All or nothing. Assignments and controls that are there stay, so a plan can grow, but not those `gone` and
        control items that nobody has any more."""
        with self._database.writing() as connection:
            _change_assignments(connection, "remove_review_assignments", plan.build, gone)
            connection.execute("INSERT OR REPLACE INTO review_plans VALUES (?, ?)", [plan.build, canonical_json(plan)])
            for item, control in controls.items():
                connection.execute(
                    "INSERT OR IGNORE INTO review_controls VALUES (?, ?, ?)",
                    [plan.build, item, canonical_json(control)],
                )
            _change_assignments(connection, "add_review_assignments", plan.build, assignments)
            connection.execute(load_query("remove_unused_controls"), {"build": plan.build})

    def items_gone(self, build: str) -> set[str]:
        """Items that were dealt, and are candidates of the build no longer."""
        return {row["item"] for row in self._ask("review_items_gone", build)}

    def add_assignments(self, build: str, assignments: Sequence[Assignment]) -> None:
        """Those that are there stay as they are."""
        with self._database.writing() as connection:
            _change_assignments(connection, "add_review_assignments", build, assignments)

    def controls(self, build: str) -> dict[str, Control]:
        """By the id of the candidate."""
        rows = self._select("SELECT item, record FROM review_controls WHERE build = $build", {"build": build})
        return {row["item"]: Control.model_validate_json(row["record"]) for row in rows}

    def assignments(self, build: str) -> list[Assignment]:
        """In the order in which they were dealt."""
        return [Assignment.model_validate(row) for row in self._ask("review_assignments", build)]

    def projects(self, build: str) -> list[ReviewProject]:
        return [ReviewProject.model_validate(row) for row in self._ask("review_projects", build)]

    def store_project(self, project: ReviewProject) -> None:
        """One project for each build, round and annotator: the newer one replaces the older."""
        with self._database.writing() as connection:
            connection.execute(load_query("store_review_project"), project.model_dump())

    def tasks(self, build: str) -> list[ReviewTask]:
        return [ReviewTask.model_validate(row) for row in self._ask("review_tasks", build)]

    def store_tasks(self, build: str, project: int, tasks: Sequence[ReviewTask]) -> None:
        """What is known of one project afterwards is exactly these tasks."""
        with self._database.writing() as connection:
            connection.execute("DELETE FROM review_tasks WHERE build = ? AND project = ?", [build, project])
            _stage(connection, [task.model_dump() for task in tasks], _TASKS)
            connection.execute("INSERT INTO review_tasks SELECT $build, * FROM staged", {"build": build})

    def judgements(self, build: str, round_: Round | None = None) -> list[Judgement]:
        """Counted and flagged ones, by item, round, annotator and time."""
        rows = self._ask("review_judgements", build)
        found = [Judgement.restore(row["record"], row["id"]) for row in rows]
        return [judgement for judgement in found if round_ in (None, judgement.round)]

    def store_pull(self, project: ReviewProject, judgements: Sequence[Judgement], items: Iterable[str]) -> None:
        """What is known of these items in the round and of the annotator of the project is exactly `judgements`
        afterwards, and the project has its new mark: both or nothing."""
        with self._database.writing() as connection:
            scope = {
                "build": project.build,
                "round": int(project.round),
                "annotator": project.annotator,
                "items": list(items),
            }
            connection.execute(load_query("remove_judgements"), scope)
            rows = [_judgement_columns(judgement) for judgement in judgements]
            _stage(connection, rows, _JUDGED)
            connection.execute(load_query("add_judgements"), {"build": project.build})
            connection.execute(load_query("store_review_project"), project.model_dump())

    def _ask(self, query: str, build: str) -> list[dict[str, Any]]:
        return self._select(load_query(query), {"build": build})

    def _select(self, sql: str, parameters: dict[str, object]) -> list[dict[str, Any]]:
        with self._database.reading() as connection:
            return named_rows(connection.execute(sql, parameters))


def _stage(
    connection: DuckDBPyConnection, rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str | list[str]]
) -> None:
    """As the table `staged`. Through JSON: pyarrow would load pandas, which takes longer than all else that a command
    of a review does."""
    connection.execute(load_query("stage_rows"), {"rows": json.dumps(rows), "columns": json.dumps([columns])})


def _change_assignments(
    connection: DuckDBPyConnection, query: str, build: str, assignments: Sequence[Assignment]
) -> None:
    rows = [assignment.model_dump() | {"position": position} for position, assignment in enumerate(assignments)]
    _stage(connection, rows, _ASSIGNED)
    connection.execute(load_query(query), {"build": build})


def _judgement_columns(judgement: Judgement) -> dict[str, Any]:
    reasons = (judgement.type_compliance_reason, judgement.unanswerability_reason, *judgement.problems)
    return judgement.model_dump(include=set(_JUDGED)) | {
        "id": judgement.id,
        "comment": " / ".join(reason for reason in reasons if reason),
        "record": canonical_json(judgement),
    }
