"""How annotators' browsers get the pictures, by where the object store is."""

from pathlib import Path

import pytest
from pydantic import SecretStr

from annotation.label_studio.pictures import Bucket, BucketPictures, DiskPictures
from core.settings import load_settings
from storage.objects import PICTURES_FOLDER, object_name
from tasks.review_desk import shared_pictures


def test_a_folder_is_read_as_local_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for url in (str(tmp_path), f"file://{tmp_path}"):
        monkeypatch.setenv("FLAWBENCH_OBJECTS", url)
        assert shared_pictures(load_settings()) == DiskPictures(tmp_path, PICTURES_FOLDER, object_name)


def test_a_bucket_is_read_with_the_keys_of_the_process_that_pushes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLAWBENCH_OBJECTS", "s3://bench/some")
    for name, value in {
        "AWS_ACCESS_KEY_ID": "reader",
        "AWS_SECRET_ACCESS_KEY": "hidden",
        "AWS_SESSION_TOKEN": "hidden too",
        "AWS_DEFAULT_REGION": "eu-north-1",
        "AWS_ENDPOINT_URL": "http://store:9000",
    }.items():
        monkeypatch.setenv(name, value)

    found = shared_pictures(load_settings())

    secrets = (SecretStr("hidden"), SecretStr("hidden too"))
    bucket = Bucket("s3://bench/some", "eu-north-1", "http://store:9000", "reader", *secrets)
    assert found == BucketPictures(bucket, object_name)
    assert "hidden" not in repr(found)
