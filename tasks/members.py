"""What a run makes a build consist of."""

from collections.abc import Mapping, Sequence

from core.taxonomy import AnySubtype
from storage.membership import ItemKind, Member
from tasks.runs import Run

Items = Mapping[ItemKind, Sequence[tuple[str, AnySubtype | None]]]


def set_members(items: Items, run: Run, *, replace: bool) -> None:
    """Ids with their subtypes, in order; other kinds stay. `replace`: the build consists of these alone; otherwise they
    come after those that it has."""
    for kind, found in items.items():
        first = 0 if replace else len(run.lineage.members(run.build, kind))
        ranked = [Member(item, subtype, first + rank) for rank, (item, subtype) in enumerate(found)]
        run.lineage.set_members(run.build, kind, ranked, replace=replace)
