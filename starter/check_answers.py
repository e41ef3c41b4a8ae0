"""Computes every answer of the starter set again from the figures that the pictures are drawn from, and compares it
with `questions.jsonl`: `python -m starter.check_answers` from the root of the project prints what differs and ends
with status 1."""

import json
import sys
from pathlib import Path
from typing import Any

from PIL import Image

from core.image_tokens import numbers_in
from starter.answers import (
    art_design,
    biology_medicine,
    business_economics,
    chemistry,
    computer_science,
    engineering,
    humanities_social_science,
    mathematics,
    physics,
)
from starter.answers.expected import Expected
from starter.figures.catalogue import MARK, PICTURES, figure_hash

FOLDER = Path(__file__).resolve().parent


def load_questions() -> list[dict[str, Any]]:
    lines = (FOLDER / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def load_expected() -> dict[str, Expected]:
    return {
        **mathematics.expected(),
        **physics.expected(),
        **chemistry.expected(),
        **biology_medicine.expected(),
        **engineering.expected(),
        **computer_science.expected(),
        **business_economics.expected(),
        **humanities_social_science.expected(),
        **art_design.expected(),
    }


def find_faults() -> list[str]:
    """One sentence for everything that does not fit; empty when all is well."""
    questions, expected = load_questions(), load_expected()
    ids = [question["id"] for question in questions]
    faults = [f"{name} has no check or no question" for name in set(ids) ^ set(expected)]
    if len(ids) != len(set(ids)):
        faults.append("an id is used twice")
    for question in questions:
        if question["id"] in expected:
            found = compare(question, expected[question["id"]])
            faults += [f"{question['id']}: {fault}" for fault in found]
    return faults + _find_picture_faults([name for question in questions for name in question["pictures"]])


def compare(question: dict[str, Any], expected: Expected) -> list[str]:
    """What is wrong with one record: its answer, its options, its facts and its picture tokens."""
    options, answer = question["options"], question["answer"]
    text = f"{question['context']}\n{question['query']}"
    faults = [f"{fact!r} is not in the text" for fact in expected.stated if fact not in text]
    if answer != expected.answer:
        faults.append(f"the answer is {answer!r}, computed {expected.answer!r}")
    if question["correct_options"] != [number for number, option in enumerate(options) if option == answer]:
        faults.append(f"correct_options is {question['correct_options']}")
    if options and (len(set(options)) != len(options) or not 4 <= len(options) <= 5 or answer not in options):
        faults.append(f"unusable options {options}")
    if set(numbers_in(text)) != set(range(1, len(question["pictures"]) + 1)):
        faults.append("the text does not name every picture")
    return faults


def _find_picture_faults(used: list[str]) -> list[str]:
    """Every figure is used once, and its file was drawn from the numbers as they are now."""
    if sorted(used) != sorted(f"{stem}.png" for stem in PICTURES):
        return ["pictures and figures are not the same set"]
    faults: list[str] = []
    for stem, figure in PICTURES.items():
        with Image.open(FOLDER / "pictures" / f"{stem}.png") as picture:
            if picture.info.get(MARK) != figure_hash(figure):
                faults.append(f"{stem}.png is older than its figure: run python -m starter.draw {stem}")
    return faults


if __name__ == "__main__":
    found = find_faults()
    sys.stdout.write("\n".join(found or ["all answers hold"]) + "\n")
    sys.exit(1 if found else 0)
