"""What stands in a build, for runs that add to it or select from it anew: a question or an input that it has is not
taken again from elsewhere."""

from collections.abc import Iterable

from prefect import task
from prefect.cache_policies import NO_CACHE

from core.records import FlawedSample, Sample
from filters.premise_splits import group_pictures
from storage.membership import ItemKind
from tasks.pools import NOTHING, Standing
from tasks.runs import Run


@task(name="read-standing", cache_policy=NO_CACHE)
def read_standing(run: Run) -> Standing:
    """Nothing where the build has no candidate."""
    candidates = run.lineage.candidates(run.build)
    if not candidates:
        return NOTHING
    samples = _samples_of(run.build, run)
    originals = run.lineage.samples(sample.rewritten_from or sample.id for sample in samples)
    return Standing(tuple(originals.values()), candidates, _hashes_of([*originals.values(), *candidates], run))


def looks_in(build: str, run: Run) -> dict[str, str]:
    """One name for all pictures of the build's questions that look alike, by SHA-256."""
    return group_pictures(_hashes_of(_samples_of(build, run), run))


def _samples_of(build: str, run: Run) -> list[Sample]:
    members = run.lineage.members(build, ItemKind.SAMPLE)
    return list(run.lineage.samples(member.item_id for member in members).values())


def _hashes_of(items: Iterable[Sample | FlawedSample], run: Run) -> dict[str, int]:
    """Of no other pictures: what looks alike must not depend on other builds."""
    shown = {picture.sha256 for item in items for picture in item.pictures}
    return {sha256: value for sha256, value in run.lineage.picture_hashes().items() if sha256 in shown}
