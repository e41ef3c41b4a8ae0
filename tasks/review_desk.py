"""The Label Studio of the reviews of one data folder: the one that the settings name, or the desk that `flawbench
review up` runs. A desk also knows how annotators' browsers get the pictures of a build."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import SecretStr

from annotation.label_studio.client import Client
from annotation.label_studio.keys import read_keys
from annotation.label_studio.pictures import Bucket, BucketPictures, DiskPictures
from annotation.label_studio.server import KEYS_FILE
from core.errors import AnnotationError
from core.review import ReviewProject
from core.settings import Settings
from storage.objects import PICTURES_FOLDER, object_name

_LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class Desk:
    """`keys_file` keeps the annotators' passwords. `is_local`: whether the server runs on this machine."""

    client: Client
    keys_file: Path

    @property
    def is_local(self) -> bool:
        return urlsplit(self.client.url).hostname in _LOCAL_HOSTS


def desk_folder(settings: Settings) -> Path:
    """Where `flawbench review up` keeps the database, the accounts and the log of its server."""
    return settings.data / "label-studio"


def logins_file(settings: Settings) -> Path:
    """The passwords of the annotators' accounts, for the owner of the folder alone."""
    return desk_folder(settings) / KEYS_FILE


def task_link(project: ReviewProject, task: int, address: str | None) -> str:
    """Of one task for a browser. `address`: of the server as people see it, where that is another."""
    return f"{(address or project.url).rstrip('/')}/projects/{project.project}/data?task={task}"


@contextmanager
def open_desk(settings: Settings) -> Generator[Desk, None, None]:
    """Raises AnnotationError when no server is named and none was started."""
    keys_file = logins_file(settings)
    url, token = _find_server(settings, keys_file)
    with Client(url, token) as client:
        yield Desk(client, keys_file)


def shared_pictures(settings: Settings) -> DiskPictures | BucketPictures:
    """How the server reads the object store itself: a folder of its disk, or a bucket."""
    url = settings.objects_url
    if url.startswith("s3://"):
        secret, session = os.environ.get("AWS_SECRET_ACCESS_KEY"), os.environ.get("AWS_SESSION_TOKEN")
        bucket = Bucket(
            url,
            region=os.environ.get("AWS_DEFAULT_REGION"),
            endpoint=os.environ.get("AWS_ENDPOINT_URL"),
            key_id=os.environ.get("AWS_ACCESS_KEY_ID"),
            secret=SecretStr(secret) if secret else None,
            session=SecretStr(session) if session else None,
        )
        return BucketPictures(bucket, object_name)
    return DiskPictures(Path(url.removeprefix("file://")), PICTURES_FOLDER, object_name)


def _find_server(settings: Settings, keys_file: Path) -> tuple[str, str]:
    if settings.label_studio_url:
        if settings.label_studio_token is None:
            raise AnnotationError(
                f"FLAWBENCH_LABEL_STUDIO_URL is {settings.label_studio_url} and there is no token for it.",
                "Set FLAWBENCH_LABEL_STUDIO_TOKEN to a token of its administrator (Account & Settings there).",
            )
        return settings.label_studio_url, settings.label_studio_token.get_secret_value()
    keys = read_keys(keys_file)
    if keys.url is None or keys.administrator is None or keys.administrator.token is None:
        raise AnnotationError(
            "No Label Studio is named and none was started for this data folder.",
            "Run `flawbench review up`, or set FLAWBENCH_LABEL_STUDIO_URL and FLAWBENCH_LABEL_STUDIO_TOKEN.",
        )
    return keys.url, keys.administrator.token.get_secret_value()
