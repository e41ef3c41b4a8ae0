"""Shards of premise pairs. As in `tasks.specs`, a key is the hash of all that shapes the result."""

from core.records import Stage
from core.taxonomy import PremiseSubtype
from tasks.specs import PartName, Shard


class PremiseShard(Shard):
    """Pictures to be asked for premises of one subtype, up to the verification of what was found. `label` None makes
    pairs. `generator` is a key of the recipe's models, "" for what is on file. `identity` is the hash of what shapes
    replies: models, prompts, examples, validators. `pool` does not count in the key, as the sample ids do."""

    pool: PartName
    subtype: PremiseSubtype
    label: bool | None
    version: int
    seed: int
    samples: tuple[str, ...]
    generator: str
    identity: str

    @property
    def name(self) -> str:
        return f"{self.subtype}-{self.key[:8]}"

    @property
    def parts(self) -> tuple[PartName, ...]:
        return (PartName(Stage.INJECT, self.key),)

    @property
    def size(self) -> int:
        return len(self.samples)

    def _content(self) -> list[object]:
        made = [self.subtype, self.label, self.version, self.seed, self.samples, self.generator, self.identity]
        return [Stage.INJECT, "premises", *made]


class AnswerShard(Shard):
    """Premise questions that a teacher answers (J-7). `made` are the parts that hold them. `teacher` is a key of the
    recipe's models, "" for rules."""

    pool: PartName
    made: tuple[PartName, ...]
    questions: tuple[str, ...]
    seed: int
    teacher: str
    identity: str

    @property
    def name(self) -> str:
        return f"answers-{self.key[:8]}"

    @property
    def parts(self) -> tuple[PartName, ...]:
        return (PartName(Stage.ANSWER, self.key),)

    @property
    def size(self) -> int:
        return len(self.questions)

    def _content(self) -> list[object]:
        return [Stage.ANSWER, self.questions, self.seed, self.teacher, self.identity]
