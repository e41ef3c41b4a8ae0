"""What every filter is: a flawed sample and its source in, one decision out, with a reason of the list and evidence."""

from enum import StrEnum
from typing import NamedTuple

from core.records import Decision, FlawedSample, Stage


class DropReason(StrEnum):
    NOTHING_CHANGED = "nothing_changed"
    OTHER_CHANGE = "other_change_than_claimed"
    TOKENS_WITHOUT_PICTURES = "tokens_without_pictures"
    OPTIONS_INCONSISTENT = "options_inconsistent"
    EMPTY_INPUT = "empty_input"
    UNDECODABLE_PICTURE = "undecodable_picture"
    SHARE_OUT_OF_RANGE = "share_out_of_range"
    FLAW_LEAKED = "flaw_leaked_in_text"
    LANGUAGE_CHANGED = "language_changed"
    SOLVABLE_BLIND = "solvable_blind"
    NO_VALIDATOR = "no_validator"
    PICTURE_REFUSED = "picture_refused_by_provider"
    WRONG_TYPE = "wrong_type"
    ANSWERABLE = "answerable"
    UNPARSED_VOTES = "unparsed_votes"
    PREMISE_NOT_SHOWN = "premise_not_shown"
    REPLACEMENT_HOLDS = "replacement_holds"
    DUPLICATE = "duplicate_of_another_candidate"
    NEAR_DUPLICATE = "near_duplicate_of_another_candidate"
    OVER_TARGET = "over_target"
    QUESTION_TAKEN = "question_taken_by_another_of_its_kind"
    OTHER_SPLIT = "premise_in_another_split"


class Fault(NamedTuple):
    """What one check found: why to drop, and what was seen."""

    reason: DropReason
    evidence: str


def keep(candidate: FlawedSample, stage: Stage, decided_by: str, evidence: str = "") -> Decision:
    return Decision(
        stage=stage,
        item=candidate.id,
        output=candidate.id,
        subtype=candidate.subtype,
        keep=True,
        evidence=evidence,
        decided_by=decided_by,
    )


def drop(candidate: FlawedSample, stage: Stage, decided_by: str, reason: DropReason, evidence: str) -> Decision:
    return Decision(
        stage=stage,
        item=candidate.id,
        subtype=candidate.subtype,
        keep=False,
        reason=reason,
        evidence=evidence,
        decided_by=decided_by,
    )
