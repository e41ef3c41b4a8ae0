"""A release of premise pairs: three configs that `datasets` opens, targets where they belong, and the same bytes."""

import json
from collections.abc import Mapping
from pathlib import Path

import datasets
import numpy as np
import pytest
import yaml

from core.errors import ExportError
from core.pictures import encode_png
from core.premises import Premise, PremiseAnswer, PremiseQuestion, Split
from core.recipe import PremisesRecipe, Recipe, SourceRecipe
from core.records import Blob, Language, Picture, Sample, Subject
from core.taxonomy import PremiseSubtype
from export.blindness import Blindness
from export.facts import ReleaseFacts
from export.gate import require_blind
from export.measuring import measure_rows
from export.premise_release import write_premise_release
from export.premise_rows import PremiseItem, make_premise_row, make_sft_row
from filters.blind_reports import BlindRow

KIND = PremiseSubtype.PART_WHOLE_RELATIONS
FACTS = ReleaseFacts(
    "pairs",
    Recipe(name="pairs", sources=(SourceRecipe(reader="starter"),), premises=PremisesRecipe(targets={KIND: 3})),
    "c0ffee",
    blindness=Blindness(report=None),
)


def draw(number: int) -> Blob:
    return encode_png(np.full((20, 30, 3), number, dtype=np.uint8))


def make_items(count: int = 6) -> tuple[list[PremiseItem], Mapping[str, bytes]]:
    items: list[PremiseItem] = []
    data: dict[str, bytes] = {}
    for number in range(count):
        blob = draw(number)
        data[blob.picture.sha256] = blob.data
        sample = Sample(
            source="own",
            source_id=str(number),
            context=None,
            query=None,
            pictures=(blob.picture,),
            subject=Subject.ART_DESIGN,
            language=Language.ENGLISH,
            licence="CC0-1.0",
            attribution="me",
        )
        for label in (True, False):
            question = make_question(sample, number, label)
            split = list(Split)[number % 3]
            answer = PremiseAnswer(question=question.id, think="I look.", answer="Red.", generator="rules")
            items.append(
                PremiseItem(question, sample, split, "none", answer if split is Split.SFT and number else None)
            )
    return items, data


def make_question(sample: Sample, number: int, label: bool) -> PremiseQuestion:
    return PremiseQuestion(
        sample=sample.id,
        premise=Premise(subtype=KIND, text=f"cup {number}", caption=f"It shows cup {number} on red.", start=9),
        label=label,
        question=f"What lies under {'cup' if label else 'jug'} {number}?",
        stated=f"{'cup' if label else 'jug'} {number}",
        start=16,
        replacement=f"jug {number}",
        answer="red",
        pair=f"prp_{number}",
        language=Language.ENGLISH,
        generator="rules",
        injector_version=1,
    )


def write(folder: Path) -> Path:
    items, data = make_items()
    write_premise_release(items, FACTS, folder, lambda picture: data[picture.sha256])
    return folder


def test_the_three_configs_open_and_hold_what_is_theirs(tmp_path: Path) -> None:
    folder = str(write(tmp_path / "release"))
    questions = datasets.load_dataset(folder)
    assert {split: len(rows) for split, rows in questions.items()} == {"test": 4, "train": 8}
    assert set(questions["train"]["stage"]) == {"sft", "grpo"}
    row = questions["test"][0]
    assert (row["subtype"], row["level"], row["label"]) == (KIND, "cognitive", True)
    assert row["images"][0].size == (30, 20)
    sft = datasets.load_dataset(folder, "sft", split="train")[0]
    assert sft["prompt"] == [{"role": "user", "content": "What lies under cup 1?"}]
    assert sft["completion"][0]["content"] == "<think>\nI look.\n</think>\n\n<answer>\nRed.\n</answer>"
    grpo = datasets.load_dataset(folder, "grpo", split="train")[0]
    assert (grpo["label"], grpo["premise"], grpo["replacement"], grpo["reference"]) == (True, "cup 2", "jug 2", "red")
    assert "completion" not in grpo


def test_the_same_rows_give_the_same_bytes_and_a_standing_release_is_left(tmp_path: Path) -> None:
    first, second = write(tmp_path / "one"), write(tmp_path / "two")
    files = sorted(path.relative_to(first) for path in first.rglob("*") if path.is_file())
    assert [(first / name).read_bytes() for name in files] == [(second / name).read_bytes() for name in files]
    before = (first / "manifest.json").stat().st_mtime_ns
    write(first)
    assert (first / "manifest.json").stat().st_mtime_ns == before


