"""The candidates of a build to a release."""

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from prefect import task
from prefect.cache_policies import NO_CACHE

from core.errors import ExportError
from core.identity import bytes_hash, make_id
from core.records import FlawedSample, PictureReplacement
from core.taxonomy import Subtype
from export.blindness import Blindness
from export.facts import NO_PANEL, ReleaseFacts, ReviewFacts
from export.gate import flawed_blind_rows, measure_rows, require_blind
from export.manifest import MANIFEST_NAME
from export.picture_control import control_pictures
from export.release import write_release
from export.rows import ReleaseItem, Review, make_flawed_row, make_twin_rows
from filters.blind_baseline import LIMIT
from filters.blind_rebalancing import rebalance as leave_out
from storage.runs import ReleaseInfo
from tasks.funnel_lines import flaw_lines
from tasks.premise_exporting import write_premises
from tasks.review_release import ReleaseReview, find_review
from tasks.runs import Run


class Released(NamedTuple):
    """The folder, and what the text of its rows tells without their pictures. `review` is None unless only what people
    accepted was let in; `rows` are the flawed ones of each subtype then."""

    folder: Path
    blindness: Blindness
    review: ReviewFacts | None = None
    rows: dict[Subtype, int] | None = None


@task(name="export-release", cache_policy=NO_CACHE)
def export_release(run: Run, *, accepted_only: bool = False, gate: bool = False, rebalance: bool = False) -> Released:
    """The folder is named by what is in it: a release is never overwritten by another one. `accepted_only`: without
    rows that people did not accept. `gate`: fail where the text alone tells too much, as premise pairs always do;
    `rebalance`: leave out rows until it does not. Raises ExportError."""
    if run.recipe.premises and accepted_only:
        raise ExportError(
            f"Build {run.build} holds premise pairs, which no person reviews.", "Export it without `--reviewed`."
        )
    if run.recipe.premises:
        folder, items, blindness = write_premises(run, rebalance=rebalance)
        released = Released(folder, blindness)
    else:
        released, items = _write_flawed(run, accepted_only=accepted_only, gate=gate, rebalance=rebalance)
    release = ReleaseInfo(
        name=released.folder.name,
        build=run.build,
        recipe_id=run.recipe.id,
        run_id=run.place.run_id,
        code_commit=run.place.code_commit,
        manifest_sha256=bytes_hash((released.folder / MANIFEST_NAME).read_bytes()),
        created=datetime.now(UTC),
    )
    run.lineage.add_release(release, items)
    return released


def _write_flawed(run: Run, *, accepted_only: bool, gate: bool, rebalance: bool) -> tuple[Released, list[str]]:
    candidates = run.lineage.candidates(run.build)
    review = find_review(run.build, run.settings, accepted_only=accepted_only)
    if review and accepted_only:
        candidates = [found for found in candidates if review.outcomes.get(found.id) is Review.ACCEPTED]
    place = run.place
    panels, recipes = run.lineage.panels(run.build), run.lineage.recipes(run.build)
    further = tuple(recipe for recipe in (*recipes.own, *recipes.origins) if recipe.id != run.recipe.id)
    items, blindness = _make_blind(_release_items(run, candidates, panels, review), run, rebalance=rebalance)
    candidates = [item.candidate for item in items]
    if gate or rebalance:
        require_blind(run.build, blindness, rebalanced=rebalance)
    test, twins = [make_flawed_row(item) for item in items], make_twin_rows(items)
    pictures = control_pictures(test, twins, run.objects.get, run.recipe.seed)
    blindness = blindness.model_copy(update={"pictures": pictures})
    facts = ReleaseFacts(
        run.build,
        run.recipe,
        place.code_commit,
        panel=", ".join(sorted({panels[found.id] for found in candidates if found.id in panels})) or NO_PANEL,
        funnel=flaw_lines(run.lineage.funnel(run.build)),
        prompts=run.lineage.prompts(run.build),
        further=further,
        review=review.facts if review else None,
        blindness=blindness,
    )
    content = [
        run.build,
        run.recipe.id,
        [recipe.id for recipe in further],
        place.code_commit,
        [candidate.id for candidate in candidates],
        *([review.facts, [review.labels.get(found.id) for found in candidates]] if review else []),
    ]
    folder = run.settings.releases / f"{run.build}-{make_id('rel', content)[4:12]}"
    write_release(items, facts, folder, run.objects.get, replace=True)
    released = Released(folder, blindness)
    if review and accepted_only:
        released = released._replace(review=review.facts, rows=dict(Counter(found.subtype for found in candidates)))
    return released, [candidate.id for candidate in candidates]


def _make_blind(items: list[ReleaseItem], run: Run, *, rebalance: bool) -> tuple[list[ReleaseItem], Blindness]:
    """What the text tells of these or, with `rebalance`, of those that are left when the fewest have gone: a question
    that goes takes all that was made from it along."""
    rows, untold = flawed_blind_rows([make_flawed_row(item) for item in items], make_twin_rows(items))
    blindness = measure_rows(rows, run.recipe.seed, untold)
    if blindness.passes or not rebalance:
        return items, blindness
    gone = set(leave_out(rows, LIMIT, run.recipe.seed).drop)
    left = [item for item in items if item.candidate.id not in gone and item.parent.id not in gone]
    rest, after = _make_blind(left, run, rebalance=False)
    return (rest, after.model_copy(update={"dropped": len(items) - len(left)})) if after.passes else (items, blindness)


def _release_items(
    run: Run, candidates: list[FlawedSample], panels: Mapping[str, str], review: ReleaseReview | None
) -> list[ReleaseItem]:
    twins = run.lineage.twins(run.build)
    donors = {candidate.id: _donors(candidate) for candidate in candidates}
    parents = [candidate.parent for candidate in candidates]
    samples = run.lineage.samples([*parents, *(donor for found in donors.values() for donor in found)])
    return [
        ReleaseItem(
            candidate,
            samples[candidate.parent],
            tuple(samples[donor] for donor in donors[candidate.id]),
            panels.get(candidate.id, NO_PANEL),
            twins.get(candidate.parent),
            panels.get(candidate.parent),
            review.outcomes.get(candidate.id, Review.NONE) if review else Review.NONE,
            review.labels.get(candidate.id, ()) if review else (),
        )
        for candidate in candidates
    ]


def _donors(candidate: FlawedSample) -> list[str]:
    edits = [edit for flaw in candidate.flaws for edit in flaw.edits]
    return list(dict.fromkeys(edit.donor for edit in edits if isinstance(edit, PictureReplacement)))
