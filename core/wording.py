"""Words that would tell a tested model that something is wrong (M-2), and which of the two languages a text is written
in. Injectors reject by them early, with a reason that can be mended; the integrity filter decides by them."""

import re

from core.image_tokens import TOKEN

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


def find_leak(now: str, was: str) -> str | None:
    """A word of our vocabulary that occurs more often in `now` than in `was`."""
    for pattern in (_LEAKS, _LEAKS_CHINESE):
        before = [found.lower() for found in pattern.findall(was)]
        for word in pattern.findall(now):
            if word.lower() not in before:
                return word
            before.remove(word.lower())
    return None


def find_language_shift(now: str, was: str) -> str | None:
    """What to say when the share of Chinese among the letters moves by more than a quarter."""
    share, old = _chinese_share(now), _chinese_share(was)
    if share is None or old is None or abs(share - old) <= _MAX_SHIFT:
        return None
    return f"Chinese letters: {old:.0%} in the source, {share:.0%} now"


def is_foreign(before: str, after: str, source: str) -> bool:
    """What was put in is written in the other script than the source."""
    share = _chinese_share(source)
    if share is None:
        return False
    if share == 0:
        return len(_CHINESE.findall(after)) > len(_CHINESE.findall(before))
    words = _LATIN_WORD.findall(TOKEN.sub(" ", _FORMULA.sub(" ", after)))
    new = [word for word in words if word not in before]
    return share > _MAX_SHIFT and len(new) >= _FOREIGN_WORDS and not _CHINESE.search(after)


def _chinese_share(text: str) -> float | None:
    """Chinese letters / all letters outside formulas, None without letters. A Latin word counts as one letter."""
    plain = TOKEN.sub(" ", _FORMULA.sub(" ", text))
    chinese = len(_CHINESE.findall(plain))
    words = len(_LATIN_WORD.findall(plain))
    return None if chinese + words == 0 else chinese / (chinese + words)