def test_card_and_manifest_count_the_rows(tmp_path: Path) -> None:
    folder = write(tmp_path / "release")
    card = (folder / "README.md").read_text()
    head = yaml.safe_load(card.split("---")[1])
    assert [config["config_name"] for config in head["configs"]] == ["default", "sft", "grpo"]
    assert "| cognitive | `part_whole_relations` | Possessive Relation | 6 | 6 | 4 | 4 | 4 |" in card
    assert "`verified: none`" in card
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["rows"] == {"test": 4, "train": 8, "sft/train": 4, "grpo/train": 4}
    assert manifest["subtypes"] == {KIND.value: 12}
    assert {file["path"] for file in manifest["files"]} == {
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    } - {"manifest.json"}


def test_a_split_without_rows_has_no_config(tmp_path: Path) -> None:
    items, data = make_items(1)
    write_premise_release(items, FACTS, tmp_path / "release", lambda picture: data[picture.sha256])
    assert list(datasets.load_dataset(str(tmp_path / "release"))) == ["test"]
    assert not (tmp_path / "release" / "sft").exists()


def test_a_target_is_never_made_up() -> None:
    items, _ = make_items(3)
    assert make_sft_row(items[2]) is not None
    assert make_sft_row(items[2]._replace(answer=None)) is None


def test_a_question_beside_another_sample_is_refused() -> None:
    items, _ = make_items(2)
    with pytest.raises(ExportError, match="was given"):
        make_premise_row(items[0]._replace(sample=items[2].sample))


def test_nothing_to_release_is_an_error(tmp_path: Path) -> None:
    def read(picture: Picture) -> bytes:
        raise AssertionError(picture)

    with pytest.raises(ExportError, match="no question to release"):
        write_premise_release([], FACTS, tmp_path / "release", read)
    assert not (tmp_path / "release").exists()


def blind_rows(count: int, telling: bool) -> list[BlindRow]:
    cups = ("red cup", "blue cup", "green cup", "grey cup")
    return [
        BlindRow(
            id=f"{number}{label}",
            text=f"{'Might' if telling and not label else 'Does'} the {cups[(number + label) % 4]} {number} stand?",
            label=label,
            group=str(number),
            subtype=KIND,
            pair=str(number),
        )
        for number in range(count)
        for label in (True, False)
    ]


def test_a_release_that_words_solve_is_refused_and_told_what_to_do() -> None:
    blindness = measure_rows(blind_rows(60, telling=True))
    with pytest.raises(ExportError, match="'does'") as caught:
        require_blind("pairs", blindness)
    assert "flawbench export pairs --rebalance" in caught.value.fix
    with pytest.raises(ExportError, match="Leaving out questions does not bring it under"):
        require_blind("pairs", blindness, rebalanced=True)


def test_a_release_that_words_do_not_solve_passes() -> None:
    require_blind("pairs", measure_rows(blind_rows(120, telling=False)))


@pytest.mark.parametrize("rebalanced", [False, True])
def test_too_few_pairs_show_nothing_and_are_told_how_many_would(rebalanced: bool) -> None:
    with pytest.raises(ExportError, match="its 3 pairs are too few to show that nothing is told") as caught:
        require_blind("pairs", measure_rows(blind_rows(3, telling=False)), rebalanced=rebalanced)
    assert "Build about 30 pairs" in caught.value.fix


def test_too_few_single_questions_are_told_how_many_would_show_it() -> None:
    rows = [row._replace(pair=None, group=row.id) for row in blind_rows(9, telling=False)]
    with pytest.raises(ExportError, match="18 questions are too few") as caught:
        require_blind("pairs", measure_rows(rows))
    assert "Build about 200 questions" in caught.value.fix


@pytest.mark.parametrize(
    ("accuracy", "interval", "told"),
    [(0.55, (0.49, 0.61), "Build about 60 pairs"), (0.595, (0.5, 0.69), "--rebalance")],
)
def test_how_many_would_be_enough_follows_the_width_of_the_interval(
    accuracy: float, interval: tuple[float, float], told: str
) -> None:
    report = measure_rows(blind_rows(40, telling=False)).report
    assert report is not None
    best = report.best.model_copy(update={"accuracy": accuracy, "interval": interval})
    with pytest.raises(ExportError) as caught:
        require_blind("pairs", Blindness(report=report.model_copy(update={"best": best})))
    assert told in caught.value.fix


def test_rows_of_one_label_cannot_be_compared_and_are_said_so() -> None:
    blindness = measure_rows([row for row in blind_rows(9, telling=False) if row.label])
    assert blindness.report is None
    require_blind("pairs", blindness)
