"""The one list of flaws that every stage reads: 4 primary types with 12 subtypes (MMPCBench, M-3) and the 13 premise
subtypes in 3 levels (Judge Before Answer, J-8). Definitions are in our words; an enum value is also the module stem,
the prompt stem and the value in the database."""

from enum import StrEnum
from typing import NamedTuple


class PrimaryType(StrEnum):
    EXPRESSION_ERROR = "expression_error"
    PREMISE_CONTRADICTION = "premise_contradiction"
    MISSING_PREMISE = "missing_premise"
    BEYOND_CAPABILITY = "beyond_capability"


class Subtype(StrEnum):
    AMBIGUITY = "ambiguity"
    UNCLEAR_INTENT = "unclear_intent"
    CROSS_MODAL_CONTRADICTION = "cross_modal_contradiction"
    INTER_VISUAL_CONTRADICTION = "inter_visual_contradiction"
    INTRA_TEXTUAL_CONTRADICTION = "intra_textual_contradiction"
    LIGHT_MISSING_VISUAL_PREMISE = "light_missing_visual_premise"
    MEDIUM_MISSING_VISUAL_PREMISE = "medium_missing_visual_premise"
    SEVERE_MISSING_VISUAL_PREMISE = "severe_missing_visual_premise"
    MISSING_IMAGE = "missing_image"
    MISSING_INSTRUCTION = "missing_instruction"
    MISMATCH = "mismatch"
    BEYOND_CAPABILITY = "beyond_capability"


class ModalityRegion(StrEnum):
    """Where a flaw can be seen (reading A27, ours)."""

    TEXT_ONLY = "text_only"
    CROSS_MODAL = "cross_modal"
    VISUAL_ONLY = "visual_only"


class SubtypeDefinition(NamedTuple):
    primary: PrimaryType
    region: ModalityRegion
    definition: str


_EXPRESSION = PrimaryType.EXPRESSION_ERROR
_CONTRADICTION = PrimaryType.PREMISE_CONTRADICTION
_MISSING = PrimaryType.MISSING_PREMISE
_TEXT = ModalityRegion.TEXT_ONLY
_CROSS = ModalityRegion.CROSS_MODAL
_VISUAL = ModalityRegion.VISUAL_ONLY

DEFINITIONS: dict[Subtype, SubtypeDefinition] = {
    Subtype.AMBIGUITY: SubtypeDefinition(
        _EXPRESSION,
        _TEXT,
        "The wording of a premise that the answer needs is so vague that two or more readings fit, and they give "
        "different answers.",
    ),
    Subtype.UNCLEAR_INTENT: SubtypeDefinition(
        _EXPRESSION,
        _TEXT,
        "The instruction is cut short or so abstract that nobody can tell what is to be found.",
    ),
    Subtype.CROSS_MODAL_CONTRADICTION: SubtypeDefinition(
        _CONTRADICTION,
        _CROSS,
        "The text states something about the picture that the picture shows to be otherwise.",
    ),
    Subtype.INTER_VISUAL_CONTRADICTION: SubtypeDefinition(
        _CONTRADICTION,
        _VISUAL,
        "Two pictures given for the same premise show it differently, and nothing says which one holds.",
    ),
    Subtype.INTRA_TEXTUAL_CONTRADICTION: SubtypeDefinition(
        _CONTRADICTION,
        _TEXT,
        "Two statements of the text cannot both be true.",
    ),
    Subtype.LIGHT_MISSING_VISUAL_PREMISE: SubtypeDefinition(
        _MISSING,
        _VISUAL,
        "A smaller part (20 to 30 %) of the salient region of the picture has been made unreadable.",
    ),
    Subtype.MEDIUM_MISSING_VISUAL_PREMISE: SubtypeDefinition(
        _MISSING,
        _VISUAL,
        "About half (40 to 50 %) of the salient region of the picture has been made unreadable.",
    ),
    Subtype.SEVERE_MISSING_VISUAL_PREMISE: SubtypeDefinition(
        _MISSING,
        _VISUAL,
        "Most (70 to 80 %) of the salient region of the picture has been made unreadable.",
    ),
    Subtype.MISSING_IMAGE: SubtypeDefinition(
        _MISSING,
        _CROSS,
        "The text relies on a picture and no picture is given.",
    ),
    Subtype.MISSING_INSTRUCTION: SubtypeDefinition(
        _MISSING,
        _CROSS,
        "Pictures are given, but nothing says what is to be done with them.",
    ),
    Subtype.MISMATCH: SubtypeDefinition(
        _MISSING,
        _CROSS,
        "The pictures belong to another subject than the text and have nothing to do with what is asked.",
    ),
    Subtype.BEYOND_CAPABILITY: SubtypeDefinition(
        PrimaryType.BEYOND_CAPABILITY,
        _TEXT,
        "What is asked cannot be known from the text and the pictures by anyone: an unknowable future, or a property "
        "of something that is not there.",
    ),
}


