"""What a shard of work is. A shard is named by the hash of everything that shapes its result, so its key says whether
it is already done, on any machine and in any later run. Keys leave out what cannot change the result: data folder,
number of workers, run."""

from functools import cached_property

from core.identity import content_hash
from core.recipe import DegradationRecipe, MissingInstructionRecipe, SourceRecipe
from core.records import Record, Stage
from core.taxonomy import Subtype

SHARD_SIZE = 50
CHOICE_VERSION = 1


class SourceShard(Record):
    """One source of the recipe. `fingerprint` changes when local files do (names, sizes, times)."""

    recipe: SourceRecipe
    reader_version: int
    fingerprint: str

    @cached_property
    def key(self) -> str:
        return content_hash({"stage": Stage.READ, "shard": self})

    @property
    def name(self) -> str:
        return self.recipe.reader


class InjectionShard(Record):
    """Up to 50 samples for one injector. `pool` is the key of the part that holds the samples; it is not part of the
    key, as the sample ids are. `donors` are sample ids beside `samples` for `mismatch`, "" where there is none."""

    pool: str
    subtype: Subtype
    injector_version: int
    seed: int
    samples: tuple[str, ...]
    donors: tuple[str, ...] = ()
    degradation: DegradationRecipe
    missing_instruction: MissingInstructionRecipe

    @cached_property
    def key(self) -> str:
        content = {name: getattr(self, name) for name in type(self).model_fields if name != "pool"}
        content["degradation"] = self.degradation.model_dump(mode="json")
        return content_hash({"stage": Stage.INJECT, "shard": content})

    @property
    def name(self) -> str:
        return f"{self.subtype}-{self.key[:8]}"


class FilterShard(Record):
    """The candidates of one injection shard through the programmatic filters."""

    injection: InjectionShard
    filter_version: str

    @cached_property
    def key(self) -> str:
        return content_hash({"stage": Stage.FILTER, "injection": self.injection.key, "filter": self.filter_version})

    @property
    def name(self) -> str:
        return f"{self.injection.subtype}-{self.key[:8]}"
