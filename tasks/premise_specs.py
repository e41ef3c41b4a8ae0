"""Shards of premise pairs. As in `tasks.specs`, a key is the hash of all that shapes the result."""

from core.records import Stage
from core.taxonomy import PremiseSubtype
from tasks.specs import PartName, SampleShard, Shard


class PremiseShard(SampleShard):
    """Pictures to be asked for premises of one subtype, up to the verification of what was found. `label` None makes
    pairs. `generator` is a key of the recipe's models, "" for what is on file. `identity` is the hash of what shapes
    replies: models, prompts, examples, validators."""

    stage = Stage.INJECT

    subtype: PremiseSubtype
    label: bool | None
    version: int
    generator: str
    identity: str

    def _topic(self) -> str:
        return self.subtype

    def _content(self) -> list[object]:
        made = [self.subtype, self.label, self.version, self.seed, self.samples, self.generator, self.identity]
        return ["premises", *made]


class AnswerShard(Shard):
    """Premise questions that a teacher answers (J-7). `made` are the parts that hold them. `teacher` is a key of the
    recipe's models, "" for rules."""

    stage = Stage.ANSWER

    pool: PartName
    made: tuple[PartName, ...]
    questions: tuple[str, ...]
    seed: int
    teacher: str
    identity: str

    def _topic(self) -> str:
        return "answers"

    @property
    def size(self) -> int:
        return len(self.questions)

    def _content(self) -> list[object]:
        return [self.questions, self.seed, self.teacher, self.identity]
