"""What the twelve rule injectors make of real questions passes the filter, which knows nothing of them."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from core.pictures import Pixels, decode_rgb
from core.recipe import DegradationRecipe, MissingInstructionRecipe, SourceRecipe
from core.records import Decision, FlawedSample, Picture, Sample
from core.seeding import stream
from core.taxonomy import Subtype
from filters.integrity import check
from injectors.base import Injection, InjectionContext
from injectors.mismatch import assign_donors
from injectors.registry import INJECTORS
from sources.base import SourceItem
from sources.math_vision import MATH_VISION
from sources.starter import StarterReader

pytestmark = pytest.mark.integration

REAL_QUESTIONS = 8


class Build:
    """Samples with their bytes, and every candidate that the injectors make of them with the filter's decision."""

    def __init__(self, items: Iterable[SourceItem]) -> None:
        taken = list(items)
        self.samples = [item.sample for item in taken]
        self._bytes = {blob.picture.sha256: blob.data for item in taken for blob in item.blobs}
        self._donors = assign_donors(
            self.samples,
            self.samples,
            {fact.sha256: fact.perceptual_hash for item in taken for fact in item.facts},
            seed=1,
        )

    def run(self, subtype: Subtype, mode: str = "all_text") -> list[tuple[FlawedSample, Decision]]:
        made: list[tuple[FlawedSample, Decision]] = []
        for sample in self.samples:
            result = INJECTORS[subtype].apply(sample, self._context(sample, subtype, mode))
            if isinstance(result, Injection):
                self._bytes |= {blob.picture.sha256: blob.data for blob in result.blobs}
                made.append((result.candidate, check(result.candidate, sample, self._read, DegradationRecipe())))
        return made

    def _context(self, sample: Sample, subtype: Subtype, mode: str) -> InjectionContext:
        return InjectionContext(
            stream(1, sample.id, subtype),
            self._read,
            missing_instruction=MissingInstructionRecipe.model_validate({"mode": mode}),
            donor=self._donors.get(sample.id),
        )

    def _read(self, picture: Picture) -> Pixels:
        return decode_rgb(self._bytes[picture.sha256])


@pytest.fixture(scope="module")
def starter() -> Build:
    """Every fourth question, so that all subjects and both languages are there."""
    items = [item for item in StarterReader().read(SourceRecipe(reader="starter")) if isinstance(item, SourceItem)]
    return Build(items[::4])


@pytest.fixture(scope="module")
def real(shared: Path) -> Build:
    recipe = SourceRecipe(reader="math_vision", location=str(shared / "sources/math_vision"), take=REAL_QUESTIONS)
    return Build(item for item in MATH_VISION.read(recipe) if isinstance(item, SourceItem))


@pytest.mark.parametrize("subtype", list(Subtype))
def test_candidates_from_the_starter_set_are_sound(starter: Build, subtype: Subtype) -> None:
    made = starter.run(subtype)
    assert made
    assert [decision.evidence for _, decision in made if not decision.keep] == []


@pytest.mark.parametrize("subtype", list(Subtype))
def test_candidates_from_real_rows_are_sound(real: Build, subtype: Subtype) -> None:
    assert [decision.evidence for _, decision in real.run(subtype) if not decision.keep] == []


def test_instructions_can_be_missing_with_the_context_kept(starter: Build) -> None:
    made = starter.run(Subtype.MISSING_INSTRUCTION, "query_only")
    assert made
    assert all(candidate.context for candidate, _ in made)
    assert [decision.evidence for _, decision in made if not decision.keep] == []
