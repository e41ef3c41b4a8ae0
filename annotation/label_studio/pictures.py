"""How the annotators' browsers get the pictures: from the disk that server and build share, or from a bucket. One
picture is fetched before the first task is imported: the server says nothing of a picture that it cannot show, and the
annotator would see an empty frame."""

import base64
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol
from urllib.parse import quote, urlsplit

from pydantic import SecretStr

from annotation.label_studio.client import Client, RequestRefusedError, ServerFailedError
from core.errors import AnnotationError
from core.records import Picture

# What every browser shows. SVG never: the server hands it out as a page in which scripts run.
SHOWN_MEDIA_TYPES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp"})

NameOf = Callable[[Picture], str]
"""Where a picture stands in the object store, such as `pictures/ab/cdef.png`."""


class PicturesNotShownError(AnnotationError):
    """The server gets no pictures in this way."""


class PictureSource(Protocol):
    """`url`: what stands in a task. `open_to`: lets a project show them; repeated, it does nothing."""

    def url(self, picture: Picture) -> str: ...

    def open_to(self, client: Client, project: int) -> None: ...

    def address(self, project: int, picture: Picture) -> str:
        """The path on the server from which a browser fetches it."""
        ...

    @property
    def remedy(self) -> str: ...


def require_shown(picture: Picture) -> None:
    """Raises AnnotationError for a picture that browsers do not show."""
    if picture.media_type not in SHOWN_MEDIA_TYPES:
        raise AnnotationError(
            f"Picture {picture.sha256} is {picture.media_type}, which no browser shows.",
            "Convert it with core.pictures.encode_png and show that.",
        )


def check_picture(client: Client, source: PictureSource, project: int, picture: Picture) -> None:
    """Fetches it as a browser does. Raises PicturesNotShownError that says what to set, and AnnotationError."""
    address = source.address(project, picture)
    with client.doing(f"fetching picture {picture.sha256}"):
        response = client.get_any(address)
    kind = response.headers.get("content-type", "nothing")
    if response.is_success and kind.startswith("image/") and response.content:
        return
    raise PicturesNotShownError(
        f"Label Studio at {client.url} does not show picture {picture.sha256}: {response.status_code}, {kind}, for"
        f" /{address}.",
        source.remedy,
    )


@dataclass(frozen=True, slots=True)
class DiskPictures:
    """`root`: the object store, which is the document root of the server; `folder`: the one inside it with all the
    pictures. The server serves no folder that no storage of the project covers, and not the root itself."""

    root: Path
    folder: str
    name_of: NameOf

    def url(self, picture: Picture) -> str:
        require_shown(picture)
        return f"/data/local-files/?d={quote(self.name_of(picture))}"

    def address(self, project: int, picture: Picture) -> str:
        return self.url(picture).removeprefix("/")

    def open_to(self, client: Client, project: int) -> None:
        path = str(self.root.resolve() / self.folder)
        try:
            with client.doing(f"opening {path} to project {project}"):
                if all(storage.path != path for storage in client.sdk.import_storage.local.list(project=project)):
                    client.sdk.import_storage.local.create(
                        project=project, path=path, use_blob_urls=True, title="flawbench pictures"
                    )
        except RequestRefusedError as error:
            raise PicturesNotShownError(error.message, self.remedy) from None

    @property
    def remedy(self) -> str:
        return (
            "Start the server with LABEL_STUDIO_LOCAL_FILES_SERVING_ENABLED=true and"
            f" LABEL_STUDIO_LOCAL_FILES_DOCUMENT_ROOT={self.root.resolve()}, where that folder is the object store of"
            " the build."
        )


@dataclass(frozen=True, slots=True)
class Bucket:
    """`url` such as `s3://bucket/prefix`; keys of an account that may only read it, `session` the token of keys that
    run out. `endpoint`: of a store that is not that of Amazon."""

    url: str
    region: str | None = None
    endpoint: str | None = None
    key_id: str | None = None
    secret: SecretStr | None = None
    session: SecretStr | None = None


@dataclass(frozen=True, slots=True)
class BucketPictures:
    """The server fetches them itself: its content policy would have to be opened for links that the browser follows."""

    bucket: Bucket
    name_of: NameOf

    def url(self, picture: Picture) -> str:
        require_shown(picture)
        return f"{self.bucket.url.rstrip('/')}/{self.name_of(picture)}"

    def address(self, project: int, picture: Picture) -> str:
        uri = base64.b64encode(self.url(picture).encode()).decode()
        return f"projects/{project}/resolve/?fileuri={quote(uri)}"

    def open_to(self, client: Client, project: int) -> None:
        place = urlsplit(self.bucket.url)
        prefix = place.path.strip("/")
        secret, session = self.bucket.secret, self.bucket.session
        storages = client.sdk.import_storage.s3
        try:
            with client.doing(f"opening {self.bucket.url} to project {project}"):
                listed = storages.list(project=project)
                known = [one.id for one in listed if (one.bucket, one.prefix or "") == (place.netloc, prefix)]
                # Also where it is open already: its keys may have been replaced since.
                put = partial(storages.update, known[0]) if known and known[0] is not None else storages.create
                put(
                    project=project,
                    bucket=place.netloc,
                    prefix=prefix,
                    region_name=self.bucket.region,
                    s3endpoint=self.bucket.endpoint,
                    aws_access_key_id=self.bucket.key_id,
                    aws_secret_access_key=secret.get_secret_value() if secret else None,
                    aws_session_token=session.get_secret_value() if session else None,
                    use_blob_urls=True,
                    presign=False,
                    title="flawbench pictures",
                )
        except (RequestRefusedError, ServerFailedError) as error:  # the latter at every endpoint that is not Amazon's
            raise PicturesNotShownError(error.message, self.remedy) from None

    @property
    def remedy(self) -> str:
        return (
            f"Give AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY of an account that may list and read {self.bucket.url},"
            " and AWS_DEFAULT_REGION or AWS_ENDPOINT_URL where the bucket needs them. For a store with a private"
            " address start the server with LABEL_STUDIO_SSRF_PROTECTION_ENABLED=false."
        )
