"""Control items for a review: from the shipped starter set, by rules that leave no doubt, so every build has some and
none of them is an item of it."""

from collections.abc import Iterator
from functools import cache, partial

from annotation.controls import BAD_CLAIMS, GOOD_SUBTYPES, bad_control, choose_controls, good_control
from core.pictures import pixels_from
from core.recipe import SourceRecipe
from core.records import Picture
from core.review import Control
from core.seeding import stream
from injectors.base import Injection, InjectionContext
from injectors.registry import INJECTORS
from sources.base import SourceItem
from sources.registry import reader
from storage.objects import ObjectStore

_SOURCE = "starter"


def make_controls(seed: int, objects: ObjectStore) -> list[Control]:
    """Good and bad in turn; their pictures are stored. Raises StorageError."""
    items = _read_starter()
    good = [control for item in items for control in _make_good(item, seed)]
    texts = [item.sample for item in items if item.sample.context or item.sample.query]
    bad = [bad_control(sample, BAD_CLAIMS[place % len(BAD_CLAIMS)], seed) for place, sample in enumerate(texts)]
    chosen = choose_controls(good, bad, seed)
    shown = {control.parent.id for control in chosen}
    with objects.writing() as put:
        for blob in (blob for item in items if item.sample.id in shown for blob in item.blobs):
            put(blob)
    return chosen


@cache
def _read_starter() -> tuple[SourceItem, ...]:
    recipe = SourceRecipe(reader=_SOURCE)
    return tuple(item for item in reader(_SOURCE).read(recipe) if isinstance(item, SourceItem))


def _make_good(item: SourceItem, seed: int) -> Iterator[Control]:
    for subtype in GOOD_SUBTYPES:
        draw = stream(seed, item.sample.id, subtype)
        made = INJECTORS[subtype].apply(item.sample, InjectionContext(draw, pixels_from(partial(_read_picture, item))))
        if isinstance(made, Injection):
            yield good_control(made.candidate, item.sample)


def _read_picture(item: SourceItem, picture: Picture) -> bytes:
    return next(blob.data for blob in item.blobs if blob.picture == picture)
