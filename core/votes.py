"""What validators are asked about an item, and the record of what one of them said."""

from enum import StrEnum
from typing import Literal

from core.records import IdentifiedRecord
from core.taxonomy import Subtype

Rule = Literal["all", "any", "majority"]
"""Which validators must pass a candidate."""


class Criterion(StrEnum):
    """What a validator is asked (M-18); VALIDITY is asked of the unmodified twin (M-43)."""

    TYPE_COMPLIANCE = "type_compliance"
    UNANSWERABILITY = "unanswerability"
    VALIDITY = "validity"


class Verdict(StrEnum):
    PASS = "pass"
    FAIL = "fail"
    UNPARSED = "unparsed"


class Vote(IdentifiedRecord):
    """One verdict of one validator on one criterion (M-19); `item` is a candidate, or a sample for VALIDITY."""

    id_prefix = "vot"

    item: str
    subtype: Subtype
    criterion: Criterion
    verdict: Verdict
    model: str
    family: str
    call: str
    evidence: str = ""
