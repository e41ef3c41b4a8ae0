"""Pictures of rows: found, decoded once however often they are shown, and described without keeping their bytes."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.identity import bytes_hash
from core.pictures import PictureError, read_with_hash
from core.yaml_files import is_file
from filters.picture_statistics import describe_picture
from linting.rows import PictureRef

_ADDRESS = re.compile(r"[a-z]+://")


class PictureReader:
    """`folders`: where the names of pictures begin. A path of another machine is looked for by its last part."""

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
        path = next((path for path in self._candidates(name) if is_file(path)), None)
        if path is None:
            return PictureRef(name, missing=not _ADDRESS.match(name))
        return self._describe(name, path.read_bytes())

    def _candidates(self, name: str) -> Iterator[Path]:
        if _ADDRESS.match(name):
            return
        for folder in self._folders:
            yield folder / name
            yield folder / Path(name).name
            yield folder / "images" / Path(name).name

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
