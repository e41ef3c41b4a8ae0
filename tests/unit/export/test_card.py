import re
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from core.records import Picture
from core.taxonomy import Subtype
from export.card import render_card
from export.composition import describe_blindness, make_table, tabulate_licences
from export.dataset import COLUMNS
from export.facts import ReleaseFacts
from export.measuring import measure_rows
from export.release import write_release
from export.rows import ReleaseItem, ReleaseRow, Review, find_twins, make_flawed_row, make_twin_row
from filters.blind_reports import BlindRow

Split = list[ReleaseRow]


pytestmark = pytest.mark.disable_socket


@pytest.fixture
def test_rows(items: list[ReleaseItem]) -> Split:
    return [make_flawed_row(item) for item in items]


@pytest.fixture
def twin_rows(items: list[ReleaseItem]) -> Split:
    return [make_twin_row(sample) for sample in find_twins(items)]


@pytest.fixture
def card(facts: ReleaseFacts, test_rows: Split, twin_rows: Split) -> str:
    return render_card(facts, test_rows, twin_rows)


def split_cells(line: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def test_head_is_what_the_hub_reads(card: str) -> None:
    head = yaml.safe_load(card.split("---\n")[1])
    assert head["license"] == "other"
    assert head["language"] == ["en", "zh"]
    assert head["size_categories"] == ["n<1K"]
    [config] = head["configs"]
    assert [entry["split"] for entry in config["data_files"]] == ["test", "twins"]


def test_head_names_the_recipes_licence_when_it_has_one(
    facts: ReleaseFacts, test_rows: Split, twin_rows: Split
) -> None:
    export = facts.recipe.export.model_copy(update={"licence": "cc0-1.0"})
    recipe = facts.recipe.model_copy(update={"export": export})
    head = yaml.safe_load(render_card(facts._replace(recipe=recipe), test_rows, twin_rows).split("---\n")[1])
    assert head["license"] == "cc0-1.0"
    assert "license_name" not in head


@pytest.mark.parametrize("name", COLUMNS)
def test_every_column_is_explained(card: str, name: str) -> None:
    assert f"| `{name}` | " in card


@pytest.mark.parametrize("subtype", Subtype)
def test_every_subtype_stands_with_its_count(card: str, test_rows: Split, subtype: Subtype) -> None:
    [line] = [line for line in card.splitlines() if f"| `{subtype}` |" in line]
    assert split_cells(line)[-1] == str(sum(row.subtype == subtype for row in test_rows))


def test_counts_of_subject_and_language_add_up_to_the_rows(card: str) -> None:
    for title in ("Subject", "Language", "Source", "Pictures"):
        table = card.split(f"| {title} | `test` | `twins` |\n")[1].split("\n\n")[0].splitlines()[1:]
        cells = [split_cells(line) for line in table]
        assert (sum(int(cell[1]) for cell in cells), sum(int(cell[2]) for cell in cells)) == (5, 3)


def test_licences_are_counted_per_source_with_attribution(test_rows: Split, twin_rows: Split) -> None:
    cells = {tuple(split_cells(line)) for line in tabulate_licences([*test_rows, *twin_rows]).splitlines()[2:]}
    assert cells == {
        ("emma", "mit", "2", r"EMMA \| authors 2025"),
        ("emma", "mit AND cc0-1.0", "1", r"EMMA \| authors 2025; The project"),
        ("starter", "cc0-1.0", "5", "The project"),
    }


def test_long_attribution_lists_are_cut_openly(test_rows: Split) -> None:
    rows = [test_rows[0]._replace(attribution=f"Person {number}") for number in range(9)]
    assert "and 4 more in the column `attribution`" in tabulate_licences(rows)


def test_funnel_shows_what_was_dropped_and_why(card: str) -> None:
    assert "| read | 9 | 8 | 1 | no_text 1 |" in card
    assert "| filter | 8 | 5 | 3 | duplicate 3 |" in card


def test_card_says_that_no_model_and_no_human_has_checked(card: str) -> None:
    assert "`panel: none`" in card
    assert "No human has reviewed the rows." in card


@pytest.mark.parametrize(
    ("reviews", "told"),
    [
        ([Review.OPEN], "- No human has reviewed the rows."),
        ([Review.ACCEPTED, Review.UNDECIDED], "- 2 of 5 rows were judged by people"),
        ([Review.ACCEPTED] * 5, "- Each row was judged by people"),
    ],
    ids=["open-is-not-judged", "some", "all"],
)
def test_card_says_how_many_rows_people_have_judged(
    facts: ReleaseFacts, test_rows: Split, reviews: list[Review], told: str
) -> None:
    judged = [row._replace(review=found) for row, found in zip(test_rows, reviews, strict=False)]

    card = render_card(facts, [*judged, *test_rows[len(judged) :]], [])

    assert told in card
    assert ("No human" in card) == ("No human" in told)


def test_letters_among_the_most_telling_words_are_said_to_be_those_of_options() -> None:
    rows = [
        BlindRow(f"{n}{sound}", f"How high? {n % 9} A. one {'B. two' if sound else ''} D. {n}", sound, str(n))
        for n in range(40)
        for sound in (True, False)
    ]
    told = describe_blindness(measure_rows(rows))

    assert "`b` (40 sound, 0 flawed)" in told
    assert "A letter alone is that of an option (`A.`, `B.`), or a symbol." in told
    words = [row._replace(text=row.text.replace("B.", "and").replace("D.", "")) for row in rows]
    assert "A letter alone" not in describe_blindness(measure_rows(words))


def test_table_cells_cannot_break_the_table() -> None:
    assert make_table(("A", "B"), [("x|y", "two\nlines")]).splitlines()[2] == r"| x\|y | two lines |"


def test_loading_code_of_the_card_runs_on_the_release(
    items: list[ReleaseItem],
    facts: ReleaseFacts,
    folder: Path,
    read_picture: Callable[[Picture], bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write_release(items, facts, folder, read_picture)
    code = (folder / "README.md").read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", folder.parent / "cache")
    names: dict[str, object] = {}
    exec(compile(code.replace("path/to/this/folder", str(folder)), "README.md", "exec"), names)  # noqa: S102
    assert len(names["test"]) == 5  # pyright: ignore[reportArgumentType]
    assert len(names["twins"]) == 3  # pyright: ignore[reportArgumentType]
