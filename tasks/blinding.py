"""What the text of a release tells is measured, and rows are left out where that is asked for."""

from collections.abc import Sequence

from export.blindness import Blindness
from export.measuring import flawed_blind_rows, measure_rows
from export.picture_control import control_pictures
from export.premise_rows import PremiseItem
from export.rows import ReleaseItem, make_flawed_row, make_twin_rows
from filters.blind_rebalancing import rebalance as leave_out
from filters.blind_reports import LIMIT, BlindRow
from filters.blind_rows import bare_words
from filters.premise_splits import group_pictures
from tasks.runs import Run


def measure_items(items: list[ReleaseItem], run: Run, *, rebalance: bool) -> tuple[list[ReleaseItem], Blindness]:
    """Of these or, with `rebalance`, of those that are left when the fewest have gone: a question that goes takes all
    that was made from it along. Raises ExportError when a stored picture is not the one named."""
    left, blindness = _measure_texts(items, run, rebalance=rebalance)
    test, twins = [make_flawed_row(item) for item in left], make_twin_rows(left)
    pictures = control_pictures(test, twins, run.objects.get, run.recipe.seed)
    return left, blindness.model_copy(update={"pictures": pictures})


def _measure_texts(items: list[ReleaseItem], run: Run, *, rebalance: bool) -> tuple[list[ReleaseItem], Blindness]:
    rows, untold = flawed_blind_rows([make_flawed_row(item) for item in items], make_twin_rows(items))
    blindness = measure_rows(rows, untold)
    if blindness.passes or not rebalance:
        return items, blindness
    gone = set(leave_out(rows, LIMIT).drop)
    left = [item for item in items if item.candidate.id not in gone and item.parent.id not in gone]
    rest, after = _measure_texts(left, run, rebalance=False)
    return (rest, after.model_copy(update={"dropped": len(items) - len(left)})) if after.passes else (items, blindness)


def measure_premises(items: list[PremiseItem], run: Run, *, rebalance: bool) -> tuple[list[PremiseItem], Blindness]:
    """Of these or, with `rebalance`, of those that are left when the fewest have gone."""
    rows = _premise_rows(items, run)
    blindness = measure_rows(rows)
    if blindness.passes or not rebalance:
        return items, blindness
    found = leave_out(rows, LIMIT)
    left = [item for item in items if item.question.id not in set(found.drop)]
    return left, Blindness(report=found.report, dropped=len(found.drop))


def _premise_rows(items: Sequence[PremiseItem], run: Run) -> list[BlindRow]:
    """Rows whose pictures look alike are one group."""
    shown = {item.sample.pictures[0].sha256 for item in items}
    hashes = {sha256: value for sha256, value in run.lineage.picture_hashes().items() if sha256 in shown}
    groups = group_pictures(hashes)
    return [
        BlindRow(
            id=item.question.id,
            text=bare_words(item.question.question),
            label=item.question.label,
            group=groups[item.sample.pictures[0].sha256],
            subtype=item.question.subtype,
            pair=item.question.pair,
        )
        for item in items
    ]
