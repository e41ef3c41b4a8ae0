"""All pictures by file stem, and the mark in a PNG that says from which figure it was drawn: a test compares the two,
so a picture cannot lag behind its numbers."""

from typing import NamedTuple

from core.identity import content_hash
from starter.figures import (
    art_design,
    biology_medicine,
    business_economics,
    chemistry,
    computer_science,
    engineering,
    humanities_social_science,
    mathematics,
    physics,
)

MARK = "Figure"
PICTURES: dict[str, NamedTuple] = {
    **mathematics.PICTURES,
    **physics.PICTURES,
    **chemistry.PICTURES,
    **biology_medicine.PICTURES,
    **engineering.PICTURES,
    **computer_science.PICTURES,
    **business_economics.PICTURES,
    **humanities_social_science.PICTURES,
    **art_design.PICTURES,
}


def figure_hash(figure: NamedTuple) -> str:
    return content_hash((type(figure).__name__, figure._asdict()))
