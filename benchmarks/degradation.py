"""How much a degraded picture costs beside decoding and encoding it: one core, 1024 x 768, processor time, measured in
turn in the same run. One baseline uses the project's own decoder and encoder, the other saves with Pillow as it comes.
Two floors say what no implementation of the definition can leave out: coding alone, and with saliency and measure.
`python -m benchmarks.degradation` writes build/benchmarks/degradation.json."""

import argparse
import io
import json
import os
import platform
import statistics
import time
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from core.pictures import PictureError, Pixels, decode_rgb, encode_png, read_picture
from core.records import Language, Picture, Sample, Subject
from core.seeding import stream
from core.taxonomy import Subtype
from injectors.base import Injection, InjectionContext
from injectors.degradation_measure import measure_change
from injectors.saliency import compute_sobel
from injectors.salient_region import find_region, quantise
from injectors.visual_degradation import VISUAL_DEGRADATION

WIDTH, HEIGHT = 1024, 768
LIMIT = 1.6
RESULT = Path(__file__).resolve().parent.parent / "build" / "benchmarks" / "degradation.json"


class Timed(NamedTuple):
    kind: str
    subtype: Subtype
    operation: str
    baseline: float
    pillow: float
    degraded: float
    coding: float
    demanded: float
    baseline_bytes: int
    pillow_bytes: int
    degraded_bytes: int
    mask_bytes: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=8, help="times that every picture and level is measured")
    parser.add_argument("--memory-pictures", type=int, default=2000)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    pictures = make_pictures() | read_real_pictures()
    timed = [
        time_picture(kind, name, data, subtype, turn)
        for turn in range(options.rounds)
        for kind, named in pictures.items()
        for name, data in named.items()
        for subtype in VISUAL_DEGRADATION
    ]
    done = [one for one in timed if one is not None]
    result = {
        "machine": {"processor": platform.processor() or platform.machine(), "opencv": cv2.__version__},
        "pictures": {kind: len(named) for kind, named in pictures.items()},
        "refused": len(timed) - len(done),
        "limit": LIMIT,
        "all": summarise(done),
        "kinds": {kind: summarise([one for one in done if one.kind == kind]) for kind in pictures},
        "operations": {name: summarise([one for one in done if one.operation == name]) for name in operations(done)},
        "memory": measure_memory(pictures, options.memory_pictures),
    }
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    RESULT.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(result, indent=2))


def operations(timed: list[Timed]) -> list[str]:
    return sorted({one.operation for one in timed})


def time_picture(kind: str, name: str, data: bytes, subtype: Subtype, turn: int) -> Timed | None:
    """One round: baselines and degradation one after the other, in changing order. None when the picture is refused."""
    picture = read_picture(data).picture
    if turn % 2:
        degraded, injection = time_degradation(picture, data, subtype, f"{name}/{turn}")
        baseline, size = time_baseline(data)
    else:
        baseline, size = time_baseline(data)
        degraded, injection = time_degradation(picture, data, subtype, f"{name}/{turn}")
    pillow, pillow_size = time_pillow(data)
    if injection is None:
        return None
    edit = injection.candidate.flaws[0].edits[0]
    assert edit.kind == "picture_degradation"
    image, mask = injection.blobs
    floor = time_floor(data, image.data)
    return Timed(
        kind,
        subtype,
        edit.measure.operation,
        baseline,
        pillow,
        degraded,
        *floor,
        size,
        pillow_size,
        len(image.data),
        len(mask.data),
    )


def time_baseline(data: bytes) -> tuple[float, int]:
    start = time.process_time()
    blob = encode_png(decode_rgb(data))
    return time.process_time() - start, len(blob.data)


def time_pillow(data: bytes) -> tuple[float, int]:
    """What one would write without this project: Pillow with its own settings."""
    start = time.process_time()
    buffer = io.BytesIO()
    Image.fromarray(decode_rgb(data)).save(buffer, "PNG")
    return time.process_time() - start, len(buffer.getvalue())


def time_degradation(picture: Picture, data: bytes, subtype: Subtype, item: str) -> tuple[float, Injection | None]:
    """The whole injector: decode, degrade, encode picture and mask, decode the stored picture, measure."""
    sample = make_sample(picture, item)
    context = InjectionContext(stream=stream(1, item, subtype), read_pixels=lambda _: decode_rgb(data))
    start = time.process_time()
    outcome = VISUAL_DEGRADATION[subtype].apply(sample, context)
    return time.process_time() - start, outcome if isinstance(outcome, Injection) else None


def time_floor(data: bytes, stored: bytes) -> tuple[float, float]:
    """Decoding the original, encoding the degraded picture and decoding it again; and with what the definition demands
    of every picture: saliency, region and the measure of the change."""
    start = time.process_time()
    original = decode_rgb(data)
    degraded = decode_rgb(stored)
    encode_png(degraded)
    coding = time.process_time() - start
    levels = quantise(compute_sobel(original))
    measure_change(original, degraded, levels, find_region(levels))
    return coding, time.process_time() - start


def make_sample(picture: Picture, item: str) -> Sample:
    return Sample(
        source="benchmark",
        source_id=item,
        context=None,
        query="What does the picture show?",
        pictures=(picture,),
        subject=Subject.ART_DESIGN,
        language=Language.ENGLISH,
        licence="CC0-1.0",
        attribution="benchmark",
    )


