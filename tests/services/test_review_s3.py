"""A build and its review with the object store in a bucket. The S3 is moto's server, run by uvx apart from our
environment, with accounts that it holds to their rights; Label Studio is real and fetches the pictures from it."""

import json
import os
import re
import shutil
import signal
import subprocess
import threading
import time
from base64 import b64decode
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any, NoReturn, Protocol
from urllib.parse import parse_qs, urlsplit

import botocore.session
import httpx
import pytest
import pytest_socket
import yaml
from s3fs import S3FileSystem

from annotation.label_studio.server import Server
from core.errors import StorageError
from storage.files import Files

pytestmark = pytest.mark.services

_MOTO = ("--from", "moto[server]==5.2.5")
_RIGHTS = {
    "writer": ["s3:ListBucket", "s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
    "reader": ["s3:ListBucket", "s3:GetObject"],
    "later_reader": ["s3:ListBucket", "s3:GetObject"],
    "no_lister": ["s3:GetObject"],
    "owner": ["iam:DeleteAccessKey"],
}
_BUCKET = "bench"
_STORE = f"s3://{_BUCKET}/few"
_UNRECORDED = {"PREFECT_API_URL": "http://127.0.0.1:9/api"}  # nobody: a push that is a flow too takes longer


class DataFolder(Protocol):
    folder: Path

    def run(self, *arguments: str, check: bool = True) -> "subprocess.CompletedProcess[str]": ...
    def where(self, settings: Mapping[str, str]) -> "DataFolder": ...
    def served_by(self, url: str, token: str) -> "DataFolder": ...


@dataclass(frozen=True)
class Bucket:
    """`keys`: of each account, as settings."""

    address: str
    log: Path
    keys: Mapping[str, Mapping[str, str]]

    def written(self) -> int:
        """How many objects were put so far."""
        return self.log.read_text(errors="replace").count('"PUT /')

    def take_away_key(self, account: str) -> None:
        owner = self.keys["owner"]
        accounts = _connect("iam", self.address, owner["AWS_ACCESS_KEY_ID"], owner["AWS_SECRET_ACCESS_KEY"])
        accounts.delete_access_key(UserName=account, AccessKeyId=self.keys[account]["AWS_ACCESS_KEY_ID"])


@pytest.fixture(scope="module")
def bucket(
    tmp_path_factory: pytest.TempPathFactory, unused_port: Callable[[], int], lacks: Callable[[str], NoReturn]
) -> Generator[Bucket, None, None]:
    """On loopback, with one account for each entry of `_RIGHTS`."""
    pytest_socket.enable_socket()
    runner = _find_runner() or lacks("uvx has no moto and cannot fetch it")
    address, log = f"http://127.0.0.1:{(port := unused_port())}", tmp_path_factory.mktemp("moto") / "log"
    command = [*runner, "moto_server", "--host", "127.0.0.1", "--port", str(port)]
    environment = {**os.environ, "INITIAL_NO_AUTH_ACTION_COUNT": "1000"}  # until the accounts are made
    with log.open("wb") as told:
        server = subprocess.Popen(command, env=environment, stdout=told, stderr=told, start_new_session=True)
    try:
        _wait_for(address, server)
        made = Bucket(address, log, _make_accounts(address))
        httpx.post(f"{address}/moto-api/reset-auth", content="0").raise_for_status()
        yield made
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(timeout=30)


def _find_runner() -> tuple[str, ...] | None:
    """Without the registry where moto is in the cache; None where there is no moto."""
    if shutil.which("uvx") is not None:
        for runner in (("uvx", "--offline", *_MOTO), ("uvx", *_MOTO)):
            if subprocess.run([*runner, "python", "-c", ""], capture_output=True, check=False).returncode == 0:
                return runner
    return None


def _wait_for(address: str, server: "subprocess.Popen[bytes]") -> None:
    while server.poll() is None:
        try:
            httpx.get(f"{address}/moto-api/")
            return
        except httpx.TransportError:
            time.sleep(0.1)
    pytest.fail("moto's server did not start")


def _connect(service: str, address: str, key: str = "nobody", secret: str = "nobody") -> Any:
    place = {"region_name": "us-east-1", "endpoint_url": address}
    keys = {"aws_access_key_id": key, "aws_secret_access_key": secret}
    return botocore.session.get_session().create_client(service, **place, **keys)


def _make_accounts(address: str) -> dict[str, dict[str, str]]:
    _connect("s3", address).create_bucket(Bucket=_BUCKET)
    accounts = _connect("iam", address)
    keys: dict[str, dict[str, str]] = {}
    for name, actions in _RIGHTS.items():
        accounts.create_user(UserName=name)
        accounts.put_user_policy(UserName=name, PolicyName="own", PolicyDocument=_policy(actions))
        made = accounts.create_access_key(UserName=name)["AccessKey"]
        keys[name] = _settings(made, address)
    trust = json.dumps({"Version": "2012-10-17", "Statement": []})
    role = accounts.create_role(RoleName="guide", AssumeRolePolicyDocument=trust)["Role"]["Arn"]
    accounts.put_role_policy(RoleName="guide", PolicyName="own", PolicyDocument=_policy(_RIGHTS["reader"]))
    lent = _connect("sts", address).assume_role(RoleArn=role, RoleSessionName="visit")["Credentials"]
    keys["visitor"] = {**_settings(lent, address), "AWS_SESSION_TOKEN": lent["SessionToken"]}
    return keys


def _policy(actions: list[str]) -> str:
    statement = {"Effect": "Allow", "Action": actions, "Resource": "*"}
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]})


