"""What a shard of work is. A shard is named by the hash of everything that shapes its result, so its key says whether
it is already done, on any machine and in any later run. Keys leave out what cannot change the result: data folder,
number of workers, run."""

from abc import ABC, abstractmethod
from functools import cached_property
from typing import NamedTuple

from core.identity import content_hash
from core.recipe import DegradationRecipe, MissingInstructionRecipe, SourceRecipe
from core.records import Record, Stage
from core.taxonomy import Subtype

SHARD_SIZE = 50
CHOICE_VERSION = 1


class PartName(NamedTuple):
    stage: Stage
    key: str


class Shard(Record, ABC):
    """`key` names the last part that the shard becomes, whose presence says that the shard is done; `parts` are all of
    them. `name` and `size`, the number of things to do where that is known, are for people."""

    @cached_property
    def key(self) -> str:
        return content_hash(self._content())

    @property
    @abstractmethod
    def name(self) -> str: ...

    @property
    @abstractmethod
    def parts(self) -> tuple[PartName, ...]: ...

    @property
    def size(self) -> int:
        return 1

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

    @property
    def parts(self) -> tuple[PartName, ...]:
        return (PartName(Stage.READ, self.key),)

    def _content(self) -> list[object]:
        return [Stage.READ, self.recipe, self.reader_version, self.fingerprint]


class RewriteShard(Shard):
    """Up to 50 samples of a pool that a model puts in other words (M-7). `identity` is the hash of what shapes the
    replies: model, prompts, examples."""

    pool: PartName
    samples: tuple[str, ...]
    identity: str
    seed: int

    @property
    def name(self) -> str:
        return f"rewrite-{self.key[:8]}"

    @property
    def parts(self) -> tuple[PartName, ...]:
        return (PartName(Stage.REWRITE, self.key),)

    @property
    def size(self) -> int:
        return len(self.samples)

    def _content(self) -> list[object]:
        return [Stage.REWRITE, self.samples, self.identity, self.seed]


class MakingShard(Shard, ABC):
    """Up to 50 samples for one injector. `pool` is the part that holds the samples; it does not count in the key, as
    the sample ids do."""

    pool: PartName
    subtype: Subtype
    injector_version: int
    seed: int
    samples: tuple[str, ...]
    degradation: DegradationRecipe

    @property
    def name(self) -> str:
        return f"{self.subtype}-{self.key[:8]}"

    @property
    def parts(self) -> tuple[PartName, ...]:
        return (PartName(Stage.INJECT, self.key),)

    @property
    def size(self) -> int:
        return len(self.samples)


class InjectionShard(MakingShard):
    """For a rule injector. `donors` are sample ids beside `samples` for `mismatch`, "" where there is none; `weights`
    is the hash of the classifier's weights file, "" where saliency needs none."""

    donors: tuple[str, ...] = ()
    weights: str = ""
    missing_instruction: MissingInstructionRecipe

    def _content(self) -> list[object]:
        settings = [self.degradation.model_copy(update={"classifier_weights": None}), self.missing_instruction]
        made = [self.subtype, self.injector_version, self.seed, self.samples, self.donors, self.weights]
        return [Stage.INJECT, *made, *settings]


class PromptShard(MakingShard):
    """For an injector that asks a model. `generator` is a key of the recipe's models; `identity` as in RewriteShard."""

    generator: str
    identity: str

    def _content(self) -> list[object]:
        made = [self.subtype, self.injector_version, self.seed, self.samples]
        return [Stage.INJECT, *made, self.generator, self.identity]


Injecting = InjectionShard | PromptShard


class FilterShard(Shard):
    """A making shard and its candidates through the programmatic filters."""

    injection: Injecting
    filter_version: str

    @property
    def name(self) -> str:
        return f"{self.injection.subtype}-{self.key[:8]}"

    @property
    def parts(self) -> tuple[PartName, ...]:
        return (*self.injection.parts, PartName(Stage.FILTER, self.key))

    @property
    def size(self) -> int:
        return self.injection.size

    def _content(self) -> list[object]:
        return [Stage.FILTER, self.injection.key, self.filter_version]


class PanelShard(Shard):
    """Up to 50 candidates that the filters kept before the validators. `pool` is the part that holds their samples and
    `made` are those that hold the candidates; neither counts in the key. `identity` is the hash of the panel: models,
    prompts, rule."""

    pool: PartName
    made: tuple[PartName, ...]
    subtype: Subtype
    candidates: tuple[str, ...]
    identity: str
    seed: int

    @property
    def name(self) -> str:
        return f"{self.subtype}-{self.key[:8]}"

    @property
    def parts(self) -> tuple[PartName, ...]:
        return (PartName(Stage.PANEL, self.key),)

    @property
    def size(self) -> int:
        return len(self.candidates)

    def _content(self) -> list[object]:
        return [Stage.PANEL, self.candidates, self.identity, self.seed]


class DualShard(Shard):
    """Up to 50 kept candidates of one kind of two flaws (M-47), each to get a second flaw. `identity` is the hash of
    what shapes replies, "" where rules make the second flaw."""

    kind: str
    build: str
    firsts: tuple[str, ...]
    injector_version: int
    generator: str
    identity: str
    seed: int

    @property
    def name(self) -> str:
        return f"{self.kind}-{self.key[:8]}"

    @property
    def parts(self) -> tuple[PartName, ...]:
        return (PartName(Stage.INJECT, self.key),)

    @property
    def size(self) -> int:
        return len(self.firsts)

    def _content(self) -> list[object]:
        made = [self.kind, self.firsts, self.injector_version, self.generator, self.identity, self.seed]
        return [Stage.INJECT, "dual", *made]


class TwinShard(Shard):
    """Up to 50 unmodified samples before the validators (M-43), each beside the subtype of a flawed question made from
    it."""

    pool: PartName
    samples: tuple[str, ...]
    subtypes: tuple[Subtype, ...]
    identity: str
    seed: int

    @property
    def name(self) -> str:
        return f"twins-{self.key[:8]}"

    @property
    def parts(self) -> tuple[PartName, ...]:
        return (PartName(Stage.TWIN, self.key),)

    @property
    def size(self) -> int:
        return len(self.samples)

    def _content(self) -> list[object]:
        return [Stage.TWIN, self.samples, self.subtypes, self.identity, self.seed]
