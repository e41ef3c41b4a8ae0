"""The candidates of a build to a release."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

from prefect import task
from prefect.cache_policies import NO_CACHE

from core.identity import bytes_hash, make_id
from core.records import FlawedSample, PictureReplacement
from export.facts import NO_PANEL, ReleaseFacts
from export.gate import require_blind
from export.manifest import MANIFEST_NAME
from export.rows import ReleaseItem, Review
from export.standing import find_before_review, find_release
from storage.runs import ReleaseInfo
from tasks.funnel_lines import flaw_lines
from tasks.premise_exporting import write_premises
from tasks.released import Planned, Released
from tasks.review_release import ReleaseReview, find_review, require_accepted
from tasks.runs import Run


@task(name="export-release", cache_policy=NO_CACHE)
def export_release(run: Run, *, accepted_only: bool = False, gate: bool = False, rebalance: bool = False) -> Released:
    """The folder is named by what is in it: a release is never overwritten by another one. `accepted_only`: without
    rows that people did not accept. `gate`: fail where the text alone tells too much, as premise pairs always do;
    `rebalance`: leave out rows until it does not. Raises ExportError."""
    if accepted_only:
        require_accepted(run.build, run.recipe, run.settings)
    if run.recipe.premises:
        released = write_premises(run, rebalance=rebalance)
    else:
        released = _write_flawed(run, accepted_only=accepted_only, gate=gate, rebalance=rebalance)
    release = ReleaseInfo(
        name=released.folder.name,
        build=run.build,
        recipe_id=run.recipe.id,
        run_id=run.place.run_id,
        code_commit=run.place.code_commit,
        manifest_sha256=bytes_hash((released.folder / MANIFEST_NAME).read_bytes()),
        created=datetime.now(UTC),
    )
    run.lineage.add_release(release, released.items)
    return released


def _write_flawed(run: Run, *, accepted_only: bool, gate: bool, rebalance: bool) -> Released:
    review = find_review(run.build, run.settings, accepted_only=accepted_only)
    items = _release_items(run, review, accepted_only=accepted_only)
    folder, facts = _plan_release(items, run, review)
    standing = None if rebalance else find_release(items, facts, folder)
    blindness, before = standing.blindness if standing else None, None
    if blindness is None:
        from tasks.blinding import measure_items  # loads classifiers for a second, and many runs make nothing new

        items, blindness = measure_items(items, run, rebalance=rebalance)
    if gate or rebalance:
        require_blind(run.build, blindness, rebalanced=rebalance)
    if standing is None:
        from export.release import write_release  # loads `datasets`

        folder, facts = _plan_release(items, run, review)
        written = write_release(items, facts._replace(blindness=blindness), folder, run.objects.get)
        before = find_before_review(written, folder.parent) if review and review.labels else None
    released = Released(folder, [item.candidate.id for item in items], blindness, before_review=before)
    if review and accepted_only:
        counts = Counter(item.candidate.subtype for item in items)
        released = released._replace(review=review.facts, rows=dict(counts))
    return released


def _plan_release(items: Sequence[ReleaseItem], run: Run, review: ReleaseReview | None) -> Planned:
    place, ids = run.place, [item.candidate.id for item in items]
    recipes = run.lineage.recipes(run.build)
    further = tuple(recipe for recipe in (*recipes.own, *recipes.origins) if recipe.id != run.recipe.id)
    facts = ReleaseFacts(
        run.build,
        run.recipe,
        place.code_commit,
        panel=", ".join(sorted({item.panel for item in items} - {NO_PANEL})) or NO_PANEL,
        funnel=flaw_lines(run.lineage.funnel(run.build)),
        prompts=run.lineage.prompts(run.build),
        further=further,
        review=review.facts if review else None,
    )
    content = [
        run.build,
        run.recipe.id,
        [recipe.id for recipe in further],
        place.code_commit,
        ids,
        *([review.facts, [review.labels.get(item) for item in ids]] if review else []),
    ]
    return Planned(run.settings.releases / f"{run.build}-{make_id('rel', content)[4:12]}", facts)


def _release_items(run: Run, review: ReleaseReview | None, *, accepted_only: bool) -> list[ReleaseItem]:
    candidates = run.lineage.candidates(run.build)
    if review and accepted_only:
        candidates = [found for found in candidates if review.outcomes.get(found.id) is Review.ACCEPTED]
    panels, twins = run.lineage.panels(run.build), run.lineage.twins(run.build)
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
