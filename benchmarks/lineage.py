"""Does the lineage file hold at a hundred times the paper's size? One million candidates with three million votes: the
chain of one id below 100 ms, the funnel below 1 s, growth of the file linear; and 12,000 candidates through parts and
ingest below 2 s. The baseline, a plain scan of a table of the same file, is measured in the same run. Wall time is what
counts; CPU time stands beside it, because wall time on a busy machine says more about its other work.

    uv run python benchmarks/lineage.py     # 2 minutes, 1.5 GB of disk; results in build/benchmarks/lineage.json
"""

import argparse
import hashlib
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import duckdb

from core.records import Decision, Flaw, FlawedSample, Language, Picture, Sample, Stage, Subject, TextEdit, TextPart
from core.taxonomy import Subtype
from storage.database import Database
from storage.lineage import Lineage
from storage.membership import ItemKind, Member
from storage.parts import PartInfo, PartStore, Row
from storage.rows import candidate_rows, decision_rows, sample_rows

ROOT = Path(__file__).resolve().parent.parent
BUILD = "large"
SUBTYPES = len(Subtype)
WAIT_SECONDS = 60.0
FRESH_PROCESS = """
import json, sys, time
from pathlib import Path
from storage.lineage import Lineage
lineage = Lineage(Path(sys.argv[1]), 60.0)
started = time.perf_counter()
getattr(lineage, sys.argv[2])(sys.argv[3])
taken = time.perf_counter() - started
status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
megabytes = int(status["VmHWM"].split()[0]) / 1024
print(json.dumps({"wall_seconds": round(taken, 4), "peak_megabytes": round(megabytes, 1)}))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--candidates", type=int, default=1_000_000)
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "benchmarks" / "lineage.json")
    arguments = parser.parse_args()
    folder = arguments.out.parent / "lineage-data"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    file = folder / "lineage.duckdb"
    samples = arguments.candidates // SUBTYPES // 4 * 4
    results = {
        "machine": f"{platform.machine()}, {os.cpu_count()} CPUs",
        "load_at_the_start": round(os.getloadavg()[0], 1),
        "candidates": samples * SUBTYPES,
        "ingest_of_12000_candidates": measure_ingest(folder / "small"),
        "growth": grow(file, samples),
        "baseline": measure_baseline(file),
        "chain": measure_chains(file, samples),
        "funnel": measure(lambda: Lineage(file, WAIT_SECONDS).funnel(BUILD), 5),
        "funnel_first_of_a_process": measure_fresh(file, "funnel", BUILD),
    }
    arguments.out.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    shutil.rmtree(folder)
    print(json.dumps(results, indent=2))


def grow(file: Path, samples: int) -> list[dict[str, float]]:
    """A quarter a time, each in one transaction; the size after the first, the second and the last."""
    statements = duckdb.extract_statements((ROOT / "benchmarks" / "lineage.sql").read_text(encoding="utf-8"))
    database = Database(file, WAIT_SECONDS)
    growth: list[dict[str, float]] = []
    for quarter in range(4):
        bounds = {"first": quarter * samples // 4, "last": (quarter + 1) * samples // 4}
        with database.writing() as connection:
            for statement in statements:
                connection.execute(statement, {name: bounds[name] for name in statement.named_parameters})
        if quarter != 2:
            candidates = bounds["last"] * SUBTYPES
            size = file.stat().st_size
            growth.append({"candidates": candidates, "bytes": size, "bytes_per_candidate": round(size / candidates, 1)})
    return growth


def measure_baseline(file: Path) -> dict[str, object]:
    """A plain scan of one column, through the same door: the file is opened for each call."""
    lineage = Lineage(file, WAIT_SECONDS)
    return {
        "count_candidates": measure(lambda: lineage.query("SELECT count(*) FROM candidates WHERE pictures > 0"), 9),
        "count_votes": measure(lambda: lineage.query("SELECT count(*) FROM votes WHERE verdict = 'pass'"), 9),
    }


def measure_chains(file: Path, samples: int) -> dict[str, object]:
    """Of candidates all over the file, in one process, and the first of three fresh processes; each opens the file."""
    lineage = Lineage(file, WAIT_SECONDS)
    picked = [candidate_id(number * 7919 % samples, number % SUBTYPES) for number in range(50)]
    lineage.chain(picked[0])
    times = [measure_once(lambda item=item: lineage.chain(item)) for item in picked]
    return {
        "candidate": summarise(times),
        "first_of_a_process": [measure_fresh(file, "chain", item) for item in picked[1:4]],
        "sample": measure(lambda: lineage.chain(sample_id(7)), 9),
        "picture": measure(lambda: lineage.chain(hashlib.sha256(b"p7").hexdigest()), 9),
        "candidate_by_12_characters": measure(lambda: lineage.chain(picked[5][:12]), 9),
    }


def measure_fresh(file: Path, method: str, argument: str) -> dict[str, float]:
    """The first call of a process, without the start of Python and imports."""
    command = [sys.executable, "-c", FRESH_PROCESS, str(file), method, argument]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True, capture_output=True
    )
    return json.loads(done.stdout)


def measure_ingest(folder: Path) -> dict[str, float]:
    """1,000 samples with twelve candidates each and all their decisions, in shards of 50, as a build makes them."""
    samples = [make_sample(number) for number in range(1000)]
    candidates = [make_candidate(sample, subtype) for subtype in Subtype for sample in samples]
    decided = [decide(candidate) for candidate in candidates]
    store, lineage = PartStore(str(folder / "objects")), Lineage(folder / "lineage.duckdb", WAIT_SECONDS)
    started = time.perf_counter()
    for number in range(0, len(samples), 50):
        write_shard(
            store,
            Stage.READ,
            number,
            [row for sample in samples[number : number + 50] for row in sample_rows(sample, [])],
        )
    for number in range(0, len(candidates), 50):
        shard = range(number, number + 50)
        rows = [row for index in shard for row in candidate_rows(candidates[index])]
        rows += [row for index in shard for decision in decided[index] for row in decision_rows(decision)]
        write_shard(store, Stage.INJECT, number, rows)
    written = time.perf_counter()
    parts = [store.read(stage, key) for stage in (Stage.READ, Stage.INJECT) for key in sorted(store.keys(stage))]
    read = time.perf_counter()
    lineage.ingest(parts)
    ingested = time.perf_counter()
    decisions = [decision for group in decided for decision in group]
    members = [Member(decision.id, decision.subtype, rank) for rank, decision in enumerate(decisions)]
    lineage.set_members(BUILD, ItemKind.DECISION, members, replace=True)
    joined = time.perf_counter()
    again = measure_once(lambda: lineage.ingest(parts))
    return {
        "rows": sum(part.columns.num_rows for part in parts),
        "write_parts_seconds": round(written - started, 3),
        "read_parts_seconds": round(read - written, 3),
        "ingest_seconds": round(ingested - read, 3),
        "set_members_seconds": round(joined - ingested, 3),
        "ingest_again_seconds": round(again.wall, 3),
    }


def write_shard(store: PartStore, stage: Stage, number: int, rows: list[Row]) -> None:
    key = hashlib.sha256(f"{stage} {number}".encode()).hexdigest()
    started = datetime(2026, 3, 1, tzinfo=UTC)
    store.write(
        PartInfo(key=key, stage=stage, run_id="run_0", code_commit="c0ffee", started=started, seconds=1.0), rows
    )


def make_sample(number: int) -> Sample:
    picture = Picture(sha256=hashlib.sha256(b"%d" % number).hexdigest(), media_type="image/png", width=640, height=480)
    sample = Sample(
        source="emma",
        source_id=f"row-{number}",
        context=" ".join(hashlib.md5(b"%d %d" % (number, word)).hexdigest()[: 1 + word % 9] for word in range(60)),
        query="Which force acts on the block? <image 1>",
        pictures=(picture,),
        answer="4 N",
        subject=Subject.PHYSICS,
        language=Language.ENGLISH,
        licence="CC-BY-4.0",
        attribution="EMMA",
    )
    _ = sample.id
    return sample


def make_candidate(sample: Sample, subtype: Subtype) -> FlawedSample:
    edit = TextEdit(part=TextPart.QUERY, start=6, before="force", after="thing")
    flaw = Flaw(
        subtype=subtype, generator="rules", injector_version=1, edits=(edit,), explanation="Nothing says which."
    )
    candidate = FlawedSample(
        parent=sample.id,
        context=sample.context,
        query="Which thing acts on the block? <image 1>",
        pictures=sample.pictures,
        flaws=(flaw,),
    )
    _ = candidate.id
    return candidate


def decide(candidate: FlawedSample) -> list[Decision]:
    items = ((Stage.INJECT, candidate.parent), (Stage.FILTER, candidate.id), (Stage.SELECT, candidate.id))
    decisions = [
        Decision(stage=stage, item=item, output=candidate.id, subtype=candidate.subtype, keep=True, decided_by="rules")
        for stage, item in items
    ]
    _ = [decision.id for decision in decisions]
    return decisions


def candidate_id(sample: int, subtype: int) -> str:
    return "cnd_" + hashlib.md5(f"c{sample}-{subtype}".encode()).hexdigest()


def sample_id(sample: int) -> str:
    return "smp_" + hashlib.md5(f"s{sample}".encode()).hexdigest()


class Taken(NamedTuple):
    """Seconds."""

    wall: float
    cpu: float


def measure_once(action: Callable[[], object]) -> Taken:
    wall, cpu = time.perf_counter(), time.process_time()
    action()
    return Taken(time.perf_counter() - wall, time.process_time() - cpu)


def measure(action: Callable[[], object], times: int) -> dict[str, float]:
    return summarise([measure_once(action) for _ in range(times)])


def summarise(taken: list[Taken]) -> dict[str, float]:
    walls = [one.wall for one in taken]
    return {
        "median_wall_seconds": round(statistics.median(walls), 4),
        "worst_wall_seconds": round(max(walls), 4),
        "median_cpu_seconds": round(statistics.median(one.cpu for one in taken), 4),
    }


if __name__ == "__main__":
    main()
