"""Names and addresses that must be the same on every machine and in every run."""

import stat
from pathlib import Path

import pytest
from pydantic import SecretStr

from annotation.label_studio.accounts import login_of
from annotation.label_studio.keys import Keys, changing_keys, make_administrator, make_login, read_keys, write_keys
from annotation.label_studio.pictures import Bucket, BucketPictures, DiskPictures
from annotation.label_studio.projects import Place, hash_screen
from core.errors import AnnotationError
from core.records import Picture
from core.review import Round

PICTURE = Picture(sha256="ab" * 32, media_type="image/png", width=1, height=1)


def test_titles_fit_the_server_and_tell_apart_what_is_cut_off() -> None:
    builds = [f"{'long' * 20}{number}" for number in range(20)] + ["short", ""]
    titles = {
        Place(build, round_, annotator, "").title
        for build in builds
        for round_ in Round
        for annotator in ("one", "two")
    }

    assert len(titles) == len(builds) * 4
    assert max(len(title) for title in titles) <= 50
    assert all(title == title.strip() for title in titles)


def test_the_hash_of_a_screen_is_that_of_what_the_server_sends_back() -> None:
    assert hash_screen("<View/>\n") == hash_screen("  <View/>") != hash_screen("<View />")


def test_a_short_name_gets_a_domain_without_mail_and_an_address_stands_for_itself() -> None:
    assert login_of("Ann1") == "ann1@annotators.example"
    assert login_of("Jo@Example.org") == "jo@example.org"


def test_addresses_of_pictures_need_no_server() -> None:
    disk = DiskPictures(Path("/data/objects"), "pictures", lambda picture: f"pictures/{picture.sha256[:2]}/a b.png")
    bucket = BucketPictures(Bucket("s3://bench/some/"), lambda _: "pictures/ab/c.png")

    assert disk.url(PICTURE) == "/data/local-files/?d=pictures/ab/a%20b.png"
    assert bucket.url(PICTURE) == "s3://bench/some/pictures/ab/c.png"
    assert bucket.address(3, PICTURE).startswith("projects/3/resolve/?fileuri=czM6")


@pytest.mark.parametrize("kind", ["image/svg+xml", "image/tiff", "text/html"])
def test_what_browsers_do_not_show_or_run_is_refused(kind: str) -> None:
    disk = DiskPictures(Path("/data"), "pictures", lambda _: "pictures/a")
    with pytest.raises(AnnotationError, match=r"no browser shows.*encode_png"):
        disk.url(PICTURE.model_copy(update={"media_type": kind}))


def test_keys_are_read_back_are_private_and_show_in_no_text(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "keys.json"
    keys = Keys(administrator=make_administrator("admin@annotators.example"), annotators=(make_login("a@b.example"),))
    with changing_keys(file):
        write_keys(file, keys)
        write_keys(file, keys)

    assert read_keys(file) == keys
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [found.name for found in file.parent.iterdir()] == ["keys.json"]
    assert keys.administrator is not None
    assert isinstance(keys.administrator.token, SecretStr)
    for secret in (keys.administrator.token, keys.administrator.password, keys.annotators[0].password):
        assert len(secret.get_secret_value()) >= 16
        assert secret.get_secret_value() not in repr(keys)


def test_damaged_keys_are_said_without_their_content(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    file.write_text('{"administrator": {"login": "a", "password": "hidden", "tokens": 3}}')
    with pytest.raises(AnnotationError, match=r"it is damaged") as caught:
        read_keys(file)
    assert "hidden" not in str(caught.value)
    assert read_keys(tmp_path / "none.json") == Keys()
