"""What the tasks of a review show: candidates of the build and control items with their source questions, as data of
tasks."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

from annotation.label_studio.pictures import SHOWN_MEDIA_TYPES
from annotation.screen.tasks import make_task
from core.pictures import decode_rgb, encode_png
from core.records import FlawedSample, Picture, Sample
from core.review import Assignment, Judgement, Round
from storage.lineage import Lineage
from storage.objects import ObjectStore
from storage.reviews import Reviews


class ReviewedPair(NamedTuple):
    candidate: FlawedSample
    parent: Sample


class ReviewItems:
    """`pictures` gives the address of a picture for a browser. An assignment whose candidate is no longer in the build
    has no task: what was judged of it stays, nobody is asked any more."""

    def __init__(self, build: str, lineage: Lineage, reviews: Reviews, objects: ObjectStore) -> None:
        self._pairs = _find_pairs(build, lineage, reviews)
        self._given: defaultdict[str, list[Judgement]] = defaultdict(list)
        self._objects = objects
        self._copies: dict[str, Picture] = {}
        for judgement in reviews.judgements(build, Round.FIRST):
            if judgement.counts:
                self._given[judgement.item].append(judgement)

    def tasks(
        self, assignments: Sequence[Assignment], picture_url: Callable[[Picture], str]
    ) -> list[dict[str, object]]:
        """In the order of the assignments. Raises AnnotationError and StorageError."""

        def address(picture: Picture) -> str:
            return picture_url(self._as_shown(picture))

        return [
            make_task(
                *self._pairs[found.item],
                found.round,
                address,
                self._given[found.item] if found.informed else (),
                found.criteria,
            )
            for found in assignments
            if found.item in self._pairs
        ]

    def pictures(self, assignments: Sequence[Assignment]) -> list[Picture]:
        """As they are shown, each once."""
        pairs = [self._pairs[found.item] for found in assignments if found.item in self._pairs]
        shown = [picture for pair in pairs for item in pair for picture in item.pictures]
        return list({picture.sha256: picture for picture in map(self._as_shown, shown)}.values())

    def _as_shown(self, picture: Picture) -> Picture:
        """A copy as PNG of what no browser shows, made once: each is asked for several times."""
        if picture.media_type in SHOWN_MEDIA_TYPES:
            return picture
        if picture.sha256 not in self._copies:
            copy = encode_png(decode_rgb(self._objects.get(picture)))
            self._objects.put(copy)
            self._copies[picture.sha256] = copy.picture
        return self._copies[picture.sha256]


def _find_pairs(build: str, lineage: Lineage, reviews: Reviews) -> dict[str, ReviewedPair]:
    candidates = lineage.candidates(build)
    parents = lineage.samples([candidate.parent for candidate in candidates])
    pairs = {candidate.id: ReviewedPair(candidate, parents[candidate.parent]) for candidate in candidates}
    controls = {item: ReviewedPair(found.candidate, found.parent) for item, found in reviews.controls(build).items()}
    return pairs | controls
