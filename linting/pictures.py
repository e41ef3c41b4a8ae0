"""Pictures of rows: found, decoded once however often they are shown, and described without keeping their bytes."""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

from core.identity import bytes_hash
from core.pictures import PictureError, read_with_hash
from filters.picture_statistics import describe_picture
from linting.rows import PictureRef
from sources.folder import picture_bytes
from sources.rows import PictureCell, UnusableRowError

_ADDRESS = re.compile(r"[a-z]+://")


class PictureReader:
    """`folders`: where the names of pictures begin, and outside of which no file is read. A path of another machine is
    looked for by its last part."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = folders
        self._known: dict[str, PictureRef] = {}
        self._files: dict[str, PictureRef] = {}

    def read(self, value: object) -> tuple[PictureRef, ...]:
        """Of a cell with a name, bytes, the two in a struct, or a list of these."""
        return tuple(self._read(name, data) for name, data in _cells(value))

    def _read(self, name: str | None, data: bytes | None) -> PictureRef:
        if data is None:
            name = name or ""
            if name not in self._files:
                self._files[name] = self._read_file(name)
            return self._files[name]
        return self._describe(name or bytes_hash(data)[:12], data)

    def _read_file(self, name: str) -> PictureRef:
        if _ADDRESS.match(name):
            return PictureRef(name)
        last, fault = Path(name).name, None
        for folder, path in product(self._folders, (name, last, f"images/{last}")):
            try:
                return self._describe(name, picture_bytes(PictureCell(None, path), folder))
            except UnusableRowError as error:
                fault = fault or (error.detail if error.__cause__ else None)  # a cause: it is there and not readable
        return PictureRef(name, fault=fault, missing=fault is None)

    def _describe(self, name: str, data: bytes) -> PictureRef:
        digest = bytes_hash(data)
        if digest not in self._known:
            self._known[digest] = _decode(name, data, digest)
        return self._known[digest]._replace(name=name)


def _decode(name: str, data: bytes, digest: str) -> PictureRef:
    try:
        _, perceptual_hash = read_with_hash(data)
        return PictureRef(name, digest, perceptual_hash, describe_picture(data))
    except PictureError as error:
        return PictureRef(name, digest, fault=f"{error.fault}: {error.detail}")


def _cells(value: object) -> Iterator[tuple[str | None, bytes | None]]:
    match value:
        case str() if value:
            yield value, None
        case bytes():
            yield None, value
        case {"bytes": bytes() as data, **rest}:
            path = rest.get("path")
            yield path if isinstance(path, str) else None, data
        case {"path": str() as path}:
            yield path, None
        case list() | tuple():
            for item in value:
                yield from _cells(item)
        case _:
            return
