"""The one spelling of picture tokens inside texts: `<image N>`, N counting the sample's pictures from 1."""

import re

TOKEN = re.compile(r"<image (\d+)>")


def token(number: int) -> str:
    return f"<image {number}>"


def numbers_in(*texts: str | None) -> list[int]:
    """The numbers of all tokens, in order of appearance, repeats kept."""
    return [int(number) for text in texts if text for number in TOKEN.findall(text)]
