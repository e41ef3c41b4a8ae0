"""Which injector makes which flaw: one visible table for all twelve subtypes, and one of those that a model can make,
held against the taxonomy by tests."""

from core.taxonomy import Subtype
from injectors.ambiguity import AMBIGUITY
from injectors.base import InjectorTable, PromptInjectorTable
from injectors.beyond_capability import BEYOND_CAPABILITY
from injectors.cross_modal_contradiction import CROSS_MODAL_CONTRADICTION
from injectors.inter_visual_contradiction import INTER_VISUAL_CONTRADICTION
from injectors.intra_textual_contradiction import INTRA_TEXTUAL_CONTRADICTION
from injectors.mismatch import MISMATCH
from injectors.modality_removal import MISSING_IMAGE, MISSING_INSTRUCTION
from injectors.prompted import ambiguity as prompted_ambiguity
from injectors.prompted import beyond_capability as prompted_beyond_capability
from injectors.prompted import cross_modal_contradiction as prompted_cross_modal_contradiction
from injectors.prompted import inter_visual_contradiction as prompted_inter_visual_contradiction
from injectors.prompted import intra_textual_contradiction as prompted_intra_textual_contradiction
from injectors.prompted import unclear_intent as prompted_unclear_intent
from injectors.unclear_intent import UNCLEAR_INTENT
from injectors.visual_degradation import VISUAL_DEGRADATION

INJECTORS: InjectorTable = {
    Subtype.AMBIGUITY: AMBIGUITY,
    Subtype.UNCLEAR_INTENT: UNCLEAR_INTENT,
    Subtype.CROSS_MODAL_CONTRADICTION: CROSS_MODAL_CONTRADICTION,
    Subtype.INTER_VISUAL_CONTRADICTION: INTER_VISUAL_CONTRADICTION,
    Subtype.INTRA_TEXTUAL_CONTRADICTION: INTRA_TEXTUAL_CONTRADICTION,
    **VISUAL_DEGRADATION,
    Subtype.MISSING_IMAGE: MISSING_IMAGE,
    Subtype.MISSING_INSTRUCTION: MISSING_INSTRUCTION,
    Subtype.MISMATCH: MISMATCH,
    Subtype.BEYOND_CAPABILITY: BEYOND_CAPABILITY,
}

PROMPT_INJECTORS: PromptInjectorTable = {
    Subtype.AMBIGUITY: prompted_ambiguity.AMBIGUITY,
    Subtype.UNCLEAR_INTENT: prompted_unclear_intent.UNCLEAR_INTENT,
    Subtype.CROSS_MODAL_CONTRADICTION: prompted_cross_modal_contradiction.CROSS_MODAL_CONTRADICTION,
    Subtype.INTER_VISUAL_CONTRADICTION: prompted_inter_visual_contradiction.INTER_VISUAL_CONTRADICTION,
    Subtype.INTRA_TEXTUAL_CONTRADICTION: prompted_intra_textual_contradiction.INTRA_TEXTUAL_CONTRADICTION,
    Subtype.BEYOND_CAPABILITY: prompted_beyond_capability.BEYOND_CAPABILITY,
}
"""What is made by models when a build has any (M-11, M-12); everything else is made by rules."""
