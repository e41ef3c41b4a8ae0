"""Whether a question can stand alone. One that names a figure which is not there, or the result of another part,
would be a natural flaw counted as clean (OlympiadBench issue 16; OlympiadBench row 7513)."""

import re

from sources.base import QuarantineReason
from sources.rows import UnusableRowError

_FIGURE_NOUN = r"(?:figures?|fig\.?|diagrams?|pictures?|images?|sketch|photo(?:graph)?s?|drawing|illustration)"
_NAMES_FIGURE = re.compile(
    rf"(?:\b(?:in|see|from|on|by|to|of|refer to) (?:the )?(?:\w+ )?{_FIGURE_NOUN}(?!\w)(?! out)"
    rf"|\b{_FIGURE_NOUN} (?:above|below|shown|at (?:the )?(?:right|left)|on the (?:right|left)|\d)"
    r"|\bas (?:shown|pictured|illustrated|depicted)\b(?! (?:by|that))"
    r"|\bgraph (?:above|below|shown)|\bfig(?:ure|\.)\s*\d"
    r"|如(?:下|右|左|上)?图|(?:下|右|左|上|附)图|图[中示甲乙丙\d（(]|图[象像](?:如|中|所示))",
    re.IGNORECASE,
)
_OTHER_PART = re.compile(
    r"(?:由|在|据|根据|结合|利用|从|对于|若)\s*第?[（(](\d|[一二三])[)）]\s*(?:问|中|的|可知|得|知|分析|可得|图)"
    r"|第[（(]?(\d|[一二三])[)）]?\s*(?:小?问|小题)|上一?(?:小)?[问题]中?(?:的|得|可知)|前一?[问题]"
)
_OTHER_PART_ENGLISH = re.compile(
    r"\b(?:from|in|of|using|by|to) (?:the )?"
    r"(?:previous (?:part|question|problem)|(?:sub)?part \(?([a-h]|[ivx]+|\d)\)?)(?!\w)",
    re.IGNORECASE,
)


def require_pictures_named(pictures: int, *texts: str | None) -> None:
    """Raises PICTURE_MISSING when a text names a figure and the row has none."""
    if pictures:
        return
    for text in texts:
        found = _NAMES_FIGURE.search(text or "")
        if found:
            raise UnusableRowError(
                QuarantineReason.PICTURE_MISSING, f"the text says {found[0]!r} and there is no picture"
            )


def require_no_other_part(question: str, *explanations: str | None) -> None:
    """Raises NEEDS_ANOTHER_PART when the question or its solution builds on a part that is not in the question."""
    for text in (question, *explanations):
        for pattern in (_OTHER_PART, _OTHER_PART_ENGLISH):
            for found in pattern.finditer(text or ""):
                part = next((group for group in found.groups() if group), None)
                if part is None or not _holds_part(question, part, found[0]):
                    raise UnusableRowError(
                        QuarantineReason.NEEDS_ANOTHER_PART, f"{found[0]!r} names a part that is not in the question"
                    )


def _holds_part(question: str, part: str, reference: str) -> bool:
    without = question.replace(reference, "")
    return re.search(rf"(?:^|[\s。；;.]|part )[（(]?{re.escape(part)}[)）.]", without, re.IGNORECASE) is not None
