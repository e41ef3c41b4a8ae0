"""Data sets for the tests of readers: folders of JSON lines, and Parquet in the exact features of the Hub."""

import functools
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw

from core.recipe import SourceRecipe
from sources.base import Quarantined, SourceItem
from sources.registry import reader

Rows = list[dict[str, Any]]
Item = SourceItem | Quarantined


@pytest.fixture(scope="session")
def png() -> bytes:
    return draw_png("red")


@pytest.fixture(scope="session")
def pngs() -> list[bytes]:
    """Nine pictures that differ."""
    return [draw_png(colour) for colour in ("red", "green", "blue", "black", "white", "grey", "cyan", "pink", "gold")]


def draw_png(colour: str) -> bytes:
    image = Image.new("RGB", (40, 30), "white")
    ImageDraw.Draw(image).rectangle((5, 5, 25, 20), fill=colour)
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


@pytest.fixture
def folder(tmp_path: Path, pngs: list[bytes]) -> Callable[[Rows], Path]:
    """Writes rows as `records.jsonl`; `images/1.png` … `images/9.png` stand beside it."""

    def write(rows: Rows) -> Path:
        (tmp_path / "images").mkdir(exist_ok=True)
        for number, data in enumerate(pngs, 1):
            (tmp_path / "images" / f"{number}.png").write_bytes(data)
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (tmp_path / "records.jsonl").write_text(lines, encoding="utf-8")
        return tmp_path

    return write


@pytest.fixture
def read(folder: Callable[[Rows], Path]) -> Callable[..., list[Item]]:
    """Reads rows with the reader of a name."""

    def read_rows(name: str, *rows: dict[str, Any]) -> list[Item]:
        return list(reader(name).read(SourceRecipe(reader=name, location=str(folder(list(rows))))))

    return read_rows


@pytest.fixture(scope="session")
def real_items(shared: Path) -> Callable[[str], list[Item]]:
    """What a reader gives for the real rows of its source. Each is read once: decoding the pictures takes the time."""

    @functools.cache
    def read_all(name: str) -> list[Item]:
        return list(reader(name).read(SourceRecipe(reader=name, location=str(shared / "sources" / name))))

    return read_all


@pytest.fixture
def row() -> Callable[..., dict[str, Any]]:
    """A good row of a source in its Hub columns, with some of them replaced."""

    def make(name: str, **columns: Any) -> dict[str, Any]:
        return {**_GOOD_ROWS[name], **columns}

    return make


_GOOD_ROWS: dict[str, dict[str, Any]] = {
    "olympiadbench": {
        "id": 7,
        "question": "Let $x=2$. Find $x^2$.",
        "solution": ["It is $4$."],
        "final_answer": ["4"],
        "context": None,
        "image_1": None,
        "image_2": None,
        "modality": "Text-only",
        "difficulty": "Competition",
        "is_multiple_answer": False,
        "unit": None,
        "answer_type": "Numerical",
        "error": None,
        "question_type": "Open-ended",
        "subfield": "Algebra",
        "subject": "Math",
        "language": "English",
        "_config": "OE_TO_maths_en_COMP",
        "_split": "train",
    },
    "mmmu_pro": {
        "id": "test_Art_1",
        "question": "Who painted <image 1>?",
        "options": "['Ann', 'Ben', 'Cyd']",
        "explanation": "?",
        **{f"image_{number}": None for number in range(2, 8)},
        "image_1": "images/1.png",
        "img_type": "['Paintings']",
        "answer": "B",
        "topic_difficulty": "Easy",
        "subject": "Art",
        "_config": "standard (10 options)",
        "_split": "test",
    },
    "emma": {
        "pid": "Math_1",
        "question": "Which piece fits?\n<image_1>",
        "options": ["A", "B", "C"],
        "answer": "B",
        "image_1": "images/1.png",
        **{f"image_{number}": None for number in range(2, 6)},
        "solution": None,
        "subject": "Math",
        "task": "",
        "category": "2D Transformation",
        "source": "MathVision",
        "type": "Multiple Choice",
        "context": "",
        "_config": "Math",
        "_split": "test",
    },
    "mathvista": {
        "pid": "5",
        "question": "What time does the clock show?",
        "image": "images/1.png",
        "decoded_image": "images/1.png",
        "choices": ["9:30", "4:30"],
        "unit": None,
        "precision": None,
        "answer": "4:30",
        "question_type": "multi_choice",
        "answer_type": "text",
        "metadata": {
            "category": "math-targeted-vqa",
            "context": "abstract scene",
            "grade": "elementary school",
            "img_height": 30,
            "img_width": 40,
            "language": "english",
            "skills": ["numeric commonsense"],
            "source": "IconQA",
            "split": "testmini",
            "task": "math word problem",
        },
        "query": "Question: What time does the clock show?\nChoices:\n(A) 9:30\n(B) 4:30",
        "_config": "default",
        "_split": "testmini",
    },
    "math_vision": {
        "id": "9",
        "question": "How many dots are there?\n<image1>",
        "options": [],
        "image": "images/1.png",
        "decoded_image": "images/1.png",
        "answer": "6",
        "solution": None,
        "level": 1,
        "subject": "counting",
        "_config": "default",
        "_split": "test",
    },
}


