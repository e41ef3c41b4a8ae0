"""Whether the pictures are there, can be decoded, and stand in one split only."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from core.image_tokens import TOKEN
from core.likeness import bands, look_alike
from core.taxonomy import Subtype
from linting.findings import Finding, Hit, Kind, Severity, make_finding
from linting.rows import DataSet, LintRow, PictureRef

_USUAL = 0.9


def check_pictures(split: str, rows: Sequence[LintRow]) -> list[Finding]:
    missing = [Hit(row, f"no file {one.name}") for row in rows for one in row.pictures if one.missing]
    with_any = sum(bool(row.pictures) for row in rows)
    if with_any < len(rows) and with_any >= _USUAL * len(rows):
        missing += [Hit(row, "no picture named") for row in _without_pictures(rows) if not _is_meant(row)]
    broken = [Hit(row, f"{one.name}: {one.fault}") for row in rows for one in row.pictures if one.fault is not None]
    return [
        *make_finding(Kind.PICTURE_MISSING, Severity.ERROR, split, "pictures are not there", missing),
        *make_finding(Kind.PICTURE_UNDECODABLE, Severity.ERROR, split, "pictures cannot be decoded", broken),
    ]


def check_shared_pictures(data: DataSet) -> list[Finding]:
    """Equal by name, by bytes or by what they look like."""
    if len(data.parts) < 2:
        return []
    firsts: dict[object, list[tuple[str, LintRow, PictureRef]]] = defaultdict(list)
    hits: dict[tuple[str, str], Hit] = {}
    for part, rows in data.parts.items():
        for row in rows:
            for picture in row.pictures:
                for key in _keys(picture):
                    for other, first, seen in firsts[key]:
                        if other != part and _alike(picture, seen):
                            hits.setdefault(
                                (part, row.id), Hit(row, f"{picture.name}: also in {other}, row {first.id}")
                            )
                    if not any(other == part and seen == picture for other, _, seen in firsts[key]):
                        firsts[key].append((part, row, picture))
    return make_finding(Kind.SHARED_PICTURE, Severity.ERROR, None, "pictures stand in two splits", list(hits.values()))


def _keys(picture: PictureRef) -> Iterator[object]:
    yield picture.sha256 or picture.name
    if picture.perceptual_hash is not None:
        yield from bands(picture.perceptual_hash)


def _alike(one: PictureRef, other: PictureRef) -> bool:
    """Of two that have a key in common."""
    if one.perceptual_hash is None or other.perceptual_hash is None:
        return (one.sha256 or one.name) == (other.sha256 or other.name)
    return look_alike(one.perceptual_hash, other.perceptual_hash)


def _without_pictures(rows: Sequence[LintRow]) -> list[LintRow]:
    """In a release of ours a question that names no picture, and whose pair shows none, came without one."""
    shown = {row.pair for row in rows if row.pictures}
    return [
        row
        for row in rows
        if not row.pictures and (row.source_text is None or row.pair in shown or TOKEN.search(row.question))
    ]


def _is_meant(row: LintRow) -> bool:
    return row.subtype is not None and Subtype.MISSING_IMAGE in row.subtype.split("+")
