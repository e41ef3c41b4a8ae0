"""What a release is planned as and what has become of it, whichever kind it is."""

from pathlib import Path
from typing import NamedTuple

from core.taxonomy import Subtype
from export.blindness import Blindness
from export.facts import ReleaseFacts, ReviewFacts


class Planned(NamedTuple):
    """Where rows go and what is said of them, but for what their text tells."""

    folder: Path
    facts: ReleaseFacts


class Released(NamedTuple):
    """The folder, the ids of the items in it, and what the text of its rows tells without their pictures. `review` is
    None unless only what people accepted was let in; `rows` are the flawed ones of each subtype then. `before_review`:
    an earlier release, from which this new one differs by verdicts of people alone."""

    folder: Path
    items: list[str]
    blindness: Blindness
    review: ReviewFacts | None = None
    rows: dict[Subtype, int] | None = None
    before_review: str | None = None
