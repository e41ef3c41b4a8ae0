"""The gate of the intra-textual contradiction against the starter set, of which every answer is computed by
`starter/answers`: the numbers that those computations take from the text are written down here by hand."""

import pytest

from core.recipe import SourceRecipe
from core.records import Sample, TextPart
from injectors.passages import goal_start, passages
from injectors.premises import find_quantities
from injectors.relevance import is_needed, read_question
from sources.base import SourceItem
from sources.starter import NAME, StarterReader

USED = {
    "mathematics-turf": {"4"},
    "mathematics-pool": {"25", "10", "1.8", "15"},
    "mathematics-tabletop": {"2", "3"},
    "mathematics-clubs": {"40"},
    "physics-ramp": {"8", "10"},
    "physics-resistors": {"20"},
    "physics-carts": {"2"},
    "physics-lens": {"5"},
    "physics-lever": {"4"},
    "chemistry-titration": {"25", "0.1"},
    "chemistry-metal": {"40.5"},
    "chemistry-molecule": {"0.5", "12", "16", "1"},
    "chemistry-salt": {"11.7", "58.5", "500"},
    "chemistry-solubility": {"60", "20", "100"},
    "chemistry-atom": {"18"},
    "biology-meadow": {"20000", "10"},
    "biology-culture": {"6"},
    "biology-heart": {"0.2"},
    "engineering-beam": {"12"},
    "engineering-gears": {"900"},
    "engineering-steel": {"50"},
    "engineering-repair": {"2"},
    "engineering-views": {"2.7"},
    "engineering-press": {"150"},
    "computing-loop": {"12"},
    "computing-machine": {"11010"},
    "computing-gates": {"1", "0"},
    "business-tomatoes": {"9"},
    "business-sales": {"20"},
    "business-furniture": {"10"},
    "business-savings": {"2000", "5", "2"},
    "business-spending": {"8000"},
    "humanities-reigns": {"1629", "28"},
    "humanities-route": {"10", "5"},
    "humanities-council": {"31"},
    "humanities-letters": {"1648", "12", "20", "5"},
    "humanities-pyramid": {"3400"},
    "humanities-urban": {"5000"},
    "art-letters": {"4"},
    "art-panel": {"50"},
    "art-museum": {"50"},
    "art-border": {"5", "300"},
}


@pytest.fixture(scope="module")
def samples() -> list[Sample]:
    items = StarterReader().read(SourceRecipe(reader=NAME))
    return [item.sample for item in items if isinstance(item, SourceItem)]


def needed_numbers(sample: Sample) -> set[str]:
    question = read_question(sample)
    found: set[str] = set()
    for passage in passages(sample):
        end = goal_start(passage.text, sample.language) if passage.part is TextPart.QUERY else len(passage.text)
        values = find_quantities(passage.text, end, sample.language)
        found |= {value.number for value in values if is_needed(value, passage.text, question)}
    return found


def test_no_value_counts_as_needed_that_the_answer_is_not_computed_from(samples: list[Sample]) -> None:
    extra = {sample.source_id: needed_numbers(sample) - USED.get(sample.source_id, set()) for sample in samples}
    assert {name: numbers for name, numbers in extra.items() if numbers} == {}


def test_in_many_questions_a_needed_value_is_found(samples: list[Sample]) -> None:
    assert sum(bool(needed_numbers(sample)) for sample in samples) >= 18
