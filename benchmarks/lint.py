"""How long `flawbench lint` takes on 10,000 questions as a process of its own, beside the plainest way to one of its
figures: words and pairs of words, a logistic regression and five folds, as scikit-learn offers them. Wall time is what
counts; CPU time stands beside it, because wall time on a busy machine says more about its other work.

    uv run python -m benchmarks.lint     # half a minute; results in build/benchmarks/lint.json
"""

import argparse
import json
import os
import platform
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

RESULT = Path(__file__).resolve().parent.parent / "build" / "benchmarks" / "lint.json"
LIMIT_SECONDS = 20.0
COMMAND = [sys.executable, "-c", "from cli.main import main; main()", "lint", "--format", "json"]
VOCABULARY = 6_000  # words that the questions draw from, the frequent ones far more often, as in a language
TYPES = ("Entity Existence", "Scene", "Emotion", "Spatial Relation")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "questions.json"
        rows = make_rows(options.rows)
        path.write_text(json.dumps(rows), encoding="utf-8")
        ours = [measure_command(path) for _ in range(options.rounds)]
    plain = [measure_plain(rows) for _ in range(options.rounds)]
    figures = {
        "rows": options.rows,
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "lint": {"wall": statistics.median(wall for wall, _ in ours), "cpu": statistics.median(cpu for _, cpu in ours)},
        "plain": {
            "wall": statistics.median(wall for wall, _ in plain),
            "cpu": statistics.median(cpu for _, cpu in plain),
        },
    }
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    RESULT.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(figures, indent=2))
    print(f"{figures['lint']['wall']:.1f} s (limit {LIMIT_SECONDS:.0f} s)")


def make_rows(count: int) -> list[dict[str, object]]:
    """Questions of 10 to 30 words, and answers of 100; flawed ones often begin with another word."""
    drawn = random.Random(0)
    vocabulary = ["".join(drawn.choices("abcdefghiklmnoprstuvw", k=drawn.randint(3, 9))) for _ in range(VOCABULARY)]
    weights = [1 / (rank + 5) for rank in range(VOCABULARY)]

    def words(size: int) -> str:
        return " ".join(drawn.choices(vocabulary, weights, k=size))

    rows: list[dict[str, object]] = []
    for number in range(count):
        label = number % 2 == 0
        start = "What" if not label and drawn.random() < 0.5 else "The"
        premise = words(2)
        question = f"{start} {premise if label else words(2)} {words(drawn.randint(8, 26))}?"
        rows.append(
            {"id": f"{number}.jpg", "image_path": f"/far/{number}.jpg", "type": TYPES[number // 2 % 4]}
            | {"question": question, "label": label, "premise": premise, "answer": words(100)}
        )
    return rows


def measure_command(path: Path) -> tuple[float, float]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run([*COMMAND, str(path)], capture_output=True, text=True, check=False)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert any(one["kind"] == "blind_baseline" for one in json.loads(done.stdout)["findings"])
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure_plain(rows: list[dict[str, object]]) -> tuple[float, float]:
    start, cpu = time.perf_counter(), time.process_time()
    model = make_pipeline(CountVectorizer(ngram_range=(1, 2)), LogisticRegression(max_iter=1000))
    cross_val_score(model, [str(row["question"]) for row in rows], [bool(row["label"]) for row in rows], cv=5)
    return time.perf_counter() - start, time.process_time() - cpu


if __name__ == "__main__":
    main()
