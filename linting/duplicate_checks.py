"""Questions that occur twice, in one part of the data or in two."""

from collections import defaultdict
from collections.abc import Sequence

from linting.findings import Finding, Hit, Kind, Severity, make_finding
from linting.rows import DataSet, LintRow
from sources.near_texts import NearTexts, deciding_words
from sources.text_keys import TextKey, normalise

_CROWD = 20
"""Questions so much alike that come from one template are not all compared with each other."""


def check_duplicates(split: str, rows: Sequence[LintRow], with_pictures: bool) -> list[Finding]:
    """`with_pictures`: one text with two pictures is two questions. Rows of one pair are alike by design, unless label
    and pictures are the same as well."""
    firsts: dict[tuple[str, ...], list[LintRow]] = defaultdict(list)
    exact: list[Hit] = []
    others: list[LintRow] = []
    for row in rows:
        text = " ".join(row.question.split())
        if not text:
            continue
        same = firsts[(text, *(_pictures(row) if with_pictures else ()))]
        other = next((one for one in same if not _are_pair(one, row)), None)
        if other is not None:
            exact.append(Hit(row, f"the question of {other.id}"))
        else:
            others.append(row)
        same.append(row)
    near = _find_near(others, with_pictures)
    return [
        *make_finding(Kind.DUPLICATE_QUESTION, Severity.WARNING, split, "questions repeat an earlier one", exact),
        *make_finding(
            Kind.NEAR_DUPLICATE, Severity.WARNING, split, "questions repeat an earlier one in nearly its words", near
        ),
    ]


def check_shared_questions(data: DataSet) -> list[Finding]:
    where: dict[str, tuple[str, LintRow]] = {}
    hits: list[Hit] = []
    for part, rows in data.parts.items():
        for row in rows:
            text = " ".join(row.question.split())
            place, first = where.setdefault(text, (part, row)) if text else (part, row)
            if place != part:
                hits.append(Hit(row, f"also in {first.split}, as {first.id}"))
    return make_finding(Kind.SHARED_QUESTION, Severity.ERROR, None, "questions stand in two splits", hits)


def _find_near(rows: Sequence[LintRow], with_pictures: bool) -> list[Hit]:
    texts = [normalise(row.question) for row in rows]
    near = NearTexts(map(_key, _comparable(texts)), _CROWD)
    earlier: dict[tuple[str, ...], list[LintRow]] = defaultdict(list)
    hits: list[Hit] = []
    for row, text in zip(rows, texts, strict=True):
        pictures = _pictures(row) if with_pictures else ()
        seen = (one for one in (text, *near.of(text)) if (one, *pictures) in earlier)
        same = (one for one in seen if near.same_question(_key(one), _key(text)))
        found = (one for other in same for one in earlier[(other, *pictures)] if not _are_pair(one, row))
        first = next(found, None)
        if first is not None:
            hits.append(Hit(row, f"nearly the question of {first.id}: {first.question}"))
        earlier[(text, *pictures)].append(row)
    return hits


def _comparable(texts: Sequence[str]) -> list[str]:
    """Without those that share their numbers and other deciding words with no different text."""
    alike: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for text in dict.fromkeys(texts):
        alike[deciding_words(text)].append(text)
    return [text for members in alike.values() if len(members) > 1 for text in members]


def _key(text: str) -> TextKey:
    return TextKey(text, frozenset(), None)


def _are_pair(one: LintRow, other: LintRow) -> bool:
    same = one.label == other.label and _pictures(one) == _pictures(other)
    return one.pair is not None and one.pair == other.pair and not same


def _pictures(row: LintRow) -> tuple[str, ...]:
    return tuple(picture.sha256 or picture.name for picture in row.pictures)
