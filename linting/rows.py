"""A row of any data set as the checks see it: what its columns mean is known, whatever they were called."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple


class PictureRef(NamedTuple):
    """`name`: what the data set calls it. `sha256` where its bytes are there; `perceptual_hash` (64 bits) and `numbers`
    (see `filters.picture_statistics`) where they could be decoded, else `fault` says why not. `missing`: no file has
    that name; what lies behind an address is not known."""

    name: str
    sha256: str | None = None
    perceptual_hash: int | None = None
    numbers: tuple[float, ...] | None = None
    fault: str | None = None
    missing: bool = False


class LintRow(NamedTuple):
    """`label`: whether the question is sound, None where the data do not say. `premise`: what it should (or should not)
    state; `replacement`: what stands in its place. `pair`: what rows made from one source or frame have in common.
    `source_text`: the question that it was made from, whose own oddities are not its faults."""

    id: str
    split: str
    question: str
    label: bool | None = None
    subtype: str | None = None
    premise: str | None = None
    replacement: str | None = None
    answer: str | None = None
    pictures: tuple[PictureRef, ...] = ()
    pair: str | None = None
    language: str | None = None
    source_text: str | None = None

    @property
    def group(self) -> str:
        """Rows that a reader may recognise each other by: those of one pair, else of one picture."""
        if self.pair is not None:
            return self.pair
        return (self.pictures[0].sha256 or self.pictures[0].name) if self.pictures else f"{self.split}:{self.id}"


class DataSet(NamedTuple):
    """`parts`: rows that belong together, by the name of their split; flawed questions and their sound twins are one
    part though they are two splits. `has_pairs`: a release of premise pairs. `columns`: which one was taken for
    what; `names`: all that there are."""

    name: str
    parts: dict[str, list[LintRow]]
    has_twins: bool = False
    has_pairs: bool = False
    columns: Mapping[str, str] = MappingProxyType({})
    names: tuple[str, ...] = ()

    @property
    def blind_parts(self) -> Mapping[str, Sequence[LintRow]]:
        """In which it is measured what the text tells: our gate takes all splits of premise pairs together."""
        return {"+".join(self.parts): self.rows} if self.has_pairs else self.parts

    @property
    def rows(self) -> Sequence[LintRow]:
        return [row for rows in self.parts.values() for row in rows]
