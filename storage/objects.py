"""Pictures under the hash of their bytes: stored once however often they are used, by any number of processes, and
never handed out when the bytes are not the ones that were stored."""

from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

from core.errors import StorageError
from core.identity import bytes_hash
from core.records import Blob, Picture
from storage.files import Files

_EXTENSIONS = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
    "image/bmp": "bmp",
    "image/tiff": "tiff",
}
_FALLBACK = "bin"
PICTURES_FOLDER = "pictures"
_WRITERS = 4
_WAITING = 16


class ObjectStore:
    """`url` is a local folder or an fsspec URL; folders are made on demand."""

    def __init__(self, url: str) -> None:
        self._files = Files(url)

    def put(self, blob: Blob) -> None:
        """Stores the bytes unless they are there. A shorter or longer object under that name is replaced.

        Raises StorageError when the bytes are not those of the reference or cannot be written."""
        name = object_name(blob.picture)
        if self._files.size(name) == len(blob.data):
            return
        found = bytes_hash(blob.data)
        if found != blob.picture.sha256:
            raise StorageError(
                f"A picture is to be stored as {blob.picture.sha256} but its bytes hash to {found}.",
                "Make the reference with core.pictures.read_picture or encode_png.",
            )
        self._files.write(name, blob.data)

    @contextmanager
    def writing(self) -> Generator[Callable[[Blob], None], None, None]:
        """Gives a `put` that returns at once: the next picture is made while the disk still syncs the last. All that
        was put is stored when the block ends.

        Raises StorageError as `put` does, from a later `put` or at the end."""
        waiting: deque[Future[None]] = deque()
        with ThreadPoolExecutor(_WRITERS) as writers:

            def put(blob: Blob) -> None:
                waiting.append(writers.submit(self.put, blob))
                if len(waiting) > _WAITING:
                    waiting.popleft().result()

            yield put
            for write in waiting:
                write.result()

    def get(self, picture: Picture) -> bytes:
        """Raises StorageError when the picture is absent or its bytes have changed."""
        name = object_name(picture)
        data = self._files.read(name)
        if data is None:
            raise StorageError(
                f"Picture {picture.sha256} is not in the object store {self._files.url}.",
                "Set FLAWBENCH_OBJECTS to the store of this build, or delete its folder `parts` and run again.",
            )
        if bytes_hash(data) != picture.sha256:
            raise StorageError(
                f"{name} in {self._files.url} is damaged: its {len(data)} bytes hash to {bytes_hash(data)}.",
                "Delete that file and the folder `parts` beside `pictures`, then run again.",
            )
        return data

    def has(self, picture: Picture) -> bool:
        return self.size(picture) is not None

    def require(self, pictures: Sequence[Picture]) -> None:
        """Raises StorageError unless all are there, without reading one."""
        with ThreadPoolExecutor(_WAITING) as askers:
            there = list(askers.map(self.has, pictures))
        missing = [picture for picture, found in zip(pictures, there, strict=True) if not found]
        if missing:
            raise StorageError(
                f"{len(missing)} of {len(pictures)} pictures are not in the object store {self._files.url}, such as"
                f" {object_name(missing[0])}.",
                "Set FLAWBENCH_OBJECTS to the store of this build, or delete its folder `parts` and run again.",
            )

    def size(self, picture: Picture) -> int | None:
        """In bytes; None for a picture that is not there. Raises StorageError."""
        return self._files.size(object_name(picture))

    def sweep(self) -> int:
        """Deletes the temporary files of killed writers and returns how many."""
        return self._files.sweep()


def object_name(picture: Picture) -> str:
    """`pictures/ab/cdef….png`: 256 folders, so that none gets too long to list."""
    extension = _EXTENSIONS.get(picture.media_type, _FALLBACK)
    return f"{PICTURES_FOLDER}/{picture.sha256[:2]}/{picture.sha256[2:]}.{extension}"
