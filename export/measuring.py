"""What the text of rows tells, measured. Only what makes a release anew imports this: the classifiers take a second to
load."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from export.blindness import Blindness
from export.rows import ReleaseRow
from filters.blind_baseline import measure_blind
from filters.blind_reports import BlindRow
from filters.blind_rows import Untold, bare_words, why_untold


def measure_rows(rows: Sequence[BlindRow], untold: Mapping[str, str] | None = None) -> Blindness:
    both = len({row.label for row in rows}) == 2
    return Blindness(report=measure_blind(rows) if both else None, untold=dict(untold or {}))


def flawed_blind_rows(test: Sequence[ReleaseRow], twins: Iterable[ReleaseRow]) -> tuple[list[BlindRow], dict[str, str]]:
    """The texts of flawed questions beside those that they were made from, and of which subtypes nothing can be
    told."""
    sound = {row.id: row for row in twins}
    told: list[ReleaseRow] = []
    untold: defaultdict[str, set[Untold | None]] = defaultdict(set)
    for row in test:
        twin = sound.get(row.pair_id)
        why = why_untold(row.subtype or "", row.question, twin.question if twin else None)
        untold[row.subtype or ""].add(why)
        told += [] if why else [row]
    beside = {row.pair_id: sound[row.pair_id] for row in told}
    rows = [
        *(BlindRow(row.id, bare_words(row.question), False, row.pair_id, row.subtype) for row in told),
        *(BlindRow(row.id, bare_words(row.question), True, row.pair_id) for row in beside.values()),
    ]
    return rows, {
        subtype: next(why for why in Untold if why in found)
        for subtype, found in sorted(untold.items())
        if None not in found
    }
