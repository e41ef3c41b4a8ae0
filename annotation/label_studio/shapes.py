"""What is used of a task as the server sends it, read leniently: the server checks neither results nor authors, so
every field may hold anything. The rest of a task, which is most of it, is let go of at once."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.errors import AnnotationError
from core.identity import content_hash

SEAL = "data_sha"
ANNOTATION_FIELDS = frozenset(
    {"id", "completed_by", "updated_by", "was_cancelled", "lead_time", "created_at", "updated_at", "result"}
)
_LONGEST_SECONDS = 1e7


@dataclass(frozen=True, slots=True)
class SentAnnotation:
    """`author` and `editor` are numbers of accounts, None for one that was deleted. `result` is not checked."""

    number: int
    author: int | None
    editor: int | None
    skipped: bool
    seconds: float | None
    created: str
    updated: str
    result: object


@dataclass(frozen=True, slots=True)
class SentTask:
    """`sample_id`, `round` and `content_sha` as its data say, `untouched` whether the data are as they were pushed.
    `drafts` come with an export alone."""

    number: int
    sample_id: str | None
    round: int | None
    content_sha: str
    untouched: bool
    annotations: tuple[SentAnnotation, ...]
    drafts: tuple[SentAnnotation, ...]


def seal(data: Mapping[str, object]) -> dict[str, object]:
    """With a hash over all of it, by which a change by hand is noticed."""
    return {**data, SEAL: content_hash({name: value for name, value in data.items() if name != SEAL})}


def is_sealed(data: Mapping[str, object]) -> bool:
    try:
        return data.get(SEAL) == seal(data)[SEAL]
    except (TypeError, ValueError):
        return False


def read_task(sent: Mapping[str, object]) -> SentTask:
    """Raises AnnotationError for what is no task at all."""
    data = read_data(sent)
    round_ = data.get("round")
    return SentTask(
        number=read_number(sent),
        sample_id=_text(data.get("sample_id")),
        round=round_ if isinstance(round_, int) else None,
        content_sha=_text(data.get("content_sha")) or "",
        untouched=is_sealed(data),
        annotations=tuple(_read_annotation(one) for one in _mappings(sent.get("annotations"))),
        drafts=tuple(_read_draft(one) for one in _mappings(sent.get("drafts"))),
    )


def read_data(sent: Mapping[str, object]) -> Mapping[str, object]:
    return _mapping(sent.get("data"))


def read_number(sent: Mapping[str, object]) -> int:
    """Raises AnnotationError where there is none."""
    number = sent.get("id")
    if isinstance(number, int):
        return number
    raise _strange(f"something with the number {str(number)[:60]!r}")


def read_time(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _read_annotation(sent: Mapping[str, object]) -> SentAnnotation:
    """Raises AnnotationError where a field is missing: taken for empty, it would change what a verdict is worth."""
    if not sent.keys() >= ANNOTATION_FIELDS:
        raise _strange(f"an annotation without {', '.join(sorted(ANNOTATION_FIELDS - sent.keys()))}")
    return _read_draft(sent)


def _read_draft(sent: Mapping[str, object]) -> SentAnnotation:
    return SentAnnotation(
        number=read_number(sent),
        author=_person(sent.get("completed_by")),
        editor=_person(sent.get("updated_by")),
        skipped=sent.get("was_cancelled") is True,
        seconds=_seconds(sent.get("lead_time")),
        created=_time(sent.get("created_at")),
        updated=_time(sent.get("updated_at")),
        result=sent.get("result"),
    )


def _mappings(value: object) -> list[Mapping[str, object]]:
    return [_mapping(one) for one in value] if isinstance(value, Sequence) and not isinstance(value, str) else []


def _mapping(value: object) -> Mapping[str, object]:
    return {str(key): one for key, one in value.items()} if isinstance(value, Mapping) else {}


def _person(value: object) -> int | None:
    """A number in lists, an object in single answers."""
    number = _mapping(value).get("id") if isinstance(value, Mapping) else value
    return number if isinstance(number, int) else None


def _seconds(value: object) -> float | None:
    """None for what no time can be: the server takes any number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) and 0 <= value <= _LONGEST_SECONDS else None


def _text(value: object) -> str | None:
    """Without halves of surrogate pairs, which no file can hold."""
    return value.encode(errors="replace").decode() if isinstance(value, str) else None


def _time(value: object) -> str:
    """Raises AnnotationError for what is no time with a zone: without it versions have no order."""
    text = str(value)
    try:
        if read_time(text).tzinfo is not None:
            return text
    except ValueError:
        pass
    raise _strange(f"an annotation of the time {text[:60]!r}")


def _strange(what: str) -> AnnotationError:
    return AnnotationError(
        f"Label Studio sent {what}.",
        "Look whether the server is Label Studio 1.23 and nothing stands between that changes answers.",
    )
