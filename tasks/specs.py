"""What a shard of work is. A shard is named by the hash of everything that shapes its result, so its key says whether
it is already done, on any machine and in any later run. Keys leave out what cannot change the result: data folder,
number of workers, run."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar, NamedTuple, TypeVar

from core.identity import content_hash
from core.recipe import DegradationRecipe, MissingInstructionRecipe, SourceRecipe
from core.records import Record, Stage
from core.taxonomy import Subtype

SHARD_SIZE = 50
CHOICE_VERSION = 1

Thing = TypeVar("Thing")


def cut(things: Sequence[Thing]) -> list[Sequence[Thing]]:
    """Into what one shard takes."""
    return [things[start : start + SHARD_SIZE] for start in range(0, len(things), SHARD_SIZE)]


class PartName(NamedTuple):
    stage: Stage
    key: str


class Shard(Record, ABC):
    """`key` names the last part that the shard becomes, one of `stage`, whose presence says that the shard is done;
    `parts` are all of them. `name` and `size`, the number of things to do where that is known, are for people."""

    stage: ClassVar[Stage]

    @cached_property
    def key(self) -> str:
        return content_hash([self.stage, *self._content()])

    @property
    def name(self) -> str:
        return f"{self._topic()}-{self.key[:8]}"

    @property
    def parts(self) -> tuple[PartName, ...]:
        return (PartName(self.stage, self.key),)

    @property
    @abstractmethod
    def size(self) -> int: ...

    @abstractmethod
    def _topic(self) -> str: ...

    @abstractmethod
    def _content(self) -> list[object]: ...


class SourceShard(Shard):
    """One source of the recipe. `fingerprint` changes when local files do (names, sizes, times)."""

    stage = Stage.READ

    recipe: SourceRecipe
    reader_version: int
    fingerprint: str

    @property
    def name(self) -> str:
        return self._topic()

    @property
    def size(self) -> int:
        return 1

    def _topic(self) -> str:
        return self.recipe.reader

    def _content(self) -> list[object]:
        return [self.recipe, self.reader_version, self.fingerprint]


class SampleShard(Shard):
    """Up to 50 samples. `pool` is the part that holds them; it does not count in the key, as the sample ids do."""

    pool: PartName
    samples: tuple[str, ...]
    seed: int

    @property
    def size(self) -> int:
        return len(self.samples)


class RewriteShard(SampleShard):
    """To be put in other words by a model (M-7). `identity` is the hash of what shapes the replies: model, prompts,
    examples."""

    stage = Stage.REWRITE

    identity: str

    def _topic(self) -> str:
        return "rewrite"

    def _content(self) -> list[object]:
        return [self.samples, self.identity, self.seed]


class MakingShard(SampleShard):
    """For one injector."""

    stage = Stage.INJECT

    subtype: Subtype
    injector_version: int
    degradation: DegradationRecipe

    def _topic(self) -> str:
        return self.subtype


class InjectionShard(MakingShard):
    """For a rule injector. `donors` are sample ids beside `samples` for `mismatch`, "" where there is none; `weights`
    is the hash of the classifier's weights file, "" where saliency needs none."""

    donors: tuple[str, ...] = ()
    weights: str = ""
    missing_instruction: MissingInstructionRecipe

    def _content(self) -> list[object]:
        settings = [self.degradation.shaping(), self.missing_instruction]
        made = [self.subtype, self.injector_version, self.seed, self.samples, self.donors, self.weights]
        return [*made, *settings]


class PromptShard(MakingShard):
    """For an injector that asks a model. `generator` is a key of the recipe's models; `identity` as in RewriteShard."""

    generator: str
    identity: str

    def _content(self) -> list[object]:
        made = [self.subtype, self.injector_version, self.seed, self.samples]
        return [*made, self.generator, self.identity]


Injecting = InjectionShard | PromptShard


class FilterShard(Shard):
    """A making shard and its candidates through the programmatic filters."""

    stage = Stage.FILTER

    injection: Injecting
    filter_version: str

    @property
    def parts(self) -> tuple[PartName, ...]:
        return (*self.injection.parts, *super().parts)

    def _topic(self) -> str:
        return self.injection.subtype

    @property
    def size(self) -> int:
        return len(self.injection.samples)

    def _content(self) -> list[object]:
        return [self.injection.key, self.filter_version]


class PanelShard(Shard):
    """Up to 50 candidates that the filters kept before the validators. `pool` is the part that holds their samples and
    `made` are those that hold the candidates; neither counts in the key. `identity` is the hash of the panel: models,
    prompts, rule."""

    stage = Stage.PANEL

    pool: PartName
    made: tuple[PartName, ...]
    subtype: Subtype
    candidates: tuple[str, ...]
    identity: str
    seed: int

    def _topic(self) -> str:
        return self.subtype

    @property
    def size(self) -> int:
        return len(self.candidates)

    def _content(self) -> list[object]:
        return [self.candidates, self.identity, self.seed]


class DualShard(Shard):
    """Up to 50 kept candidates of one kind of two flaws (M-47), each to get a second flaw. `donors` as in
    InjectionShard, beside `firsts`. `identity` is the hash of what shapes replies and decides what is kept: models,
    prompts, filters, panel, and the rule by which a first flaw is made anew."""

    stage = Stage.INJECT

    kind: str
    build: str
    firsts: tuple[str, ...]
    donors: tuple[str, ...]
    injector_version: int
    generator: str
    identity: str
    seed: int

    def _topic(self) -> str:
        return self.kind

    @property
    def size(self) -> int:
        return len(self.firsts)

    def _content(self) -> list[object]:
        made = [self.kind, self.firsts, self.donors, self.injector_version, self.generator, self.identity, self.seed]
        return ["dual", *made]


class TwinShard(SampleShard):
    """Unmodified samples before the validators (M-43), each beside the subtype of a flawed question made from it.
    `identity` as in PanelShard."""

    stage = Stage.TWIN

    subtypes: tuple[Subtype, ...]
    identity: str

    def _topic(self) -> str:
        return "twins"

    def _content(self) -> list[object]:
        return [self.samples, self.subtypes, self.identity, self.seed]
