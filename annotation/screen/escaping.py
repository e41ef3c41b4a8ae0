"""Texts of sources, models and people as HTML that shows every character and does nothing."""

import html
import unicodedata

_INVISIBLE = ("Cc", "Cf")
_PLAIN = "\n\t"
_AS_BLANKS = str.maketrans(_PLAIN, "  ")


def escape(text: str) -> str:
    """Letters that have no shape or turn the direction of others are spelled out: a change may consist of them."""
    shown = text.replace("\r\n", "\n")
    if not shown.translate(_AS_BLANKS).isprintable():  # letter by letter only where it must be: texts are long
        shown = "".join(_spell_out(letter) for letter in shown)
    return html.escape(shown).replace("\x00", "")


def _spell_out(letter: str) -> str:
    if letter in _PLAIN or unicodedata.category(letter) not in _INVISIBLE:
        return letter
    return f"⟨U+{ord(letter):04X}⟩"
