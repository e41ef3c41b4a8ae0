"""What a check computes for one question, from the figures and from the numbers that only its text holds."""

from typing import NamedTuple


class Expected(NamedTuple):
    """`answer` is compared with the record letter by letter; every one of `stated` must stand in its text: these are
    the numbers that the computation used and the facts of the figure that the text repeats."""

    answer: str
    stated: tuple[str, ...] = ()
