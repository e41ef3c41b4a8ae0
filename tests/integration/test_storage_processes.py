"""Several processes over one data folder, killed ones among them, and a disk that is full."""

import hashlib
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.errors import StorageError
from core.records import Language, Picture, Sample, Stage, Subject
from storage.database import Database
from storage.files import TEMPORARY_FOLDER, Files
from storage.lineage import Lineage
from storage.objects import ObjectStore
from storage.parts import PartInfo, PartStore, Row, make_part
from storage.rows import sample_rows

pytestmark = pytest.mark.integration

StartPython = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture(scope="module")
def start_python(root: Path) -> StartPython:
    """Runs code in a process of its own, with the project importable."""

    def start(code: str, *arguments: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-c", code, *arguments],
            cwd=root,
            env={"PYTHONPATH": str(root), "PATH": "/usr/bin:/bin"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return start


def add_source(database: Database, name: str) -> None:
    with database.writing() as connection:
        connection.execute("INSERT INTO sources VALUES (?, 'CC0', '')", [name])


def sources_in(database: Database) -> list[str]:
    with database.reading() as connection:
        return [name for (name,) in connection.execute("SELECT name FROM sources ORDER BY name").fetchall()]


def test_a_file_held_by_another_process_is_an_error_that_names_it_or_used_when_given_back_in_time(
    tmp_path: Path, start_python: StartPython
) -> None:
    file = tmp_path / "lineage.duckdb"
    add_source(Database(file, 0.2), "a")
    code = "import sys, duckdb; held = duckdb.connect(sys.argv[1]); print('ready', flush=True); sys.stdin.read()"
    holder = start_python(code, str(file))
    assert holder.stdout is not None
    holder.stdout.readline()

    for action in (lambda: add_source(Database(file, 0.2), "b"), lambda: sources_in(Database(file, 0.2))):
        with pytest.raises(StorageError) as raised:
            action()
        assert f"is held by another process (PID {holder.pid})" in raised.value.message
        assert raised.value.fix == "Close it or raise FLAWBENCH_LOCK_TIMEOUT_SECONDS."

    give_back = threading.Timer(0.3, holder.communicate)
    give_back.start()
    add_source(Database(file, 30.0), "b")
    give_back.join()
    assert sources_in(Database(file, 1.0)) == ["a", "b"]


def test_a_full_disk_is_an_error_of_two_sentences_and_loses_nothing(tmp_path: Path, start_python: StartPython) -> None:
    code = """
import resource, sys
from pathlib import Path
from core.errors import StorageError
from storage.database import Database
from storage.files import Files
files, database = Files(sys.argv[1]), Database(Path(sys.argv[2]), 1.0)
files.write("before", b"1")
with database.writing() as connection:
    connection.execute("INSERT INTO sources VALUES ('a', 'CC0', '')")
resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, resource.RLIM_INFINITY))
try:
    files.write("after", bytes(3_000_000))
except StorageError as error:
    print(error)
try:
    with database.writing() as connection:
        connection.execute("INSERT INTO sources SELECT sha256(i::VARCHAR), 'CC0', '' FROM range(100_000) t (i)")
except StorageError as error:
    print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
with database.writing() as connection:
    connection.execute("INSERT INTO sources VALUES ('b', 'CC0', '')")
"""
    files, file = tmp_path / "files", tmp_path / "lineage.duckdb"
    output, errors = start_python(code, str(files), str(file)).communicate(timeout=60)

    assert "after cannot be written: File too large. Free space" in output, errors
    assert "lineage.duckdb cannot be written, its disk is full: File too large. Free space" in output, errors
    assert [path.name for path in files.rglob("*") if path.is_file()] == ["before"]
    assert sources_in(Database(file, 1.0)) == ["a", "b"], errors


def kill_after(seconds: float, process: "subprocess.Popen[str]") -> None:
    """The time runs from the moment at which the process says that it is at work."""
    assert process.stdout is not None
    process.stdout.readline()
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(seconds)
    process.kill()
    process.communicate(timeout=60)


def test_a_writer_killed_at_any_moment_leaves_whole_transactions(tmp_path: Path, start_python: StartPython) -> None:
    code = """
import sys
from pathlib import Path
from storage.database import Database
database = Database(Path(sys.argv[1]), 10.0)
for number in range(1_000_000):
    with database.writing() as connection:
        connection.execute(
            "INSERT INTO build_items SELECT $b, 'sample', md5(i::VARCHAR), i, NULL, i FROM range(5000) t (i)",
            {"b": f"{sys.argv[2]}-{number}"},
        )
    if number == 0:
        print("ready", flush=True)
"""
    database = Database(tmp_path / "lineage.duckdb", 10.0)
    for attempt, seconds in enumerate([0.02, 0.11, 0.23, 0.37]):
        kill_after(seconds, start_python(code, str(database.file), str(attempt)))
        with database.reading() as connection:
            sizes = connection.execute("SELECT DISTINCT count(*) FROM build_items GROUP BY build").fetchall()
        assert sizes == [(5000,)]

    add_source(database, "after")
    assert sources_in(database) == ["after"]
    assert [path.name for path in tmp_path.iterdir()] == ["lineage.duckdb"]


def test_a_killed_writer_never_leaves_a_half_written_name(tmp_path: Path, start_python: StartPython) -> None:
    code = """
import sys
from storage.files import Files
files = Files(sys.argv[1])
for number in range(1_000_000):
    files.write(f"big/{number}", bytes(3_000_000))
    if number == 0:
        print("ready", flush=True)
"""
    for _ in range(3):
        kill_after(0.13, start_python(code, str(tmp_path)))

    sizes = {path.stat().st_size for path in (tmp_path / "big").iterdir()}
    assert sizes == {3_000_000}
    Files(str(tmp_path)).sweep()
    assert list((tmp_path / TEMPORARY_FOLDER).iterdir()) == []


def picture_of(data: bytes) -> Picture:
    return Picture(sha256=hashlib.sha256(data).hexdigest(), media_type="image/png", width=1, height=1)


def make_rows(number: int) -> list[Row]:
    """Of a question with a picture."""
    sample = Sample(
        source="emma",
        source_id=f"row-{number}",
        context=None,
        query="Which force acts on it? <image 1>",
        pictures=(picture_of(b"%d" % number),),
        subject=Subject.PHYSICS,
        language=Language.ENGLISH,
        licence="CC-BY-4.0",
        attribution="EMMA",
    )
    return list(sample_rows(sample, [(sample.pictures[0].sha256, number)]))


def make_info(place: int) -> PartInfo:
    key = hashlib.sha256(b"%d" % place).hexdigest()
    started = datetime(2026, 3, 1, tzinfo=UTC)
    return PartInfo(key=key, stage=Stage.READ, run_id="run_1", code_commit="c0ffee", started=started, seconds=1.5)


def count_rows(lineage: Lineage) -> list[tuple[object, ...]]:
    tables = ("samples", "pictures", "edges", "sources", "shards")
    return lineage.query(" UNION ALL ".join(f"SELECT '{table}', count(*) FROM {table}" for table in tables)).rows


def test_two_processes_may_put_the_same_pictures_and_ingest_the_same_parts_at_once(
    tmp_path: Path, start_python: StartPython
) -> None:
    rows = [make_rows(number) for number in range(7)]
    parts = {make_info(place): [*rows[place], *rows[place + 1], *rows[place + 2]] for place in range(5)}
    store, lineage = PartStore(str(tmp_path / "parts")), Lineage(tmp_path / "lineage.duckdb", 20.0)
    for info, found in parts.items():
        store.write(info, found)
    code = """
import hashlib, sys
from pathlib import Path
from core.records import Blob, Picture, Stage
from storage.lineage import Lineage
from storage.objects import ObjectStore
from storage.parts import PartStore
parts, lineage, pictures = PartStore(sys.argv[1]), Lineage(Path(sys.argv[2]), 30.0), ObjectStore(sys.argv[3])
print("ready", flush=True)
sys.stdin.readline()
for number in range(150):
    data = str(number).encode() * 20_000
    picture = Picture(sha256=hashlib.sha256(data).hexdigest(), media_type="image/png", width=1, height=1)
    pictures.put(Blob(picture, data))
for key in sorted(parts.keys(Stage.READ)):
    lineage.ingest([parts.read(Stage.READ, key)])
"""
    folders = str(tmp_path / "parts"), str(tmp_path / "lineage.duckdb"), str(tmp_path / "pictures")
    processes = [start_python(code, *folders) for _ in range(2)]
    for process in processes:
        assert process.stdout is not None
        process.stdout.readline()
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    for process in processes:
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors

    pictures = ObjectStore(folders[2])
    for number in range(150):
        data = str(number).encode() * 20_000
        assert pictures.get(picture_of(data)) == data
    assert len([path for path in Path(folders[2]).rglob("*") if path.is_file()]) == 150
    alone = Lineage(tmp_path / "alone.duckdb", 5.0)
    alone.ingest([make_part(info, found) for info, found in parts.items()])
    assert count_rows(lineage) == count_rows(alone)
