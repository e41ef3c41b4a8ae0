"""What no text of a premise question may look like, whatever it says: debris of a prompt, hedges, several sentences,
the other language. Each check says what to mend."""

import re

from core.records import Language
from core.wording import find_leak
from injectors.base import Rejection, RejectionReason
from injectors.premise.frames import SLOT
from injectors.premise.phrases import count_words
from injectors.prompted.composing import shorten

_DEBRIS = re.compile(
    r"""[\x00-\x1f\x7f] | <<<|>>>|‹‹‹|›››|\*\*|__|``|</?[a-z_]+>|[{}]|\[[A-Z_]+\]
      | ^\s*["'“`].*["'”`]\s*$ | ^\s*(?:[-\#>]+|\d+[.)])\s
      | \b(?:in)?correct\s+premise\b | \bfalse\s+premise\b | \bpremises?\b | \bcaptions?\b | \breplacements?\b
      | \b(?:positive|negative)\s+(?:sample|question|example)\b | \b(?:question|answer|output|note)\s*: | ^[qa]\s*:
      | 前提|图注|图片描述|描述[：:]|问题[：:]|答案[：:]|输出[：:]|替换""",
    re.IGNORECASE | re.VERBOSE,
)
_HEDGE = re.compile(
    r"""\b(?:might|would|could|if|whether|suppos(?:e|ed|ing)|assum(?:e|ed|es|ing)|imagine|perhaps|possibly|probably|maybe
      | likely|seems?|seemingly|appears?\s+to|hypothetical(?:ly)?|presumably)\b
      | 如果|假如|假设|假定|倘若|要是|可能|也许|或许|大概|似乎|好像|看起来|是否""",
    re.IGNORECASE | re.VERBOSE,
)
_MAY = re.compile(r"\bmay\b")
_END = re.compile(r"[.!?](?=[\s\"'”)]|$)|[。！？]")
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|etc|cf|vs|Mr|Mrs|Dr|No|St)\.|\.{3}|…", re.IGNORECASE)
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_LATIN_WORD = re.compile(r"[A-Za-z]{3,}")
_MAX_LATIN_WORDS = 3


def find_debris(text: str, name: str) -> Rejection | None:
    """`name` is what the model calls the text."""
    found = _DEBRIS.search(text)
    if found is None:
        return None
    detail = f"`{name}` holds {shorten(found[0])}, which is of the prompt and not of the text: write the text alone"
    return Rejection(RejectionReason.PROMPT_DEBRIS, detail)


def find_hedge(text: str, name: str) -> Rejection | None:
    found = _HEDGE.search(text) or _MAY.search(text)
    if found is None:
        return None
    return Rejection(RejectionReason.HEDGED, f"`{name}` says {shorten(found[0])}: state it as a plain fact")


def find_hint(text: str, name: str, known: str) -> Rejection | None:
    """Words that tell that something is wrong, unless they stand in what is known."""
    leak = find_leak(text, known)
    if leak is None:
        return None
    return Rejection(RejectionReason.FLAW_LEAKED, f"`{name}` says {shorten(leak)}: leave it out")


def find_other_language(text: str, name: str, language: Language, shown: tuple[str, ...] = ()) -> Rejection | None:
    """`shown` are words that stand in the picture and may be of any language."""
    for words in sorted(shown, key=len, reverse=True):
        text = text.replace(words, " ")
    if language is Language.ENGLISH:
        foreign = bool(_CHINESE.search(text))
    else:
        latin = len(_LATIN_WORD.findall(text))
        foreign = latin > _MAX_LATIN_WORDS or (latin > 0 and not _CHINESE.search(text))
    if not foreign:
        return None
    wanted = "English" if language is Language.ENGLISH else "Chinese"
    return Rejection(RejectionReason.LANGUAGE_CHANGED, f"`{name}` is not all in {wanted}")


def count_sentences(text: str) -> int:
    return len(_END.findall(_ABBREVIATION.sub(" ", text).strip()))


def find_length_fault(text: str, name: str, language: Language, most: int) -> Rejection | None:
    """In English words or Chinese characters."""
    if not text.strip():
        return Rejection(RejectionReason.PREMISE_UNUSABLE, f"`{name}` is empty")
    limit = most if language is Language.ENGLISH else 2 * most
    words = count_words(text.replace(SLOT, " "), language)
    if words <= limit:
        return None
    return Rejection(RejectionReason.PREMISE_UNUSABLE, f"`{name}` has {words} words: {limit} are the most")
