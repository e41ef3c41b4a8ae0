"""The premise questions of a build to a release that cannot be solved from the text alone."""

from collections.abc import Sequence

from core.identity import make_id
from export.facts import ReleaseFacts
from export.gate import require_blind
from export.premise_rows import NOT_VERIFIED, PremiseItem
from export.premise_standing import find_premise_release
from tasks.funnel_lines import premise_lines
from tasks.released import Planned, Released
from tasks.runs import Run


def write_premises(run: Run, *, rebalance: bool) -> Released:
    """Raises ExportError when the text alone tells too much; with `rebalance` when nothing that is left out helps."""
    items = _premise_items(run)
    folder, facts = _plan_release(items, run)
    standing = None if rebalance else find_premise_release(items, facts, folder)
    blindness = standing.blindness if standing else None
    if blindness is None:
        from tasks.blinding import measure_premises  # what measures takes a second to load

        items, blindness = measure_premises(items, run, rebalance=rebalance)
    require_blind(run.build, blindness, rebalanced=rebalance)
    if standing is None:
        from export.premise_release import write_premise_release  # loads `datasets`

        folder, facts = _plan_release(items, run)
        write_premise_release(items, facts._replace(blindness=blindness), folder, run.objects.get)
    return Released(folder, [item.question.id for item in items], blindness)


def _plan_release(items: Sequence[PremiseItem], run: Run) -> Planned:
    facts = ReleaseFacts(
        run.build,
        run.recipe,
        run.place.code_commit,
        funnel=premise_lines(run.lineage.funnel(run.build)),
        prompts=run.lineage.prompts(run.build),
    )
    questions, splits = [item.question.id for item in items], [item.split for item in items]
    answers = [item.answer.id if item.answer else None for item in items]
    content = [run.build, run.recipe.id, run.place.code_commit, questions, splits, answers]
    return Planned(run.settings.releases / f"{run.build}-{make_id('rel', content)[4:12]}", facts)


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
