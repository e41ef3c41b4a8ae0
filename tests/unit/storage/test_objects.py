from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import StorageError
from core.records import Blob
from storage.objects import ObjectStore, object_name

MakeBlob = Callable[[bytes], Blob]


@pytest.mark.parametrize("url", ["memory://objects-test", "{folder}"], ids=["memory", "local"])
def test_a_picture_comes_back_as_it_was_put(url: str, tmp_path: Path, make_blob: MakeBlob) -> None:
    store = ObjectStore(url.format(folder=tmp_path / "objects"))
    blob = make_blob(b"pixels")

    assert not store.has(blob.picture)
    store.put(blob)

    assert store.has(blob.picture)
    assert store.get(blob.picture) == b"pixels"


@pytest.mark.parametrize(
    ("media_type", "extension"),
    [("image/jpeg", "jpg"), ("image/png", "png"), ("image/webp", "webp"), ("image/x-new", "bin")],
)
def test_the_path_is_the_hash_with_the_extension_of_the_media_type(
    media_type: str, extension: str, make_blob: MakeBlob
) -> None:
    picture = make_blob(b"abc").picture.model_copy(update={"media_type": media_type})

    # SHA-256 of "abc" as in FIPS 180-2, appendix B.1
    assert object_name(picture) == (
        f"pictures/ba/7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad.{extension}"
    )


def test_the_same_picture_is_stored_once(tmp_path: Path, make_blob: MakeBlob) -> None:
    store = ObjectStore(str(tmp_path))
    blob = make_blob(b"pixels")
    store.put(blob)
    file = tmp_path / object_name(blob.picture)
    written = file.stat().st_mtime_ns, file.stat().st_ino

    store.put(blob)

    assert (file.stat().st_mtime_ns, file.stat().st_ino) == written


def test_a_cut_off_object_is_replaced_by_putting_it_again(tmp_path: Path, make_blob: MakeBlob) -> None:
    store = ObjectStore(str(tmp_path))
    blob = make_blob(b"pixels")
    store.put(blob)
    (tmp_path / object_name(blob.picture)).write_bytes(b"pix")

    store.put(blob)

    assert store.get(blob.picture) == b"pixels"


def test_bytes_that_are_not_those_of_the_reference_are_refused(tmp_path: Path, make_blob: MakeBlob) -> None:
    store = ObjectStore(str(tmp_path))
    wrong = Blob(make_blob(b"pixels").picture, b"others")

    with pytest.raises(StorageError, match="its bytes hash to"):
        store.put(wrong)

    assert not store.has(wrong.picture)


def test_an_absent_picture_is_an_error_that_names_it(tmp_path: Path, make_blob: MakeBlob) -> None:
    picture = make_blob(b"pixels").picture

    with pytest.raises(StorageError, match=f"Picture {picture.sha256} is not in the object store"):
        ObjectStore(str(tmp_path)).get(picture)


def test_what_must_be_there_and_is_not_is_counted_and_named_without_reading(
    tmp_path: Path, make_blob: MakeBlob
) -> None:
    store = ObjectStore(str(tmp_path))
    blobs = [make_blob(bytes([number])) for number in range(3)]
    store.put(blobs[0])
    store.require([blobs[0].picture])
    with pytest.raises(
        StorageError, match=rf"2 of 3 pictures are not in the object store .*{object_name(blobs[1].picture)}"
    ):
        store.require([blob.picture for blob in blobs])


def test_changed_bytes_are_never_handed_out(tmp_path: Path, make_blob: MakeBlob) -> None:
    store = ObjectStore(str(tmp_path))
    blob = make_blob(b"pixels")
    store.put(blob)
    (tmp_path / object_name(blob.picture)).write_bytes(b"pixelz")

    with pytest.raises(StorageError, match=r"is damaged.*Delete that file"):
        store.get(blob.picture)


def test_all_that_was_put_while_writing_is_stored_when_the_block_ends(tmp_path: Path, make_blob: MakeBlob) -> None:
    store = ObjectStore(str(tmp_path))
    blobs = [make_blob(bytes([number]) * 100) for number in range(40)]
    with store.writing() as put:
        for blob in blobs:
            put(blob)
    assert [store.get(blob.picture) for blob in blobs] == [blob.data for blob in blobs]


def test_a_picture_that_cannot_be_stored_ends_the_block_with_its_error(tmp_path: Path, make_blob: MakeBlob) -> None:
    blob = make_blob(b"right")
    with pytest.raises(StorageError, match="hash to"), ObjectStore(str(tmp_path)).writing() as put:
        put(Blob(blob.picture, b"wrong!"))