def _settings(keys: Mapping[str, str], address: str) -> dict[str, str]:
    return {
        "AWS_ACCESS_KEY_ID": keys["AccessKeyId"],
        "AWS_SECRET_ACCESS_KEY": keys["SecretAccessKey"],
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": address,
    }


@pytest.fixture
def as_writer(bucket: Bucket, monkeypatch: pytest.MonkeyPatch) -> None:
    S3FileSystem.clear_instance_cache()  # it takes its keys at the first use
    for name, value in bucket.keys["writer"].items():
        monkeypatch.setenv(name, value)


@dataclass(frozen=True)
class Built:
    data: DataFolder
    item: str

    def again(self) -> str:
        return self.data.run("build", "--recipe", str(self.data.folder / "few.yaml"), "--limit", "6").stdout

    def rows(self) -> set[bytes]:
        """Of each release the files with the pictures."""
        return {path.read_bytes() for path in (self.data.folder / "releases").glob("*/data/*.parquet")}


@pytest.fixture(scope="module")
def few(
    bucket: Bucket,
    data_folder: Callable[[Path, str], DataFolder],
    prefect_environment: Mapping[str, str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Built:
    """A build of two degraded pictures in the bucket, by the account that may write."""
    folder = tmp_path_factory.mktemp("few")
    recipe = {"name": "few", "seed": 42, "sources": [{"reader": "starter"}], "export": {"licence": "cc0-1.0"}}
    recipe |= {"targets": {"severe_missing_visual_premise": 2}}
    (folder / "few.yaml").write_text(yaml.safe_dump(recipe), encoding="utf-8")
    data = data_folder(folder, _STORE).where({**prefect_environment, **bucket.keys["writer"]})
    (item,) = re.findall(r"flawbench lineage (\w+)", Built(data, "").again())
    return Built(data, item)


@pytest.mark.usefixtures("as_writer")
def test_names_in_a_bucket_are_as_in_a_folder() -> None:
    files = Files(f"s3://{_BUCKET}/files")

    assert (files.read("a/b"), files.size("a/b"), files.names("a")) == (None, None, set())
    files.write("a/b", b"1234")
    files.write("a/Größe 1%?#+.png", b"")
    assert files.create("a/c", b"first")
    assert not files.create("a/c", b"second")
    assert (files.read("a/b"), files.size("a/b"), files.read("a/c")) == (b"1234", 4, b"first")
    assert files.read("a/Größe 1%?#+.png") == b""
    assert files.names("a") == {"b", "c", "Größe 1%?#+.png"}
    assert files.names("") == {"a"}
    files.remove("a/b")
    files.remove("a/b")
    assert (files.read("a/b"), files.sweep()) == (None, 0)


@pytest.mark.usefixtures("as_writer")
def test_of_many_that_create_a_name_in_a_bucket_at_once_one_does() -> None:
    files, start = Files(f"s3://{_BUCKET}/race"), threading.Barrier(8)

    def create(index: int) -> bool:
        start.wait()
        return files.create("name", b"%d" % index)

    with ThreadPoolExecutor(8) as threads:
        created = list(threads.map(create, range(8)))
    assert created.count(True) == 1
    assert files.read("name") == b"%d" % created.index(True)


@pytest.mark.usefixtures("as_writer")
@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"AWS_SECRET_ACCESS_KEY": "wrong"}, "signature we calculated does not match"),
        ({"AWS_ACCESS_KEY_ID": "AKIAUNKNOWN"}, "does not exist in our records"),
        ({"AWS_ENDPOINT_URL": "nowhere"}, "Invalid endpoint: nowhere"),
    ],
)
def test_what_keeps_a_bucket_closed_is_an_error_with_what_to_set(
    settings: dict[str, str], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    for act in (lambda files: files.write("x", b"1"), lambda files: files.names("")):
        with pytest.raises(StorageError, match=rf"{reason}.*AWS_ACCESS_KEY_ID.*AWS_ENDPOINT_URL"):
            act(Files(f"s3://{_BUCKET}/closed"))


@pytest.mark.usefixtures("as_writer")
def test_a_bucket_that_is_not_there_is_an_error_at_the_first_write() -> None:
    with pytest.raises(StorageError, match=r"bucket does not exist.*FLAWBENCH_OBJECTS"):
        Files("s3://no-such-bucket/x").write("x", b"1")


def test_a_second_build_in_a_bucket_puts_nothing_and_lineage_and_export_read_it(few: Built, bucket: Bucket) -> None:
    written = bucket.written()
    assert written > 2
    before = few.rows()
    assert before
    few.again()

    reader = few.data.where(bucket.keys["reader"])
    assert "severe_missing_visual_premise" in reader.run("lineage", few.item).stdout
    shutil.rmtree(few.data.folder / "releases")
    reader.run("export", "few")
    assert few.rows() == before
    assert bucket.written() == written


@pytest.mark.usefixtures("as_writer")
def test_annotators_get_the_pictures_of_a_bucket_through_the_server(
    few: Built,
    bucket: Bucket,
    start_desk: Callable[[Path], AbstractContextManager[Server]],
    log_in: Callable[[str, str, str], httpx.Client],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LABEL_STUDIO_SSRF_PROTECTION_ENABLED", "false")  # the bucket is on loopback
    few.data.run("review", "plan", "few", "--annotators", "ada,ben", "--controls", "0")
    with start_desk(tmp_path / "desk") as server, httpx.Client(base_url=server.url, timeout=60) as administrator:
        administrator.headers["Authorization"] = f"Token {server.token}"
        data = few.data.served_by(server.url, server.token).where(_UNRECORDED)

        closed = data.where(bucket.keys["no_lister"]).run("review", "push", "few", check=False)
        assert closed.returncode == 2
        assert re.search(rf"flawbench: .*\n.*AWS_ACCESS_KEY_ID .* may list and read {_STORE}", closed.stderr)
        wrong = data.where({"AWS_SECRET_ACCESS_KEY": "wrong"}).run("review", "push", "few", check=False)
        assert wrong.returncode == 2
        assert re.search(r"flawbench: .*cannot be looked up.*\n.*AWS_SECRET_ACCESS_KEY", wrong.stderr)
        assert "Traceback" not in closed.stderr + wrong.stderr
        assert sum(one["task_number"] for one in administrator.get("/api/projects/").json()["results"]) == 0

        pushed = data.where(bucket.keys["reader"]).run("review", "push", "few").stdout
        project = re.findall(r"/projects/(\d+)/.* log in as ada@", pushed)[0]
        login = json.loads((data.folder / "label-studio" / "keys.json").read_text())["annotators"][0]
        with log_in(server.url, login["login"], login["password"]) as annotator:
            shown = _pictures_shown(annotator, project)
            assert len(shown) >= 4  # two questions, before and after
            for address, stored in shown.items():
                answer = annotator.get(address)
                assert (answer.headers["content-type"], answer.content) == ("image/png", stored)

            bucket.take_away_key("reader")
            for account in ("visitor", "later_reader"):
                data.where(bucket.keys[account]).run("review", "push", "few")
                assert all(annotator.get(address).content == stored for address, stored in shown.items())


def _pictures_shown(annotator: httpx.Client, project: str) -> dict[str, bytes | None]:
    """By the address in the tasks of somebody: the bytes in the bucket."""
    shown: dict[str, bytes | None] = {}
    for task in annotator.get("/api/tasks/", params={"project": project}).json()["tasks"]:
        data = annotator.get(f"/api/tasks/{task['id']}/").json()["data"]
        for source in re.findall(r'src="(/[^"]+)"', " ".join(str(one) for one in data["pictures"])):
            address = unescape(source)
            uri = b64decode(parse_qs(urlsplit(address).query)["fileuri"][0]).decode()
            shown[address] = Files(_STORE).read(uri.removeprefix(f"{_STORE}/"))
    return shown
