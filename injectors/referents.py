"""What a finder of vague words answers: which name in a request can become which vague word, and at least two things
that the vague word can mean."""

import re
from collections.abc import Callable
from typing import NamedTuple

from injectors.passages import Span, sentences


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


def is_last_spoken_of(named: str, others: list[str], request: Request) -> bool:
    """The last premise that speaks of any of them speaks of `named` only: then `the substance` means that one."""
    texts = [span.of(request.before) for span in sentences(request.before)]
    told = [text for text in texts if any(one in text for one in (named, *others))]
    return bool(told) and not any(one in told[-1] for one in others)


def bare(label: str) -> str:
    """A label without its formula marks."""
    return re.sub(r"\\mathrm|\\text|\\mathbf|\\overline|\\angle|\\[()]|[$\s{}]", "", label)
