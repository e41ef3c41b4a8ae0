"""What every injector is: a pure function of a sample and a context. Pictures are read through the context and new ones
handed back as bytes, so nothing here touches a disk, a network, a clock or a global random state."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, Protocol

from core.calls import Answer, Proposal
from core.pictures import ReadPixels
from core.recipe import DegradationRecipe, MissingInstructionRecipe
from core.records import Blob, FlawedSample, Picture, Sample
from core.taxonomy import Subtype

RULES = "rules"


class RejectionReason(StrEnum):
    """Why an injector cannot make its flaw in a sample."""

    NO_PICTURE = "no_picture"
    NOT_ONE_PICTURE = "not_one_picture"
    TOO_MANY_PICTURES = "too_many_pictures"
    NO_TEXT = "no_text"
    NO_CONTEXT = "no_context"
    TEXT_DOES_NOT_NEED_PICTURE = "text_does_not_need_picture"
    QUESTION_IN_PICTURE = "question_in_picture"
    OPTION_IS_PICTURE = "option_is_picture"
    NO_DONOR = "no_donor"
    NO_VALIDATOR = "no_validator"
    NOTHING_TO_CHANGE = "nothing_to_change"
    FLAT_PICTURE = "flat_picture"
    UNDECODABLE_PICTURE = "undecodable_picture"
    TOO_WEAK = "too_weak"
    OUT_OF_RANGE = "out_of_range"
    MODEL_DECLINED = "model_declined"
    SPAN_NOT_FOUND = "span_not_found"
    NOTHING_CHANGED = "nothing_changed"
    OTHER_PART_CHANGED = "other_part_changed"
    TOKENS_CHANGED = "tokens_changed"
    FORMULA_CHANGED = "formula_changed"
    FLAW_LEAKED = "flaw_leaked"
    LANGUAGE_CHANGED = "language_changed"
    NO_PREMISE = "no_premise"
    PREMISE_UNUSABLE = "premise_unusable"
    PREMISE_NOT_IN_CAPTION = "premise_not_in_caption"
    PREMISE_NOT_REPLACED = "premise_not_replaced"
    REPLACEMENT_IS_SYNONYM = "replacement_is_synonym"
    PREMISE_IN_NEGATIVE = "premise_in_negative"
    PREMISE_NOT_STATED = "premise_not_stated"
    PREMISE_ASKED = "premise_asked"
    PROMPT_DEBRIS = "prompt_debris"
    NOT_ONE_SENTENCE = "not_one_sentence"
    HEDGED = "hedged"
    WORDS_DO_NOT_AGREE = "words_do_not_agree"
    HINT_QUOTED = "hint_quoted"
    PREMISE_NOT_NAMED = "premise_not_named"
    WRONG_VERDICT = "wrong_verdict"
    PICTURE_UNCHANGED = "picture_unchanged"
    PICTURE_REPLACED = "picture_replaced"
    PICTURE_SIZE_CHANGED = "picture_size_changed"
    REPLY_TRUNCATED = "reply_truncated"
    REPLY_REFUSED = "reply_refused"
    REPLY_EMPTY = "reply_empty"
    REPLY_UNPARSABLE = "reply_unparsable"
    REPLY_FAILED = "reply_failed"


class Rejection(NamedTuple):
    reason: RejectionReason
    detail: str


class Injection(NamedTuple):
    """A flawed sample and the new pictures and masks that it refers to."""

    candidate: FlawedSample
    blobs: tuple[Blob, ...] = ()


@dataclass(frozen=True, slots=True)
class InjectionContext:
    """`stream` is drawn from (run seed, sample id, subtype). `read_pixels` decodes a stored picture as
    `core.pictures.decode_rgb` does and raises what that raises; nobody changes the pixels. `donor` is the sample that
    `mismatch` takes pictures from, None for all other injectors."""

    stream: random.Random
    read_pixels: ReadPixels
    degradation: DegradationRecipe = field(default_factory=DegradationRecipe)
    missing_instruction: MissingInstructionRecipe = field(default_factory=MissingInstructionRecipe)
    donor: Sample | None = None


class RuleInjector(Protocol):
    """`version` goes up whenever the same sample and stream could give another result: it is part of the key that says
    whether a shard is already done."""

    @property
    def subtype(self) -> Subtype: ...

    @property
    def version(self) -> int: ...

    def apply(self, sample: Sample, context: InjectionContext) -> Injection | Rejection:
        """Never changes the sample; the same sample and stream give the same result."""
        ...


@dataclass(frozen=True, slots=True)
class PromptContext:
    """`stream` is drawn from (run seed, sample id, subtype) and chooses the examples. `read_picture` gives the stored
    bytes of a reference. `few_shot`: how many examples stand in the prompt (A12)."""

    stream: random.Random
    read_picture: Callable[[Picture], bytes]
    few_shot: int = 3


class PromptInjector(Protocol):
    """Two pure halves with one task between them that asks the model. `version` goes up whenever the same sample,
    stream and answers could give another result."""

    @property
    def subtype(self) -> Subtype: ...

    @property
    def version(self) -> int: ...

    def propose(self, sample: Sample, context: PromptContext) -> Proposal | Rejection:
        """The first question to a model, or why there is none."""
        ...

    def accept(
        self, sample: Sample, answers: tuple[Answer, ...], context: PromptContext
    ) -> Injection | Rejection | Proposal:
        """`answers` are all so far, the last the newest, each with the status OK. A Proposal asks for a next step.
        After a Rejection the last question is asked once more with its `detail`, which tells the model what to mend."""
        ...


InjectorTable = Mapping[Subtype, RuleInjector]
PromptInjectorTable = Mapping[Subtype, PromptInjector]