class DualKind(NamedTuple):
    """Two flaws in one sample (M-47) and how many of them the paper built."""

    first: frozenset[Subtype]
    second: Subtype
    paper_count: int


VISUAL_PREMISE_SUBTYPES = frozenset(
    {
        Subtype.LIGHT_MISSING_VISUAL_PREMISE,
        Subtype.MEDIUM_MISSING_VISUAL_PREMISE,
        Subtype.SEVERE_MISSING_VISUAL_PREMISE,
    }
)

DUAL_KINDS: dict[str, DualKind] = {
    "missing_visual_premise+ambiguity": DualKind(VISUAL_PREMISE_SUBTYPES, Subtype.AMBIGUITY, 17),
    "cross_modal_contradiction+unclear_intent": DualKind(
        frozenset({Subtype.CROSS_MODAL_CONTRADICTION}), Subtype.UNCLEAR_INTENT, 17
    ),
    "missing_instruction+mismatch": DualKind(frozenset({Subtype.MISSING_INSTRUCTION}), Subtype.MISMATCH, 16),
}


class PremiseLevel(StrEnum):
    PERCEPTUAL = "perceptual"
    COGNITIVE = "cognitive"
    REASONING = "reasoning"


class PremiseSubtype(StrEnum):
    ENTITY_EXISTENCE = "entity_existence"
    VISUAL_ATTRIBUTES = "visual_attributes"
    NUMERICAL_ATTRIBUTES = "numerical_attributes"
    STATE_ATTRIBUTES = "state_attributes"
    TEXTUAL_CONTENT = "textual_content"
    SYMBOLIC_MEANING = "symbolic_meaning"
    SPATIAL_RELATIONS = "spatial_relations"
    INTERACTION_RELATIONS = "interaction_relations"
    PART_WHOLE_RELATIONS = "part_whole_relations"
    EMOTIONAL_STATE = "emotional_state"
    SCENE = "scene"
    LOGICAL_RELATIONS = "logical_relations"
    COMMONSENSE_KNOWLEDGE = "commonsense_knowledge"


class PremiseDefinition(NamedTuple):
    """`alias` is the name that the released data of the paper use (J-8)."""

    level: PremiseLevel
    alias: str


_P, _C, _R = PremiseLevel.PERCEPTUAL, PremiseLevel.COGNITIVE, PremiseLevel.REASONING

PREMISES: dict[PremiseSubtype, PremiseDefinition] = {
    PremiseSubtype.ENTITY_EXISTENCE: PremiseDefinition(_P, "Entity Existence"),
    PremiseSubtype.VISUAL_ATTRIBUTES: PremiseDefinition(_P, "Visual Attributes"),
    PremiseSubtype.NUMERICAL_ATTRIBUTES: PremiseDefinition(_P, "Numeric Attributes"),
    PremiseSubtype.STATE_ATTRIBUTES: PremiseDefinition(_P, "State Attributes"),
    PremiseSubtype.TEXTUAL_CONTENT: PremiseDefinition(_P, "OCR Content"),
    PremiseSubtype.SYMBOLIC_MEANING: PremiseDefinition(_P, "Symbol Meaning"),
    PremiseSubtype.SPATIAL_RELATIONS: PremiseDefinition(_C, "Spatial Relation"),
    PremiseSubtype.INTERACTION_RELATIONS: PremiseDefinition(_C, "Interaction Relation"),
    PremiseSubtype.PART_WHOLE_RELATIONS: PremiseDefinition(_C, "Possessive Relation"),
    PremiseSubtype.EMOTIONAL_STATE: PremiseDefinition(_C, "Emotion"),
    PremiseSubtype.SCENE: PremiseDefinition(_C, "Scene"),
    PremiseSubtype.LOGICAL_RELATIONS: PremiseDefinition(_R, "Logical"),
    PremiseSubtype.COMMONSENSE_KNOWLEDGE: PremiseDefinition(_R, "Commonsense"),
}


AnySubtype = Subtype | PremiseSubtype
"""No value is in both."""


def primary_type(subtype: Subtype) -> PrimaryType:
    return DEFINITIONS[subtype].primary


def premise_subtype(name: str) -> PremiseSubtype:
    """The subtype of a name in the paper's spelling, in the released data's spelling, or in ours.

    Raises ValueError for any other name."""
    key = name.strip().lower().replace(" ", "_").replace("-", "_")
    for subtype, definition in PREMISES.items():
        if key in (subtype.value, definition.alias.lower().replace(" ", "_")):
            return subtype
    raise ValueError(f"{name!r} is no premise subtype: one of {', '.join(PremiseSubtype)}")
