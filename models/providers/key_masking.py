"""The key of a call is kept out of all that comes back: servers repeat it, whole or in part, in errors, bodies and
headers, and what comes back is stored, shown and logged."""

NO_KEY = "none"
"""In the place of a key where there is none: the SDKs refuse to start without one, local servers do not look at it."""

_SHORTEST = 8
_PROBE = 4
MASK = "[key]"


def mask_key(text: str, key: str | None) -> str:
    """Every stretch of 8 and more characters in a row of the key is masked. Of a shorter key nothing is: it may be a
    word that stands in replies."""
    if not key or not _may_hold(text, key):
        return text
    kept, end = list[str](), 0
    for first, last in _stretches(text, key):
        kept += (text[end:first], MASK)
        end = last
    return "".join((*kept, text[end:]))


def _may_hold(text: str, key: str) -> bool:
    """Fast, since every body is looked through: whatever 8 characters of the key stand there, one of these 4 do."""
    step = _SHORTEST - _PROBE + 1
    return any(key[start : start + _PROBE] in text for start in range(0, len(key) - _PROBE + 1, step))


def _stretches(text: str, key: str) -> list[tuple[int, int]]:
    """Where they begin and end, in order, those that overlap or touch as one."""
    starts = set[int]()
    for part in {key[start : start + _SHORTEST] for start in range(len(key) - _SHORTEST + 1)}:
        at = text.find(part)
        while at >= 0:
            starts.add(at)
            at = text.find(part, at + 1)
    merged: list[tuple[int, int]] = []
    for start in sorted(starts):
        first = merged.pop()[0] if merged and start <= merged[-1][1] else start
        merged.append((first, start + _SHORTEST))
    return merged
