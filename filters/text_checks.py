"""Checks of the texts and options that a tested model will read: tokens and options must fit together, the language
must stay, and no word may tell the model that something is wrong (M-2: it has to notice without a hint)."""

import re

from core.image_tokens import TOKEN, numbers_in
from core.records import FlawedSample, Sample, TextEdit, TextPart, TextRemoval
from filters.base import DropReason, Fault

_PICTURE = r"(?:image|picture|figure|diagram|photo|chart|graph)s?"
_LEAKS = re.compile(
    rf"""\b(?:ambigu(?:ous|ity) | contradict\w* | inconsisten\w* | conflicting | blurr\w* | blurry | pixelat\w*
      | degraded | occluded | flaw(?:s|ed)? | unanswerable | mismatch\w* | underspecified | unspecified | placeholder
      | unreadable | redacted | corrupted | vague(?:ly)? | false\s+premise
      | (?:missing|absent|unavailable|removed)\s+{_PICTURE}
      | {_PICTURE}\s+(?:is|are|was|were|has\s+been|have\s+been)\s+(?:missing|removed|absent|edited|altered|replaced)
      | (?:not|never)\s+(?:provided|specified|stated|given) | no\s+{_PICTURE}\s+(?:is|are|was|were)\s+(?:given|provided)
      | (?:cannot|can't|can\s+not)\s+be\s+(?:answered|determined|known|inferred) | insufficient\s+information
      | not\s+enough\s+information | missing\s+(?:information|premise|instruction|data) | unclear )\b""",
    re.IGNORECASE | re.VERBOSE,
)
_LEAKS_CHINESE = re.compile(
    r"模糊|矛盾|歧义|不清楚|不明确|不清晰|缺失|缺少图|缺图|无图|没有图|马赛克|像素化|遮挡|瑕疵|缺陷|不一致|不匹配|不相符|"
    r"无法回答|无法确定|无法得知|无法判断|信息不足|条件不足|未给出|未提供|错误前提|占位"
)
_CHINESE = re.compile(r"[㐀-䶿一-鿿]")
_LATIN_WORD = re.compile(r"[A-Za-z]{2,}")
_FORMULA = re.compile(r"\$\$.*?\$\$|\$.*?\$|\\\(.*?\\\)|\\\[.*?\\\]|\\[A-Za-z]+", re.DOTALL)
_MAX_SHIFT = 0.25
_FOREIGN_WORDS = 3


def check_not_empty(candidate: FlawedSample) -> Fault | None:
    """EMPTY_INPUT when there is neither a picture nor any text."""
    if candidate.pictures or _joined(candidate).strip():
        return None
    return Fault(DropReason.EMPTY_INPUT, "no text, no option and no picture is left")


def check_tokens(candidate: FlawedSample) -> Fault | None:
    """TOKENS_WITHOUT_PICTURES for a token whose number no picture has."""
    count = len(candidate.pictures)
    numbers = numbers_in(candidate.context, candidate.query, *candidate.options)
    wrong = sorted({number for number in numbers if not 1 <= number <= count})
    if not wrong:
        return None
    named = ", ".join(f"<image {number}>" for number in wrong)
    return Fault(DropReason.TOKENS_WITHOUT_PICTURES, f"{named} in the text, but there are {count} pictures")


def check_options(candidate: FlawedSample, parent: Sample) -> Fault | None:
    """OPTIONS_INCONSISTENT: options are all there or were removed on record; none is newly empty or equal to
    another; the text of a right option did not change."""
    evidence = _option_fault(candidate, parent)
    return None if evidence is None else Fault(DropReason.OPTIONS_INCONSISTENT, evidence)


def check_leaks(candidate: FlawedSample, parent: Sample) -> Fault | None:
    """FLAW_LEAKED for a word of our vocabulary that occurs more often than in the source."""
    now, was = _joined(candidate), _joined(parent)
    for pattern in (_LEAKS, _LEAKS_CHINESE):
        before = [found.lower() for found in pattern.findall(was)]
        for word in pattern.findall(now):
            if word.lower() in before:
                before.remove(word.lower())
                continue
            return Fault(DropReason.FLAW_LEAKED, f"{word!r} is in the text and was not in the source")
    return None


def check_language(candidate: FlawedSample, parent: Sample) -> Fault | None:
    """LANGUAGE_CHANGED when the share of Chinese among the letters moves by more than a quarter, or when what was
    put in is written in the other script."""
    was, now = _chinese_share(_joined(parent)), _chinese_share(_joined(candidate))
    if was is None or now is None:
        return None
    if abs(now - was) > _MAX_SHIFT:
        return Fault(DropReason.LANGUAGE_CHANGED, f"Chinese letters: {was:.0%} in the source, {now:.0%} now")
    for flaw in candidate.flaws:
        for edit in flaw.edits:
            if isinstance(edit, TextEdit) and _is_foreign(edit, was):
                return Fault(DropReason.LANGUAGE_CHANGED, f"{edit.after!r} was put into a text of another language")
    return None


def _option_fault(candidate: FlawedSample, parent: Sample) -> str | None:
    edits = [edit for flaw in candidate.flaws for edit in flaw.edits]
    removed = any(isinstance(edit, TextRemoval) and edit.part is TextPart.OPTIONS for edit in edits)
    if removed:
        return f"options were removed, but {len(candidate.options)} are there" if candidate.options else None
    if len(candidate.options) != len(parent.options):
        return f"{len(candidate.options)} options, {len(parent.options)} in the source, and no removal on record"
    for index, (now, was) in enumerate(zip(candidate.options, parent.options, strict=True)):
        if was.strip() and not now.strip():
            return f"option {index} is empty"
        if index in parent.correct_options and _bare(now) != _bare(was) and not TOKEN.search(was):
            return f"the right option {index} was {was!r} and is {now!r}"
    if len(set(candidate.options)) < len(set(parent.options)):
        return "two options that differed are now the same"
    return None


def _bare(option: str) -> str:
    return TOKEN.sub("", option).strip()


def _joined(item: Sample | FlawedSample) -> str:
    return "\n".join((item.context or "", item.query or "", *item.options))


def _chinese_share(text: str) -> float | None:
    """Chinese letters / all letters outside formulas, None without letters. A Latin word counts as one letter."""
    plain = TOKEN.sub(" ", _FORMULA.sub(" ", text))
    chinese = len(_CHINESE.findall(plain))
    words = len(_LATIN_WORD.findall(plain))
    return None if chinese + words == 0 else chinese / (chinese + words)


def _is_foreign(edit: TextEdit, source_share: float) -> bool:
    if source_share == 0:
        return len(_CHINESE.findall(edit.after)) > len(_CHINESE.findall(edit.before))
    words = _LATIN_WORD.findall(TOKEN.sub(" ", _FORMULA.sub(" ", edit.after)))
    new = [word for word in words if word not in edit.before]
    return source_share > _MAX_SHIFT and len(new) >= _FOREIGN_WORDS and not _CHINESE.search(edit.after)
