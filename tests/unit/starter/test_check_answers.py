"""The answers, texts and pictures of the starter set cannot disagree: all come from the same figures."""

from pathlib import Path

import numpy as np
import pytest

from core.pictures import decode_rgb
from starter.answers import computer_science
from starter.check_answers import compare, find_faults, load_expected, load_questions
from starter.figures.computer_science import SECOND_STACK


def test_every_answer_is_computed_again_and_every_picture_is_as_new_as_its_figure() -> None:
    assert find_faults() == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        pytest.param({"answer": "217 euros"}, "computed '216 euros'", id="answer"),
        pytest.param({"correct_options": [0]}, "correct_options", id="options of a free answer"),
        pytest.param({"options": ["216 euros"] * 4, "correct_options": [0, 1, 2, 3]}, "unusable options", id="options"),
        pytest.param({"context": "4 euros per square metre in <image 1>"}, "right angle at B", id="lost fact"),
        pytest.param({"context": "The triangle ABC has a right angle at B"}, "name every picture", id="lost token"),
    ],
)
def test_a_changed_record_is_noticed(change: dict[str, object], fault: str) -> None:
    question = next(question for question in load_questions() if question["id"] == "mathematics-turf")
    expected = load_expected()["mathematics-turf"]
    assert compare(question, expected) == []
    assert any(fault in found for found in compare({**question, **change}, expected))


def test_only_the_right_operations_lead_to_the_second_stack() -> None:
    question = next(question for question in load_questions() if question["id"] == "computing-stack")
    results = [computer_science.run_stack(tuple(option.split(", "))) for option in question["options"]]
    assert [result == SECOND_STACK.values for result in results].index(True) == question["correct_options"][0]
    assert results.count(SECOND_STACK.values) == 1


def test_a_committed_picture_is_what_the_script_draws(root: Path) -> None:
    draw = pytest.importorskip("starter.draw", reason="matplotlib is in the dev group")
    stored = decode_rgb((root / "starter" / "pictures" / "business-sales.png").read_bytes())
    drawn = decode_rgb(draw.draw_picture("business-sales"))
    assert stored.shape == drawn.shape
    assert float(np.mean(np.abs(stored.astype(int) - drawn.astype(int)))) < 1
