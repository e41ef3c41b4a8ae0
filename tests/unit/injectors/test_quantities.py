"""Which stated values are found, and how they are stated again."""

import random

import pytest

from core.records import Language
from injectors.premises import find_quantities
from injectors.quantities import other_number


def restated(text: str, language: str = "en") -> list[str]:
    return [found.restated("#") for found in find_quantities(text, len(text), Language(language))]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        pytest.param(r"A can of mass $m=0.40 \mathrm{~kg}$ slides.", "en", [r"$m=# \mathrm{~kg}$"], id="formula"),
        pytest.param(r"In it, angle $V X Y=80^{\circ}$.", "en", [r"angle $V X Y=#^{\circ}$"], id="named angle"),
        pytest.param(
            "A block has a mass of 2 kg and it slides.", "en", ["the block has a mass of # kg"], id="main clause"
        ),
        pytest.param("Put a block of mass 2 kg on it.", "en", ["the block has a mass of # kg"], id="attribute"),
        pytest.param("The collision lasts for 14 ms.", "en", ["the collision lasts for # ms"], id="whole sentence"),
        pytest.param("There are eight kangaroos in a row.", "en", ["there are # kangaroos in a row"], id="spelled"),
        pytest.param("Five cars are parked here.", "en", ["there are # cars"], id="counted subject"),
        pytest.param("若∠A＝110°，则", "zh", ["∠A＝#°"], id="chinese angle"),
        pytest.param("碰撞时间为0.05 s，求力。", "zh", ["碰撞时间为# s"], id="chinese clause"),
        pytest.param("质量为2 kg的物块在水平面上", "zh", ["物块的质量为# kg"], id="chinese owner"),
        pytest.param("For example, $d=18$ holds here.", "en", [], id="example"),
        pytest.param("The war ended in 1945.", "en", [], id="year"),
        pytest.param("Figure 3 shows two blocks.", "en", [], id="figure number"),
        pytest.param("It moves to position 2.", "en", [], id="label"),
        pytest.param("The exponent in $x^{2}$ is known.", "en", [], id="exponent"),
        pytest.param("The sides have lengths of length 4 and 6.", "en", [], id="two values of one name"),
        pytest.param("- Speed of light, $c=3.00 \\cdot 10^{8} \\mathrm{~m}$", "en", [], id="constant"),
        pytest.param("Three lamps A, B and C are parked here.", "en", [], id="things named one by one"),
    ],
)
def test_values_are_found_with_their_statement(text: str, language: str, expected: list[str]) -> None:
    assert restated(text, language) == expected


def test_values_behind_the_end_are_left_out() -> None:
    assert find_quantities("The rope lasts for 14 ms.", 5, Language.ENGLISH) == []


@pytest.mark.parametrize("number", ["2", "0.40", "30", "7", "three", "1", "118.6"])
@pytest.mark.parametrize("unit", [" kg", "°", "%"])
def test_another_number_differs_and_keeps_its_form(number: str, unit: str) -> None:
    for seed in range(20):
        other = other_number(number, unit, random.Random(seed))
        if number.isalpha():
            assert other in ("four", "five", "six")
        elif other is not None:
            assert abs(float(other) - float(number)) >= 0.15 * float(number)
            assert len(other.partition(".")[2]) == len(number.partition(".")[2])
            assert unit != "%" or float(other) <= max(100.0, float(number) + 1)
            assert unit != "°" or 10 <= float(other) < 180


def test_zero_and_impossible_angles_have_no_other_number() -> None:
    assert other_number("0", " m", random.Random(1)) is None
    assert other_number("270", "°", random.Random(1)) is None
