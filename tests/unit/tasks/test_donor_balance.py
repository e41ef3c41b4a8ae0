"""Whatever number of mismatch candidates a build takes, no donor gave twice before all that fit gave once (M-15)."""

import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from core.recipe import Recipe, SourceRecipe
from core.records import Language, Picture, Sample, Stage, Subject
from core.taxonomy import Subtype
from tasks.planning import rule_shards
from tasks.pools import Pool
from tasks.specs import PartName


def make_sample(number: int, subject: Subject) -> Sample:
    return Sample(
        source="test",
        source_id=str(number),
        context=None,
        query="What does the figure show?",
        pictures=(Picture(sha256=f"{number:064x}", media_type="image/png", width=40, height=30),),
        subject=subject,
        language=Language.ENGLISH,
        licence="CC0-1.0",
        attribution="test",
    )


def assigned(samples: list[Sample], seed: int) -> list[tuple[str, str]]:
    """Sample and donor in the order in which a build takes them."""
    hashes = {
        picture.sha256: random.Random(picture.sha256).getrandbits(64) for one in samples for picture in one.pictures
    }
    pool = Pool(PartName(Stage.SAMPLE, "pool"), samples, hashes)
    recipe = Recipe(
        name="balance", seed=seed, sources=(SourceRecipe(reader="starter"),), targets={Subtype.MISMATCH: len(samples)}
    )
    shards = rule_shards(pool, recipe)[Subtype.MISMATCH]
    return [pair for shard in shards for pair in zip(shard.samples, shard.donors, strict=True)]


@given(st.lists(st.sampled_from((*[Subject.MATHEMATICS] * 6, *Subject)), min_size=2, max_size=130), st.integers(0, 9))
def test_no_donor_gives_twice_before_all_that_fit_gave_once(subjects: list[Subject], seed: int) -> None:
    samples = [make_sample(number, subject) for number, subject in enumerate(subjects)]
    subject_of = {sample.id: sample.subject for sample in samples}
    uses: Counter[str] = Counter()
    for taker, donor in assigned(samples, seed):
        fitting = [other for other, subject in subject_of.items() if subject is not subject_of[taker]]
        assert bool(donor) == bool(fitting)
        if donor:
            assert uses[donor] == min(uses[other] for other in fitting)
            uses[donor] += 1
