"""Pictures copied to a server that shares neither disk nor bucket with the build. They go into a project of their own:
that of the review asks for more than a picture, so it refuses files."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from annotation.label_studio.client import Client
from annotation.label_studio.pictures import NameOf, require_shown
from core.errors import AnnotationError
from core.records import Picture

_CONFIG = """<View>
  <Image name="picture" value="$image"/>
  <Choices name="none" toName="picture"><Choice value="-"/></Choices>
</View>"""
_TITLE = "flawbench pictures"
_FILES = 100  # a request; more, or more bytes than 250 MB, are refused with an error that does not say so
_BYTES = 50_000_000
_REMEDY = "Let server and build share a folder or a bucket, or raise DATA_UPLOAD_MAX_MEMORY_SIZE of the server."


@dataclass(slots=True)
class UploadedPictures:
    """`upload` first; a picture that was uploaded once is found again by its name."""

    name_of: NameOf
    _paths: dict[str, str] = field(default_factory=dict[str, str])

    def upload(self, client: Client, pictures: Iterable[Picture], read: Callable[[Picture], bytes]) -> int:
        """Returns how many were not there. Raises AnnotationError."""
        project = _ensure_project(client)
        self._paths = _list(client, project)
        wanted = {self._name(picture): picture for picture in pictures}
        new = {name: picture for name, picture in wanted.items() if name not in self._paths}
        for files in _batches(new, read):
            client.post_files(
                f"api/projects/{project}/import?commit_to_project=false", files, f"uploading {len(files)} pictures"
            )
        if new:
            self._paths = _list(client, project)
        return len(new)

    def url(self, picture: Picture) -> str:
        """Raises AnnotationError for one that was not uploaded."""
        name = self._name(picture)
        if name not in self._paths:
            raise AnnotationError(
                f"Picture {picture.sha256} is not on the server.", "Run `flawbench review push` again."
            )
        return "/data/" + self._paths[name]

    def address(self, project: int, picture: Picture) -> str:
        return self.url(picture).removeprefix("/")

    def open_to(self, client: Client, project: int) -> None:
        """Uploads are open to whoever is logged in."""

    @property
    def remedy(self) -> str:
        return _REMEDY

    def _name(self, picture: Picture) -> str:
        require_shown(picture)
        return picture.sha256 + PurePosixPath(self.name_of(picture)).suffix


def _ensure_project(client: Client) -> int:
    """The oldest: two pushes at once may both find none and make one, and the later one is taken back."""
    found = _find_projects(client)
    if found:
        return min(found)
    with client.doing("making the project of the pictures"):
        made = int(client.sdk.projects.create(title=_TITLE, label_config=_CONFIG).id or 0)
    oldest = min(_find_projects(client))
    if oldest != made:
        with client.doing("deleting a second project of the pictures"):
            client.sdk.projects.delete(id=made)
    return oldest


def _find_projects(client: Client) -> list[int]:
    return [int(found.id or 0) for found in client.list_projects(_TITLE, "looking for the project of the pictures")]


def _list(client: Client, project: int) -> dict[str, str]:
    """By the name under which it was sent; the server puts a random prefix before it. Of one that two pushes sent at
    once the older counts, for both of them and ever after."""
    with client.doing("listing the pictures on the server"):
        listed = client.sdk.files.list(id=project, all_=True)
    newest_first = sorted(listed, key=lambda one: one.id or 0, reverse=True)
    return {PurePosixPath(one.file).name.partition("-")[2]: one.file for one in newest_first}


def _batches(pictures: dict[str, Picture], read: Callable[[Picture], bytes]) -> Iterator[list[tuple[str, bytes, str]]]:
    batch: list[tuple[str, bytes, str]] = []
    for name, picture in pictures.items():
        batch.append((name, read(picture), picture.media_type))
        if len(batch) == _FILES or sum(len(data) for _, data, _ in batch) > _BYTES:
            yield batch
            batch = []
    if batch:
        yield batch
