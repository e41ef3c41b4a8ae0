"""What orchestration and storage cost beside the injectors and filters themselves: 12,000 candidates from 3,000
questions, the same shards with the same number of processes, once bare and once as a build; then the same build
again, which has nothing to do. By the clock, and by processor time, which others on the machine disturb less.
`python -m benchmarks.build` writes build/benchmarks/build.json."""

import argparse
import json
import multiprocessing
import os
import platform
import shutil
import statistics
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import yaml
from PIL import Image

from benchmarks.memory import peak_watched
from benchmarks.processor import ProcessorTimes, processor_watched
from core.pictures import pixels_from
from core.recipe import Recipe, SourceRecipe, load_recipe
from core.records import FlawedSample, Sample, Stage
from core.seeding import stream
from core.taxonomy import Subtype
from filters.integrity import check
from injectors.base import Injection, InjectionContext
from injectors.registry import INJECTORS
from sources.base import SourceItem
from sources.registry import reader
from storage.lineage import Lineage
from tasks.guard import PROJECT
from tasks.planning import InjectionPlan
from tasks.pools import Pool
from tasks.server import server_environment, started_server
from tasks.specs import InjectionShard, PartName

RESULT = PROJECT / "build" / "benchmarks" / "build.json"
STARTER = PROJECT / "starter"
LIMIT = 0.15
NO_OP_LIMIT = 10.0
QUESTIONS = 3000
SCARCE = {Subtype.AMBIGUITY: 600, Subtype.INTRA_TEXTUAL_CONTRADICTION: 1000}
OTHERS = 1160

