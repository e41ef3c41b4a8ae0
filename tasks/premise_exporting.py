"""The premise questions of a build to a release that cannot be solved from the text alone."""

from collections.abc import Sequence
from pathlib import Path

from core.identity import make_id
from export.blindness import Blindness
from export.facts import ReleaseFacts
from export.gate import measure_rows, require_blind
from export.premise_release import write_premise_release
from export.premise_rows import NOT_VERIFIED, PremiseItem
from filters.blind_baseline import LIMIT, BlindRow
from filters.blind_rebalancing import rebalance as leave_out
from filters.premise_splits import group_pictures
from tasks.funnel_lines import premise_lines
from tasks.runs import Run


def write_premises(run: Run, *, rebalance: bool) -> tuple[Path, list[str], Blindness]:
    """The folder, the ids of the questions in it, and what their text alone tells.

    Raises ExportError when that is too much; with `rebalance` when nothing that is left out helps."""
    items = _premise_items(run)
    rows = _blind_rows(items, run)
    blindness = measure_rows(rows, run.recipe.seed)
    if rebalance and not blindness.passes:
        found = leave_out(rows, LIMIT, run.recipe.seed)
        items = [item for item in items if item.question.id not in set(found.drop)]
        blindness = Blindness(report=found.report, dropped=len(found.drop))
    require_blind(run.build, blindness, rebalanced=rebalance)
    questions = [item.question.id for item in items]
    facts = ReleaseFacts(
        run.build,
        run.recipe,
        run.place.code_commit,
        funnel=premise_lines(run.lineage.funnel(run.build)),
        prompts=run.lineage.prompts(run.build),
        blindness=blindness,
    )
    answers = [item.answer.id if item.answer else None for item in items]
    content = [run.build, run.recipe.id, run.place.code_commit, questions, [item.split for item in items], answers]
    folder = run.settings.releases / f"{run.build}-{make_id('rel', content)[4:12]}"
    write_premise_release(items, facts, folder, run.objects.get)
    return folder, questions, blindness


def _premise_items(run: Run) -> list[PremiseItem]:
    placed = run.lineage.premise_questions(run.build)
    samples = run.lineage.samples(found.question.sample for found in placed)
    verified, answers = run.lineage.premise_validators(run.build), run.lineage.premise_answers(run.build)
    return [
        PremiseItem(
            found.question,
            samples[found.question.sample],
            found.split,
            verified.get(found.question.item, NOT_VERIFIED),
            answers.get(found.question.id),
        )
        for found in placed
    ]


def _blind_rows(items: Sequence[PremiseItem], run: Run) -> list[BlindRow]:
    """Rows whose pictures look alike are one group."""
    shown = {item.sample.pictures[0].sha256 for item in items}
    hashes = {sha256: value for sha256, value in run.lineage.picture_hashes().items() if sha256 in shown}
    groups = group_pictures(hashes)
    return [
        BlindRow(
            id=item.question.id,
            text=item.question.question,
            label=item.question.label,
            group=groups[item.sample.pictures[0].sha256],
            subtype=item.question.subtype,
            pair=item.question.pair,
        )
        for item in items
    ]
