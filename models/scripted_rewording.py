"""Other words of the scripted writer: common words are exchanged one by one, whatever they mean where they stand.
Numbers, formulas, labels and picture tokens stay, since they are what a rewriting is held against."""

import re

from models.scripted_texts import plain_pieces

_ENGLISH = {
    "a": "one",
    "an": "one",
    "and": "as well as",
    "are": "happen to be",
    "at": "right at",
    "by": "by means of",
    "find": "work out",
    "for": "with regard to",
    "from": "out of",
    "has": "possesses",
    "have": "possess",
    "how": "just how",
    "if": "provided that",
    "is": "happens to be",
    "of": "belonging to",
    "on": "upon",
    "shown": "depicted",
    "that": "the very one that",
    "the": "that",
    "to": "towards",
    "what": "just what",
    "which": "just which",
    "with": "along with",
}
_CHINESE = {
    "的": "之",
    "是": "即为",
    "在": "位于",
    "和": "以及",
    "与": "同",
    "求": "试算出",
    "图": "图形",
    "如": "正如",
    "为": "乃是",
    "有": "具有",
    "中": "之中",
    "则": "那么",
    "若": "假如",
    "下": "以下",
    "这": "该",
    "从": "自",
    "到": "直至",
    "时": "之时",
    "上": "上方",
    "按": "依照",
    "每": "每一",
    "都": "皆",
    "由": "经由",
    "且": "并且",
    "已": "业已",
}
# A word behind a number may be its unit.
_WORD = re.compile(rf"(?<![A-Za-z-])(?<!\d )(?:{'|'.join(_ENGLISH)})(?![A-Za-z-])|[{''.join(_CHINESE)}]", re.IGNORECASE)


def reword(text: str | None) -> str | None:
    if text is None:
        return None
    return "".join(_WORD.sub(_exchange, piece) if plain else piece for piece, plain in plain_pieces(text))


def _exchange(match: re.Match[str]) -> str:
    word = match[0]
    new = _CHINESE.get(word) or _ENGLISH[word.lower()]
    return new[0].upper() + new[1:] if word[0].isupper() else new
