"""What a shard of work is. A shard is named by the hash of everything that shapes its result, so its key says whether
it is already done, on any machine and in any later run. Keys leave out what cannot change the result: data folder,
number of workers, run."""

from abc import ABC, abstractmethod
from functools import cached_property

from core.identity import content_hash
from core.recipe import DegradationRecipe, MissingInstructionRecipe, SourceRecipe
from core.records import Record, Stage
from core.taxonomy import Subtype

SHARD_SIZE = 50
CHOICE_VERSION = 1


class Shard(Record, ABC):
    """`key` names the part that the shard becomes, `name` is for people."""

    @cached_property
    def key(self) -> str:
        return content_hash(self._content())

    @property
    @abstractmethod
    def name(self) -> str: ...

    @abstractmethod
    def _content(self) -> list[object]: ...


class SourceShard(Shard):
    """One source of the recipe. `fingerprint` changes when local files do (names, sizes, times)."""

    recipe: SourceRecipe
    reader_version: int
    fingerprint: str

    @property
    def name(self) -> str:
        return self.recipe.reader

    def _content(self) -> list[object]:
        return [Stage.READ, self.recipe, self.reader_version, self.fingerprint]


class InjectionShard(Shard):
    """Up to 50 samples for one injector. `pool` is the key of the part that holds the samples; it does not count in
    the key, as the sample ids do. `donors` are sample ids beside `samples` for `mismatch`, "" where there is none;
    `weights` is the hash of the classifier's weights file, "" where saliency needs none."""

    pool: str
    subtype: Subtype
    injector_version: int
    seed: int
    samples: tuple[str, ...]
    donors: tuple[str, ...] = ()
    degradation: DegradationRecipe
    weights: str = ""
    missing_instruction: MissingInstructionRecipe

    @property
    def name(self) -> str:
        return f"{self.subtype}-{self.key[:8]}"

    def _content(self) -> list[object]:
        settings = [self.degradation.model_copy(update={"classifier_weights": None}), self.missing_instruction]
        made = [self.subtype, self.injector_version, self.seed, self.samples, self.donors, self.weights]
        return [Stage.INJECT, *made, *settings]


class FilterShard(Shard):
    """The candidates of one injection shard through the programmatic filters."""

    injection: InjectionShard
    filter_version: str

    @property
    def name(self) -> str:
        return f"{self.injection.subtype}-{self.key[:8]}"

    def _content(self) -> list[object]:
        return [Stage.FILTER, self.injection.key, self.filter_version]
