"""Texts of others on their way to a terminal: a model, a server or a data set may write sequences that move the cursor,
clear the screen or turn the direction of writing."""

import re

_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def show_controls(text: str) -> str:
    r"""Control characters but tab and line feed are spelled out as in JSON (`\u001b`): JSON stays what it is."""
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
