"""Questions that occur twice, in one part of the data or in two."""

from collections import defaultdict
from collections.abc import Sequence

from linting.findings import Finding, Hit, Kind, Severity, make_finding
from linting.rows import DataSet, LintRow
from sources.near_texts import NearTexts
from sources.text_keys import TextKey, normalise


def check_duplicates(split: str, rows: Sequence[LintRow], with_pictures: bool) -> list[Finding]:
    """`with_pictures`: one text with two pictures is two questions. Rows of one pair are alike by design, unless label
    and pictures are the same as well."""
    firsts: dict[tuple[str, ...], list[LintRow]] = defaultdict(list)
    exact: list[Hit] = []
    for row in rows:
        text = " ".join(row.question.split())
        if not text:
            continue
        same = firsts[(text, *(_pictures(row) if with_pictures else ()))]
        other = next((one for one in same if not _are_pair(one, row)), None)
        if other is not None:
            exact.append(Hit(row, f"the question of {other.id}"))
        same.append(row)
    repeated = {hit.row.id for hit in exact}
    near = _find_near([row for row in rows if row.id not in repeated and row.question.strip()], with_pictures)
    return [
        *make_finding(Kind.DUPLICATE_QUESTION, Severity.WARNING, split, "questions repeat an earlier one", exact),
        *make_finding(
            Kind.NEAR_DUPLICATE, Severity.WARNING, split, "questions repeat an earlier one in nearly its words", near
        ),
    ]


def check_shared_questions(data: DataSet) -> list[Finding]:
    where: dict[str, LintRow] = {}
    hits: list[Hit] = []
    for row in data.rows:
        text = " ".join(row.question.split())
        first = where.setdefault(text, row) if text else row
        if _part(data, first) != _part(data, row):
            hits.append(Hit(row, f"also in {first.split}, as {first.id}"))
    return make_finding(Kind.SHARED_QUESTION, Severity.ERROR, None, "questions stand in two splits", hits)


def _find_near(rows: Sequence[LintRow], with_pictures: bool) -> list[Hit]:
    keys = {row.id: TextKey(normalise(row.question), frozenset(), None) for row in rows}
    near = NearTexts(keys.values())
    by_text: dict[str, list[LintRow]] = defaultdict(list)
    hits: list[Hit] = []
    for row in rows:
        key = keys[row.id]
        found = (one for text in (key.text, *near.of(key.text)) for one in by_text.get(text, ()))
        other = next((one for one in found if _is_near(near, keys, one, row, with_pictures)), None)
        if other is not None:
            hits.append(Hit(row, f"nearly the question of {other.id}: {other.question}"))
        by_text[key.text].append(row)
    return hits


def _is_near(near: NearTexts, keys: dict[str, TextKey], one: LintRow, other: LintRow, with_pictures: bool) -> bool:
    if _are_pair(one, other) or (with_pictures and _pictures(one) != _pictures(other)):
        return False
    return near.same_question(keys[one.id], keys[other.id])


def _are_pair(one: LintRow, other: LintRow) -> bool:
    same = one.label == other.label and _pictures(one) == _pictures(other)
    return one.pair is not None and one.pair == other.pair and not same


def _pictures(row: LintRow) -> tuple[str, ...]:
    return tuple(picture.sha256 or picture.name for picture in row.pictures)


def _part(data: DataSet, row: LintRow) -> str:
    return "" if data.has_twins and row.split in ("test", "twins") else row.split
