"""Records of premise pairs (Judge Before Answer, J-1..J-8): a picture, something that it shows, and questions that
state it rightly or wrongly while they ask about something else."""

from enum import StrEnum

from pydantic import Field

from core.premise_slots import Filled, fill_slot
from core.records import IdentifiedRecord, Language, Record
from core.taxonomy import PremiseSubtype
from core.votes import Verdict


class Pairing(StrEnum):
    """`matched`: both questions of a pair are one frame over one picture, filled with the premise and with what
    replaces it, so that neither picture nor wording tells them apart. `independent`: other pictures for each label, as
    published."""

    MATCHED = "matched"
    INDEPENDENT = "independent"


class Split(StrEnum):
    """`sft` and `grpo` are the two stages of training (J-10). No picture and no premise is in two of them."""

    TEST = "test"
    SFT = "sft"
    GRPO = "grpo"


class Premise(Record):
    """What a picture shows (`text`, a phrase), and a short caption in which it stands at character `start` (J-2,
    J-3)."""

    subtype: PremiseSubtype
    text: str = Field(min_length=1)
    caption: str = Field(min_length=1)
    start: int = Field(ge=0)


class PremiseQuestion(IdentifiedRecord):
    """One question about the picture of a sample (J-4). `label`: whether the premise that it states holds.

    `stated` begins at character `start` of `question`: the premise itself where it holds, else `replacement`, which
    both questions of a pair name. `answer`: what is true of the picture, None where it is not known. `pair` is the id
    of the frame that both questions of a matched pair share, None for independent ones. `generator` is `rules` or the
    models that made it, joined by `+`; `families` are those that touched it (A31)."""

    id_prefix = "prq"

    sample: str
    premise: Premise
    label: bool
    question: str = Field(min_length=1)
    stated: str = Field(min_length=1)
    start: int = Field(ge=0)
    replacement: str | None = None
    answer: str | None = None
    pair: str | None = None
    language: Language
    generator: str
    injector_version: int
    families: tuple[str, ...] = ()

    @property
    def subtype(self) -> PremiseSubtype:
        return self.premise.subtype

    def restated(self, words: str) -> Filled:
        """The question with other words where `stated` stands."""
        return fill_slot(self.question[: self.start], words, self.question[self.start + len(self.stated) :])

    @property
    def item(self) -> str:
        """What is verified as one: the pair, or a question without one."""
        return self.pair or self.id


class PremiseAnswer(IdentifiedRecord):
    """What a model is to be trained to say (J-7): the analysis in `think`, then an answer, or for a false premise a
    reply that names it."""

    id_prefix = "pra"

    question: str
    think: str = Field(min_length=1)
    answer: str = Field(min_length=1)
    generator: str
    families: tuple[str, ...] = ()


class PremiseVote(IdentifiedRecord):
    """What one validator saw in the picture. `item` is that of the questions. `premise`: PASS when what is to be true
    holds; `replacement`: PASS when what is to be false does not, None where there is none."""

    id_prefix = "prv"

    item: str
    premise: Verdict
    replacement: Verdict | None
    model: str
    family: str
    call: str
    evidence: str = ""
