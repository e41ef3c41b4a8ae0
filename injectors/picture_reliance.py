"""Whether a text needs its pictures (A7): a picture that only decorates leaves the question answerable after it is
taken away or swapped. A rule cannot solve the question, so it asks for a visible pointer from the text to the
picture."""

import re

from core.image_tokens import TOKEN
from core.records import Sample
from injectors.token_edits import has_token_as_noun

_POINTERS = re.compile(
    r"\b(?:figures?|figs?|diagrams?|graphs?|charts?|pictures?|pictured|images?|drawings?|sketch(?:es)?|photos?"
    r"|illustrat(?:ed|ions?|es)|photographs?|depict(?:ed|s)|shown|schematics?|painting|cartoon|radiograph|micrograph"
    r"|table\s+(?:below|above|shows)|the\s+(?:table|plot|map)|(?:see|given|listed)\s+(?:below|above))\b",
    re.IGNORECASE,
)
_WEAK_POINTERS = re.compile(
    r"\b(?:circuits?|grid|table|map|nets?|marked|shaded|colou?red|drawn|puzzle|displayed|labell?ed|following|below|above)\b",
    re.IGNORECASE,
)
_POINTERS_CHINESE = re.compile(
    r"如图|上图|下图|图中|附图|右图|左图|图示|示意图|见图|图片|此图|该图|这张图|图像|图表|曲线图|柱状图|统计图|折线图|地图|"
    r"下表|上表|表中|如表|所示|图\s*[0-9一二三四五六七八九十(（]|阴影"
)
_NAMES = re.compile(r"(?<![A-Za-z\\])[B-HJ-Z](?:'|_?\{?\d\}?)?(?![A-Za-z])|\b[A-Z]{2,4}\b")
_MIN_NAMES = 2


def relies_on_pictures(sample: Sample) -> bool:
    """True when a text speaks of something that only the pictures show (a figure, what is shown), when the options
    are in the picture, or when a picture token comes with a weaker sign: a shaded part, a table, two names of
    points or parts."""
    texts = [text for text in (sample.context, sample.query) if text]
    words = TOKEN.sub(" ", " ".join(texts))
    if _POINTERS.search(words) or _POINTERS_CHINESE.search(words) or options_are_drawn(sample):
        return True
    if any(has_token_as_noun(text) for text in texts):
        return True
    tokens = any(TOKEN.search(text) for text in texts)
    return tokens and (bool(_WEAK_POINTERS.search(words)) or len(set(_NAMES.findall(words))) >= _MIN_NAMES)


def options_are_drawn(sample: Sample) -> bool:
    """The options only point into the pictures: bare letters such as "A" or "(B)", or picture tokens."""
    bare = [TOKEN.sub("", option).strip(" ().（）．。") for option in sample.options]
    return bool(bare) and all(option == "" or (len(option) == 1 and option.upper() in "ABCDEFGHIJ") for option in bare)