def summarise(timed: list[Timed]) -> dict[str, float | int]:
    """Medians in milliseconds and kB; `ratio` is the ratio of the medians."""
    if not timed:
        return {"count": 0}
    baseline = statistics.median(one.baseline for one in timed)
    pillow = statistics.median(one.pillow for one in timed)
    degraded = statistics.median(one.degraded for one in timed)
    return {
        "count": len(timed),
        "baseline_ms": round(baseline * 1e3, 2),
        "degraded_ms": round(degraded * 1e3, 2),
        "ratio": round(degraded / baseline, 3),
        "floor_of_coding": round(statistics.median(one.coding for one in timed) / baseline, 3),
        "floor_of_definition": round(statistics.median(one.demanded for one in timed) / baseline, 3),
        "pillow_ms": round(pillow * 1e3, 2),
        "ratio_to_pillow": round(degraded / pillow, 3),
        "ratio_of_sums": round(sum(one.degraded for one in timed) / sum(one.baseline for one in timed), 3),
        "baseline_kb": round(statistics.median(one.baseline_bytes for one in timed) / 1e3, 1),
        "pillow_kb": round(statistics.median(one.pillow_bytes for one in timed) / 1e3, 1),
        "degraded_kb": round(statistics.median(one.degraded_bytes for one in timed) / 1e3, 1),
        "mask_kb": round(statistics.median(one.mask_bytes for one in timed) / 1e3, 1),
    }


def measure_memory(pictures: dict[str, dict[str, bytes]], number: int) -> dict[str, float | int]:
    """Resident memory over many degradations: the slope of a line through the second half, in bytes a picture."""
    named = [(name, data) for kind in pictures.values() for name, data in kind.items()]
    references = {name: read_picture(data).picture for name, data in named}
    levels = list(VISUAL_DEGRADATION)
    resident: list[int] = []
    for turn in range(number):
        name, data = named[turn % len(named)]
        time_degradation(references[name], data, levels[turn % len(levels)], f"{name}/memory/{turn}")
        resident.append(read_resident_bytes())
    half = np.array(resident[number // 2 :], dtype=np.float64)
    slope = float(np.polyfit(np.arange(len(half)), half, 1)[0]) if len(half) > 1 else 0.0
    return {
        "pictures": number,
        "resident_mb_after_tenth": round(resident[number // 10] / 1e6, 1),
        "resident_mb_at_end": round(resident[-1] / 1e6, 1),
        "slope_bytes_a_picture": round(slope, 1),
    }


def read_resident_bytes() -> int:
    """Linux only."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def make_pictures() -> dict[str, dict[str, bytes]]:
    """Photo-like ones as JPEG, chart-like ones as PNG, as sources hold them."""
    return {
        "photo_like": {f"photo{seed}": to_jpeg(draw_photo(seed)) for seed in range(4)},
        "chart_like": {f"chart{seed}": encode_png(draw_chart(seed)).data for seed in range(4)},
    }


def draw_photo(seed: int) -> Pixels:
    """Noise at six scales with the falling spectrum of photos, and the grain of a sensor."""
    random = np.random.default_rng(seed)
    total = np.zeros((HEIGHT, WIDTH, 3))
    for scale in range(6):
        small = random.standard_normal((HEIGHT >> scale, WIDTH >> scale, 3))
        total += 2.0**scale * cv2.resize(small, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
    total += 2 * random.standard_normal(total.shape)
    return np.clip(128 + 1.2 * total, 0, 255).astype(np.uint8)


def draw_chart(seed: int) -> Pixels:
    """Bars, grid and labels on white."""
    random = np.random.default_rng(seed)
    chart: NDArray[np.uint8] = np.full((HEIGHT, WIDTH, 3), 255, np.uint8)
    for row in range(100, 700, 60):
        cv2.line(chart, (100, row), (980, row), (210, 210, 210), 1)
        cv2.putText(
            chart, f"{(700 - row) * 3:,}", (20, row + 5), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (60, 60, 60), 1, cv2.LINE_AA
        )
    for number in range(12):
        left, top = 120 + 70 * number, int(random.integers(120, 600))
        colour = tuple(int(value) for value in random.integers(30, 220, 3))
        cv2.rectangle(chart, (left, top), (left + 44, 700), colour, -1)
        cv2.putText(chart, f"item {number}", (left, 730), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (0, 0, 0), 1, cv2.LINE_AA)
    cv2.putText(chart, "Sales by region and year", (300, 60), cv2.FONT_HERSHEY_SIMPLEX, 1, (0, 0, 0), 2, cv2.LINE_AA)
    return chart


def to_jpeg(pixels: Pixels) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "JPEG", quality=90)
    return buffer.getvalue()


def read_real_pictures() -> dict[str, dict[str, bytes]]:
    """Real pictures scaled to the same size, kept in their own format; none where FLAWBENCH_SHARED is absent."""
    folder = Path(os.environ.get("FLAWBENCH_SHARED", RESULT.parents[3] / "shared")) / "sources"
    found: dict[str, dict[str, bytes]] = {"real_jpeg": {}, "real_png": {}}
    for path in sorted(folder.glob("*/images/*"))[::4]:
        try:
            pixels = decode_rgb(path.read_bytes())
        except PictureError:
            continue
        if min(pixels.shape[:2]) < 300:
            continue
        scaled = np.asarray(cv2.resize(pixels, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), dtype=np.uint8)
        if path.suffix == ".png":
            found["real_png"][path.name] = encode_png(scaled).data
        else:
            found["real_jpeg"][path.name] = to_jpeg(scaled)
    return {kind: named for kind, named in found.items() if named}


if __name__ == "__main__":
    main()
