"""The work of one shard: candidates and the decisions on them, made together or one after the other."""

from pathlib import Path

import pytest

from core.recipe import SourceRecipe, load_recipe
from core.records import Stage
from core.taxonomy import Subtype
from sources.base import SourceItem
from sources.registry import reader
from storage.objects import ObjectStore
from storage.parts import PartStore, Row
from storage.rows import sample_rows
from tasks.injection import filter_shard_of
from tasks.planning import rule_shards
from tasks.pools import Pool
from tasks.shards import PartFacts, WorkPlace, make_candidates, new_part
from tasks.specs import PartName

POOL = PartName(Stage.SAMPLE, "0" * 64)


@pytest.mark.parametrize("subtype", [Subtype.MEDIUM_MISSING_VISUAL_PREMISE, Subtype.MISMATCH])
def test_candidates_are_judged_alike_as_they_are_made_and_when_they_are_read_again(
    subtype: Subtype, tmp_path: Path
) -> None:
    place = WorkPlace(str(tmp_path), "run", "commit")
    objects, parts = ObjectStore(str(tmp_path)), PartStore(str(tmp_path))
    items = [item for item in reader("starter").read(SourceRecipe(reader="starter")) if isinstance(item, SourceItem)]
    with new_part(PartFacts(POOL.key, POOL.stage, {}), place) as rows, objects.writing() as put:
        for item in items[::4]:
            for blob in item.blobs:
                put(blob)
            rows += sample_rows(item.sample, item.facts)
    hashes = {fact.sha256: fact.perceptual_hash for item in items for fact in item.facts}
    pool = Pool(POOL, [item.sample for item in items[::4]], hashes)
    recipe = load_recipe("starter").model_copy(update={"targets": {subtype: 5}})
    shard = filter_shard_of(rule_shards(pool, recipe)[subtype][0])

    def decisions() -> list[Row]:
        make_candidates(shard, place)
        return list(parts.read(Stage.FILTER, shard.key).rows("decisions"))

    together = decisions()
    assert len(together) == len(list(parts.read(Stage.INJECT, shard.injection.key).rows("candidates"))) > 3
    parts.remove(Stage.FILTER, shard.key)
    assert decisions() == together