@pytest.fixture
def parquet_copy(tmp_path: Path) -> Callable[[str, Rows, Path], Path]:
    """Writes rows as a data set of the Hub: a card that names the configs, Parquet with the Hub's features and the
    bytes of the pictures inside."""

    def write(name: str, rows: Rows, pictures: Path) -> Path:
        target = tmp_path / f"hub_{name}"
        target.mkdir()
        configs: list[dict[str, Any]] = []
        for index, config in enumerate(dict.fromkeys(row["_config"] for row in rows)):
            part = [row for row in rows if row["_config"] == config]
            file = f"part{index}/{part[0]['_split']}-00000-of-00001.parquet"
            _write_parquet(target / file, name, part, pictures)
            configs.append({"config_name": config, "data_files": [{"split": part[0]["_split"], "path": file}]})
        (target / "README.md").write_text(f"---\nconfigs: {json.dumps(configs)}\n---\n", encoding="utf-8")
        return target

    return write


def _write_parquet(path: Path, name: str, rows: Rows, pictures: Path) -> None:
    from datasets import Dataset, Features

    columns = {key: _feature(name, key) for key in rows[0] if not key.startswith("_")}
    values = [{key: _value(row[key], columns[key], pictures) for key in columns} for row in rows]
    path.parent.mkdir()
    Dataset.from_list(values, features=Features(columns)).to_parquet(path)


def _feature(name: str, column: str) -> Any:
    from datasets import Image as ImageFeature
    from datasets import List, Value

    text = Value("string")
    special: dict[str, Any] = {
        "decoded_image": ImageFeature(),
        "solution": List(text) if name == "olympiadbench" else text,
        "final_answer": List(text),
        "options": text if name == "mmmu_pro" else List(text),
        "choices": List(text),
        "is_multiple_answer": Value("bool"),
        "precision": Value("float64"),
        "level": Value("int64"),
        "id": Value("int64") if name == "olympiadbench" else text,
        "image": ImageFeature() if name == "mmmu_pro" else text,
        "metadata": {
            **dict.fromkeys(("category", "context", "grade", "language", "source", "split", "task"), text),
            "img_height": Value("int64"),
            "img_width": Value("int64"),
            "skills": List(text),
        },
    }
    return ImageFeature() if column.startswith("image_") else special.get(column, text)


def _value(value: Any, feature: Any, pictures: Path) -> Any:
    if type(feature).__name__ == "Image" and value is not None:
        return {"bytes": (pictures / value).read_bytes(), "path": Path(value).name}
    return value
