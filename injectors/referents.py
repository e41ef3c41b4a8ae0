"""What a finder of vague words answers: which name in a request can become which vague word, and at least two things
that the vague word can mean."""

import re
from collections.abc import Callable
from typing import NamedTuple

from injectors.passages import Span


class Referent(NamedTuple):
    """`place` is where the name stands in the query, `vague` what takes its place, `candidates` what that can mean: the
    first is the one that was named. `keeps_options`: the options fit every candidate."""

    place: Span
    vague: str
    candidates: tuple[str, ...]
    keeps_options: bool = False


class Request(NamedTuple):
    """A query, where its request begins, and all text that stands before the request."""

    query: str
    start: int
    before: str

    @property
    def goal(self) -> str:
        return self.query[self.start :]

    def place(self, start: int, end: int) -> Span:
        """A place in the request as a place in the query."""
        return Span(self.start + start, self.start + end)


Finder = Callable[[Request], list[Referent]]


def bare(label: str) -> str:
    """A label without its formula marks."""
    return re.sub(r"\\mathrm|\\text|\\mathbf|\\overline|\\angle|\\[()]|[$\s{}]", "", label)
