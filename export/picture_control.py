"""Whether degraded and edited pictures can be told from unmodified ones by numbers that say nothing of what they show:
a control beside the blind baseline of the text, which is reported and refuses nothing."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from core.records import Picture
from core.seeding import ordered
from export.rows import ReleaseRow
from export.tables import ReadPicture, read_named
from filters.blind_baseline import measure_pictures
from filters.blind_reports import BlindRow, PictureControl
from filters.picture_statistics import describe_picture

MOST_ROWS = 100
"""Of each subtype, drawn by the seed: more would cost time and narrow the interval by little."""


class _Shown(NamedTuple):
    """`subtype`: of what was done to it, None for a picture of the twin."""

    row: str
    picture: Picture
    pair: str
    subtype: str | None


def control_pictures(
    test: Sequence[ReleaseRow], twins: Iterable[ReleaseRow], read_picture: ReadPicture, seed: int
) -> PictureControl | None:
    """None where no picture was degraded or edited beside a twin. Raises ExportError when a stored picture is not the
    one named."""
    sound = {row.id: row for row in twins}
    changed: defaultdict[str, list[ReleaseRow]] = defaultdict(list)
    for row in test:
        if row.masks and row.pair_id in sound:  # which degraded and edited pictures have, and borrowed ones have not
            changed[row.subtype or ""].append(row)
    shown: dict[str, _Shown] = {}
    for subtype, found in changed.items():
        for row in ordered(found, seed, "picture control", _name)[:MOST_ROWS]:
            shown |= {f"{one.row}:{one.picture.sha256}": one for one in _pair_up(row, sound[row.pair_id], subtype)}
    pictures = {one.picture.sha256: one for one in shown.values()}
    numbers = {
        sha256: describe_picture(read_named(one.picture, one.row, read_picture)) for sha256, one in pictures.items()
    }
    rows = (
        BlindRow(name, "", one.subtype is None, one.pair, one.subtype, numbers[one.picture.sha256])
        for name, one in shown.items()
    )
    return measure_pictures(rows)


def _name(row: ReleaseRow) -> str:
    return row.id


def _pair_up(row: ReleaseRow, twin: ReleaseRow, subtype: str) -> Iterator[_Shown]:
    """Pictures that the twin has not, and in their place those that the row has no longer; all of the twin where
    pictures were added."""
    before, after = {one.sha256: one for one in twin.images}, {one.sha256: one for one in row.images}
    gone = [one for sha256, one in before.items() if sha256 not in after] or list(before.values())
    for one in gone:
        yield _Shown(twin.id, one, twin.id, None)
    for sha256, one in after.items():
        if sha256 not in before:
            yield _Shown(row.id, one, twin.id, subtype)
