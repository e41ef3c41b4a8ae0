"""Which flawed questions can be compared with those that they were made from by their text alone. The gate of releases
and the linter on them ask here, so that both look at the same rows."""

from enum import StrEnum

from core.image_tokens import TOKEN
from core.taxonomy import Subtype


class Untold(StrEnum):
    """Why nothing can be told; of several rows the first that is true of one."""

    NO_PICTURE = "its pictures were taken away, and with them the tokens that name them"
    NO_TEXT = "its text was taken away, which is the flaw"
    UNCHANGED = "its text is that of the twin"
    NO_TWIN = "no unmodified question beside it"


def why_untold(subtype: str, text: str, source: str | None) -> Untold | None:
    """`subtype`: two joined by `+` where there are two flaws. `source`: the question that it was made from. A flaw in a
    picture leaves the text as it is; where pictures are gone, words stand in the place of their tokens. None where the
    words are to be compared."""
    if Subtype.MISSING_IMAGE in subtype.split("+"):
        return Untold.NO_PICTURE
    if source is None:
        return Untold.NO_TWIN
    if bare_words(text) == bare_words(source):
        return Untold.UNCHANGED
    return None if bare_words(text) else Untold.NO_TEXT


def bare_words(text: str) -> str:
    """Without the tokens that name pictures, which follow from what was done to these."""
    return " ".join(TOKEN.sub(" ", text).split())
