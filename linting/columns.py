"""Which column of a data set holds what: by the user's mapping, else by the names that such data sets use."""

from collections.abc import Mapping
from enum import StrEnum

from core.errors import ConfigurationError, SourceError


class Role(StrEnum):
    ID = "id"
    QUESTION = "question"
    LABEL = "label"
    SUBTYPE = "subtype"
    PREMISE = "premise"
    REPLACEMENT = "replacement"
    ANSWER = "answer"
    PICTURE = "picture"
    PAIR = "pair"
    LANGUAGE = "language"


_USUAL: Mapping[Role, tuple[str, ...]] = {
    Role.ID: ("id", "question_id", "uid", "qid", "index"),
    Role.QUESTION: ("question", "query", "prompt", "instruction", "text"),
    Role.LABEL: ("label", "is_valid", "valid", "premise_holds"),
    Role.SUBTYPE: ("subtype", "type", "category", "task"),
    Role.PREMISE: ("premise", "correct_premise", "true_premise"),
    Role.REPLACEMENT: ("replacement", "incorrect_premise", "false_premise"),
    Role.ANSWER: ("answer", "response", "output", "completion", "target"),
    Role.PICTURE: ("images", "image", "pictures", "picture", "image_path", "image_file", "img"),
    Role.PAIR: ("pair_id", "pair"),
    Role.LANGUAGE: ("language", "lang"),
}
_TRUE = frozenset({"true", "1", "yes", "valid", "correct", "sound", "positive", "tp", "answerable"})
_FALSE = frozenset({"false", "0", "no", "invalid", "incorrect", "flawed", "negative", "fp", "unanswerable"})
NEGATED = "!"


def parse_mapping(options: tuple[str, ...]) -> dict[Role, str]:
    """Of `role=column`. Raises ConfigurationError."""
    mapping: dict[Role, str] = {}
    for option in options:
        name, equals, column = option.partition("=")
        if name not in set(Role) or not equals or not column.removeprefix(NEGATED):
            raise ConfigurationError(
                f"`--map {option}` names no column for what is known here.",
                f"Write --map NAME=COLUMN with one of {', '.join(Role)}; --map label=!COLUMN where true means flawed.",
            )
        mapping[Role(name)] = column
    return mapping


def find_columns(names: set[str], mapping: Mapping[Role, str]) -> dict[Role, str]:
    """Raises SourceError for a column that is not there, and where none holds the question."""
    found = {
        role: column for role, usual in _USUAL.items() if (column := next((one for one in usual if one in names), None))
    }
    for role, column in mapping.items():
        if column.removeprefix(NEGATED).split(".")[0] not in names:
            raise SourceError(
                f"There is no column {column.removeprefix(NEGATED)}; there are {', '.join(sorted(names))}.",
                f"Name another one with --map {role}=COLUMN.",
            )
    columns = found | dict(mapping)
    if Role.QUESTION not in columns:
        raise SourceError(
            f"No column is called question; there are {', '.join(sorted(names))}.",
            "Name it with --map question=COLUMN.",
        )
    return columns


def value_in(values: Mapping[str, object], column: str | None) -> object:
    """`a.b` reads inside a struct; None where there is nothing."""
    found: object = values
    for name in column.removeprefix(NEGATED).split(".") if column else ():
        found = found.get(name) if isinstance(found, Mapping) else None
    return found if column else None


def as_label(value: object, column: str) -> bool | None:
    """Whether the question is sound. None for a value that says neither, and for none."""
    name = str(value).strip().lower().removesuffix(".0")
    if value is None or name not in _TRUE | _FALSE:
        return None
    return (name in _TRUE) is not column.startswith(NEGATED)
