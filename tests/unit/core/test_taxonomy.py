import re
from collections import Counter

import pytest

from core.taxonomy import (
    DEFINITIONS,
    DUAL_KINDS,
    PREMISES,
    ModalityRegion,
    PremiseLevel,
    PremiseSubtype,
    PrimaryType,
    Subtype,
    premise_subtype,
    primary_type,
)

PAPER_SUBTYPES = {
    PrimaryType.EXPRESSION_ERROR: {"Ambiguity", "Unclear Intent"},
    PrimaryType.PREMISE_CONTRADICTION: {
        "Cross-Modal Contradiction",
        "Inter-Visual Contradiction",
        "Intra-Textual Contradiction",
    },
    PrimaryType.MISSING_PREMISE: {
        "Light Missing Visual Premise",
        "Medium Missing Visual Premise",
        "Severe Missing Visual Premise",
        "Missing Image",
        "Missing Instruction",
        "Mismatch",
    },
    PrimaryType.BEYOND_CAPABILITY: {"Beyond Capability"},
}

PAPER_REGIONS = {
    ModalityRegion.TEXT_ONLY: {"ambiguity", "unclear_intent", "intra_textual_contradiction", "beyond_capability"},
    ModalityRegion.CROSS_MODAL: {"cross_modal_contradiction", "mismatch", "missing_image", "missing_instruction"},
    ModalityRegion.VISUAL_ONLY: {
        "inter_visual_contradiction",
        "light_missing_visual_premise",
        "medium_missing_visual_premise",
        "severe_missing_visual_premise",
    },
}

PAPER_PREMISES = {
    "Entity Existence": "Entity Existence",
    "Visual Attributes": "Visual Attributes",
    "Numerical Attributes": "Numeric Attributes",
    "State Attributes": "State Attributes",
    "Textual Content": "OCR Content",
    "Symbolic Meaning": "Symbol Meaning",
    "Spatial Relations": "Spatial Relation",
    "Interaction Relations": "Interaction Relation",
    "Part-Whole Relations": "Possessive Relation",
    "Emotional State": "Emotion",
    "Scene": "Scene",
    "Logical Relations": "Logical",
    "Commonsense Knowledge": "Commonsense",
}


def spell(name: str) -> str:
    return re.sub(r"[ -]", "_", name.lower())


@pytest.mark.parametrize("primary", PrimaryType)
def test_primary_types_hold_the_papers_subtypes(primary: PrimaryType) -> None:
    ours = {subtype.value for subtype in Subtype if primary_type(subtype) is primary}
    assert ours == {spell(name) for name in PAPER_SUBTYPES[primary]}


def test_every_subtype_has_one_definition_of_its_own() -> None:
    assert list(DEFINITIONS) == list(Subtype)
    assert len({definition.definition for definition in DEFINITIONS.values()}) == 12
    assert all(definition.definition.endswith(".") for definition in DEFINITIONS.values())


@pytest.mark.parametrize("region", ModalityRegion)
def test_regions_are_the_adopted_reading(region: ModalityRegion) -> None:
    assert {subtype.value for subtype, found in DEFINITIONS.items() if found.region is region} == PAPER_REGIONS[region]


def test_dual_kinds_are_the_papers_fifty_samples() -> None:
    assert sorted(kind.paper_count for kind in DUAL_KINDS.values()) == [16, 17, 17]
    assert all(kind.second not in kind.first for kind in DUAL_KINDS.values())


@pytest.mark.parametrize(("paper", "data"), PAPER_PREMISES.items(), ids=PAPER_PREMISES)
def test_both_names_of_a_premise_subtype_are_understood(paper: str, data: str) -> None:
    expected = PremiseSubtype(spell(paper))
    assert premise_subtype(paper) is premise_subtype(data) is premise_subtype(f" {data.upper()} ") is expected


def test_premise_levels_have_the_papers_sizes() -> None:
    assert list(PREMISES) == list(PremiseSubtype)
    levels = Counter(definition.level for definition in PREMISES.values())
    assert levels == {PremiseLevel.PERCEPTUAL: 6, PremiseLevel.COGNITIVE: 5, PremiseLevel.REASONING: 2}


def test_unknown_premise_name_lists_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"'Colour' is no premise subtype: one of entity_existence"):
        premise_subtype("Colour")