_STAGES = """
SELECT stage, min(started) AS started, max(started + to_microseconds(CAST(seconds * 1e6 AS BIGINT))) AS finished,
       sum(seconds) AS seconds, count(*) AS shards
FROM shards GROUP BY stage
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=QUESTIONS)
    parser.add_argument("--folder", type=Path, default=PROJECT / "build" / "benchmarks" / "build")
    options = parser.parse_args()
    shutil.rmtree(options.folder, ignore_errors=True)
    questions = make_questions(options.folder / "questions", options.questions)
    recipe = make_recipe(options.folder, questions, options.questions / QUESTIONS)
    workers = os.cpu_count() or 1
    bare = run_bare(questions, recipe, workers)
    figures = {"machine": platform.platform(), "workers": workers, "questions": options.questions}
    figures |= {f"bare_{name}": value for name, value in bare._asdict().items()}
    figures |= run_builds(options.folder, bare)
    RESULT.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(figures, indent=2))
    print(
        f"overhead {figures['overhead']:.1%} by the clock, {figures['processor_overhead']:.1%} by processor time "
        f"(limit {LIMIT:.0%}), no-op {figures['no_op_seconds']:.1f} s "
        f"(limit {NO_OP_LIMIT:.0f} s)"
    )


def make_questions(folder: Path, count: int) -> Path:
    """The starter set over and over, each time under another light, so that no two pictures look alike."""
    (folder / "pictures").mkdir(parents=True)
    rows = [json.loads(line) for line in (STARTER / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row["pictures"]]
    with (folder / "questions.jsonl").open("w", encoding="utf-8") as output:
        for number in range(count):
            row = dict(rows[number % len(rows)])
            row["id"] = f"{row['id']}-{number}"
            row["context"] = f"{_collection(number, row['language'])}{row['context']}"
            row["pictures"] = [_relight(folder, name, number) for name in row["pictures"]]
            output.write(json.dumps(row, ensure_ascii=False) + "\n")
    return folder


def _collection(number: int, language: str) -> str:
    """A sentence that makes each text its own and says nothing."""
    name = "".join(chr(ord("a") + number // 26**place % 26) for place in range(3)).capitalize()
    return f"选自{name}集。" if language == "zh" else f"Collection {name}. "


def _relight(folder: Path, name: str, number: int) -> str:
    pixels = np.asarray(Image.open(STARTER / "pictures" / name).convert("RGB"), dtype=np.float32)
    light = np.random.default_rng([number, len(name)]).uniform(0.35, 1.0, (5, 5)).astype(np.float32)
    field = cv2.resize(light, (pixels.shape[1], pixels.shape[0]), interpolation=cv2.INTER_CUBIC)
    lit = np.clip(pixels * field[:, :, None], 0, 255).astype(np.uint8)
    new = f"{Path(name).stem}-{number}.png"
    Image.fromarray(lit).save(folder / "pictures" / new, compress_level=1)
    return new


def make_recipe(folder: Path, questions: Path, scale: float) -> Recipe:
    targets = {subtype: max(1, int(SCARCE.get(subtype, OTHERS) * scale)) for subtype in Subtype}
    content = {
        "name": "benchmark",
        "sources": [{"reader": "starter", "location": str(questions)}],
        "targets": {subtype.value: count for subtype, count in targets.items()},
    }
    path = folder / "recipe.yaml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    return load_recipe(str(path))


class Bare(NamedTuple):
    seconds: float
    processor_seconds: float
    candidates: int


def run_bare(questions: Path, recipe: Recipe, workers: int) -> Bare:
    """The shards of the build by domain functions only, with the pictures in memory. Processor time is that of the
    shards alone."""
    items = _read(questions)
    hashes = {fact.sha256: fact.perceptual_hash for item in items.values() for fact in item.facts}
    samples = [item.sample for item in items.values()]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_prepare, initargs=(questions,)) as pool:
        list(pool.map(_warm, range(workers * 4)))
        started = time.perf_counter()
        plan = InjectionPlan(Pool(PartName(Stage.SAMPLE, ""), samples, hashes), recipe)
        kept, processor = 0, 0.0
        for wave in plan.waves():
            for shard, (candidates, seconds) in zip(wave, pool.map(_time_shard, wave), strict=True):
                plan.record(shard, candidates)
                kept += len(candidates)
                processor += seconds
        return Bare(time.perf_counter() - started, processor, kept)


_items: dict[str, SourceItem] = {}


def _prepare(questions: Path) -> None:
    cv2.setNumThreads(1)
    _items.update(_read(questions))


def _warm(_: int) -> None:
    time.sleep(0.5)


def _read(questions: Path) -> dict[str, SourceItem]:
    found = reader("starter").read(SourceRecipe(reader="starter", location=str(questions)))
    return {item.sample.id: item for item in found if isinstance(item, SourceItem)}


def _time_shard(shard: InjectionShard) -> tuple[list[FlawedSample], float]:
    started = time.process_time()
    return _bare_shard(shard), time.process_time() - started


def _bare_shard(shard: InjectionShard) -> list[FlawedSample]:
    kept: list[FlawedSample] = []
    donors = dict(zip(shard.samples, shard.donors, strict=False))
    for sample_id in shard.samples:
        donor = _items.get(donors.get(sample_id, ""))
        kept += _bare_sample(shard, _items[sample_id], donor)
    return kept


def _bare_sample(shard: InjectionShard, item: SourceItem, donor: SourceItem | None) -> list[FlawedSample]:
    sample: Sample = item.sample
    blobs = {blob.picture.sha256: blob.data for one in (item, donor) if one for blob in one.blobs}
    context = InjectionContext(
        stream=stream(shard.seed, sample.id, shard.subtype),
        read_pixels=pixels_from(lambda picture: blobs[picture.sha256]),
        degradation=shard.degradation,
        missing_instruction=shard.missing_instruction,
        donor=donor.sample if donor else None,
    )
    result = INJECTORS[shard.subtype].apply(sample, context)
    if not isinstance(result, Injection):
        return []
    blobs |= {blob.picture.sha256: blob.data for blob in result.blobs}
    decision = check(result.candidate, sample, pixels_from(lambda picture: blobs[picture.sha256]), shard.degradation)
    return [result.candidate] if decision.keep else []


def run_builds(folder: Path, bare: Bare) -> dict[str, float | int]:
    data = folder / "data"
    with started_server(folder / "server", 4291) as server:
        environment = {**os.environ, **server_environment(folder / "client", server.api), "FLAWBENCH_DATA": str(data)}
        first = _build(folder, environment, server.process.pid)
        again = [_build(folder, environment, server.process.pid) for _ in range(3)]
    stages = _stages(data)
    start, end = stages["sample"]["finished"], stages["select"]["finished"]
    made = (end - start).total_seconds()
    processor = first.times.between(start, end)
    spent = sum(processor.values())
    return {
        "build_seconds": first.seconds,
        "made_seconds": made,
        "overhead": made / bare.seconds - 1,
        "processor_overhead": spent / bare.processor_seconds - 1,
        "flow_processor_seconds": processor["build"],
        "workers_processor_seconds": processor["build children"],
        "server_processor_seconds": processor["server"] + processor["server children"],
        "read_seconds": stages["read"]["seconds"],
        "inject_seconds": stages["inject"]["seconds"],
        "filter_seconds": stages["filter"]["seconds"],
        "shards": stages["inject"]["shards"] + stages["filter"]["shards"],
        "candidates": _count(data),
        "no_op_seconds": statistics.median(build.seconds for build in again),
        "peak_process_mb": round(max(build.peak_mb for build in (first, *again))),
        "lineage_mb": (data / "lineage.duckdb").stat().st_size / 1e6,
    }


class _Timed(NamedTuple):
    """`peak_mb` is that of the largest process of the build."""

    seconds: float
    peak_mb: float
    times: ProcessorTimes


def _build(folder: Path, environment: dict[str, str], server: int) -> _Timed:
    command = [Path(sys.executable).parent / "flawbench", "build", "--recipe", folder / "recipe.yaml"]
    started = time.perf_counter()
    with (
        subprocess.Popen(command, env=environment, cwd=PROJECT) as process,
        peak_watched(process.pid) as peak,
        processor_watched({"build": process.pid, "server": server}) as times,
    ):
        status = process.wait()
    if status:
        raise subprocess.CalledProcessError(status, command)
    return _Timed(time.perf_counter() - started, peak.mb, times)


def _stages(data: Path) -> dict[str, dict[str, object]]:
    columns, rows = Lineage(data / "lineage.duckdb", 10).query(_STAGES)
    return {row[0]: dict(zip(columns, row, strict=True)) for row in rows}


def _count(data: Path) -> int:
    query = "SELECT count(*) FROM build_items WHERE kind = 'candidate'"
    return int(Lineage(data / "lineage.duckdb", 10).query(query).rows[0][0])


if __name__ == "__main__":
    main()
