"""Which injector makes which flaw: one visible table for all twelve subtypes, held against the taxonomy by a test."""

from core.taxonomy import Subtype
from injectors.ambiguity import AMBIGUITY
from injectors.base import InjectorTable
from injectors.beyond_capability import BEYOND_CAPABILITY
from injectors.cross_modal_contradiction import CROSS_MODAL_CONTRADICTION
from injectors.inter_visual_contradiction import INTER_VISUAL_CONTRADICTION
from injectors.intra_textual_contradiction import INTRA_TEXTUAL_CONTRADICTION
from injectors.mismatch import MISMATCH
from injectors.modality_removal import MISSING_IMAGE, MISSING_INSTRUCTION
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
