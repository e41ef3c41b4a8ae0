"""The pictures of one question while candidates are made of it and checked: each is read once, and what it shows is
decoded once, though the injector and the filter both look at it."""

from collections.abc import Iterable

from core.pictures import Pixels, decode_rgb
from core.records import Blob, Picture
from storage.objects import ObjectStore

_MOST_BYTES = 100_000_000  # of pixels kept: nine photos of 10 megapixels are three times as much


class QuestionPictures:
    """`read_pixels` is what injectors and filters ask for (core.pictures.ReadPixels)."""

    def __init__(self, objects: ObjectStore) -> None:
        self._objects = objects
        self._made: dict[str, bytes] = {}
        self._decoded: dict[str, Pixels] = {}

    def add(self, blobs: Iterable[Blob]) -> None:
        """New pictures, which may not be in the store yet."""
        self._made |= {blob.picture.sha256: blob.data for blob in blobs}

    def read_pixels(self, picture: Picture) -> Pixels:
        """Raises StorageError and core.pictures.PictureError."""
        kept = self._decoded.get(picture.sha256)
        if kept is not None:
            return kept
        made = self._made.get(picture.sha256)
        pixels = decode_rgb(made or self._objects.get(picture))
        if made is None and sum(one.nbytes for one in self._decoded.values()) + pixels.nbytes <= _MOST_BYTES:
            self._decoded[picture.sha256] = pixels
        return pixels
