import hashlib
import io
import json
import resource
import shutil
import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from datasets import Dataset, load_dataset
from PIL import Image

from core.errors import ExportError
from core.records import Picture
from export.blindness import Blindness
from export.facts import ReleaseFacts, ReviewFacts
from export.release import write_release
from export.rows import Label, ReleaseItem, Review
from export.standing import find_before_review, find_release

ReadPicture = Callable[[Picture], bytes]

pytestmark = pytest.mark.disable_socket


def open_split(folder: Path, split: str) -> Dataset:
    dataset = load_dataset(str(folder), split=split, cache_dir=str(folder.parent / "cache"))
    assert isinstance(dataset, Dataset)
    return dataset


def hash_tree(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_release_opens_with_all_rows_and_every_picture_decoded(
    items: list[ReleaseItem], facts: ReleaseFacts, folder: Path, read_picture: ReadPicture
) -> None:
    manifest = write_release(items, facts, folder, read_picture)
    test = open_split(folder, "test")
    assert test["id"] == [item.candidate.id for item in items]
    assert [len(images) for images in test["images"]] == [0, 0, 2, 1, 1]
    assert all(image.size == (24, 20) for images in test["images"] for image in images)
    assert [len(masks) for masks in test["masks"]] == [0, 0, 0, 1, 0]
    assert test[2]["question"] == ""
    assert Counter(test["subtype"]) == manifest.subtypes
    assert sorted(path.name for path in (folder / "data").glob("test-*")) == [
        f"test-{number:05d}-of-00003.parquet" for number in range(3)
    ]


def test_twins_hold_the_unmodified_question_with_its_answer(
    items: list[ReleaseItem], facts: ReleaseFacts, folder: Path, read_picture: ReadPicture
) -> None:
    write_release(items, facts, folder, read_picture)
    twins = {row["id"]: row for row in open_split(folder, "twins")}
    for row in open_split(folder, "test"):
        assert row["pair_id"] in twins
    algebra = twins[items[0].parent.id]
    assert (algebra["answer"], algebra["correct_options"]) == ("6", [1])
    assert algebra["question"].endswith("A. 4\nB. 6\nC. 8")
    assert (algebra["flaw"], algebra["subtype"], algebra["panel"]) == (None, None, None)


def test_the_rows_that_a_family_touched_can_be_left_out_by_one_line(
    items: list[ReleaseItem], facts: ReleaseFacts, folder: Path, read_picture: ReadPicture
) -> None:
    first, second, *others = items
    (flaw,) = first.candidate.flaws
    made = flaw.model_copy(update={"generator": "openai:a+gemini:b", "families": ("openai", "google")})
    first = first._replace(candidate=first.candidate.model_copy(update={"flaws": (made,)}))
    second = second._replace(parent=second.parent.model_copy(update={"families": ("zhipu",)}))
    second = second._replace(candidate=second.candidate.model_copy(update={"parent": second.parent.id}))
    write_release([first, second, *others], facts, folder, read_picture)
    test = open_split(folder, "test")

    def left_without(family: str) -> list[str]:
        return test.filter(lambda row: family not in row["families"])["id"][:]

    kept = [item.candidate.id for item in others]
    assert left_without("openai") == left_without("google") == [second.candidate.id, *kept]
    assert left_without("zhipu") == [first.candidate.id, *kept]
    assert len(left_without("anthropic")) == len(items)


def test_embedded_bytes_are_the_stored_ones(
    items: list[ReleaseItem], facts: ReleaseFacts, folder: Path, read_picture: ReadPicture
) -> None:
    write_release(items, facts, folder, read_picture)
    table = open_split(folder, "test").with_format("arrow")[3]
    [cell] = table["images"].to_pylist()[0]
    assert cell == {"bytes": read_picture(items[3].candidate.pictures[0]), "path": None}
    assert Image.open(io.BytesIO(cell["bytes"])).format == "PNG"


def test_manifest_hashes_every_file_and_says_what_it_was_made_from(
    items: list[ReleaseItem], facts: ReleaseFacts, folder: Path, read_picture: ReadPicture
) -> None:
    manifest = write_release(items, facts, folder, read_picture)
    stored = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    hashes = hash_tree(folder)
    del hashes["manifest.json"]
    assert {entry["path"]: entry["sha256"] for entry in stored["files"]} == hashes
    assert stored["recipe_id"] == facts.recipe.id
    assert (stored["seed"], stored["panel"], stored["code_commit"]) == (42, "none", "0" * 40)
    assert stored["rows"] == {"test": 5, "twins": 3}
    assert stored == json.loads(manifest.model_dump_json())


def test_same_inputs_give_the_same_bytes(
    items: list[ReleaseItem], facts: ReleaseFacts, folder: Path, read_picture: ReadPicture
) -> None:
    write_release(items, facts, folder, read_picture)
    other = folder.with_name("another-place")
    write_release(items, facts, other, read_picture)
    assert hash_tree(folder) == hash_tree(other)


def test_complete_release_of_the_same_content_is_left_as_it_is(
    items: list[ReleaseItem], facts: ReleaseFacts, folder: Path, read_picture: ReadPicture
) -> None:
    first = write_release(items, facts, folder, read_picture)
    times = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}

    def refuse(picture: Picture) -> bytes:
        raise AssertionError(f"{picture.sha256} was read again")

    assert write_release(items, facts, folder, refuse) == first
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == times
    assert [path.name for path in folder.parent.iterdir()] == ["tiny"]


def test_a_release_that_is_there_is_found_with_what_was_measured_of_it(
    items: list[ReleaseItem], facts: ReleaseFacts, folder: Path, read_picture: ReadPicture
) -> None:
    assert find_release(items, facts, folder) is None
    measured = Blindness(report=None, untold={"mismatch": "only its pictures differ"})
    written = write_release(items, facts._replace(blindness=measured), folder, read_picture)
    assert find_release(items, facts, folder) == written
    assert written.blindness == measured
    assert find_release(items[1:], facts, folder) is None
    assert find_release(items, facts._replace(blindness=measured.model_copy(update={"dropped": 1})), folder) is None
    (folder / "README.md").unlink()
    assert find_release(items, facts, folder) is None


@pytest.mark.parametrize("damage", ["changed", "deleted"])
def test_damaged_release_is_written_anew(
    items: list[ReleaseItem], facts: ReleaseFacts, folder: Path, read_picture: ReadPicture, damage: str
) -> None:
    write_release(items, facts, folder, read_picture)
    whole = hash_tree(folder)
    victim = folder / "data" / "test-00001-of-00003.parquet"
    if damage == "changed":
        victim.write_bytes(victim.read_bytes()[:-1] + b"?")
    else:
        victim.unlink()
    write_release(items, facts, folder, read_picture)
    assert hash_tree(folder) == whole


def test_other_content_takes_the_place(
    items: list[ReleaseItem], facts: ReleaseFacts, folder: Path, read_picture: ReadPicture
) -> None:
    write_release(items, facts, folder, read_picture)
    manifest = write_release(items[:2], facts, folder, read_picture)
    assert manifest.rows == {"test": 2, "twins": 2}
    assert len(list((folder / "data").iterdir())) == 2
    assert [path.name for path in folder.parent.iterdir()] == ["tiny"]


def test_folder_of_something_else_is_never_replaced(
    items: list[ReleaseItem], facts: ReleaseFacts, folder: Path, read_picture: ReadPicture
) -> None:
    folder.mkdir(parents=True)
    (folder / "thesis.tex").write_text("years of work")
    with pytest.raises(ExportError, match="is no release"):
        write_release(items, facts, folder, read_picture)
    assert (folder / "thesis.tex").read_text() == "years of work"


def test_unreadable_manifest_is_an_error_that_names_it(
    items: list[ReleaseItem], facts: ReleaseFacts, folder: Path, read_picture: ReadPicture
) -> None:
    write_release(items, facts, folder, read_picture)
    (folder / "manifest.json").write_text('{"format": 7}')
    with pytest.raises(ExportError, match=r"manifest\.json"):
        write_release(items, facts, folder, read_picture)


def test_nothing_to_release_is_an_error(facts: ReleaseFacts, folder: Path, read_picture: ReadPicture) -> None:
    with pytest.raises(ExportError, match="no row to release"):
        write_release([], facts, folder, read_picture)
    assert not folder.exists()


def test_candidate_given_twice_is_an_error(
    items: list[ReleaseItem], facts: ReleaseFacts, folder: Path, read_picture: ReadPicture
) -> None:
    with pytest.raises(ExportError, match=items[0].candidate.id):
        write_release([*items, items[0]], facts, folder, read_picture)


def test_picture_with_other_bytes_leaves_no_release(
    items: list[ReleaseItem], facts: ReleaseFacts, folder: Path, read_picture: ReadPicture
) -> None:
    with pytest.raises(ExportError, match="other bytes"):
        write_release(items, facts, folder, lambda picture: read_picture(picture) + b"\0")
    assert list(folder.parent.iterdir()) == []


def test_full_disk_is_an_export_error_and_leaves_no_release(
    items: list[ReleaseItem], facts: ReleaseFacts, folder: Path
) -> None:
    def fail(picture: Picture) -> bytes:
        raise OSError(28, "No space left on device")

    with pytest.raises(ExportError, match="No space left on device"):
        write_release(items, facts, folder, fail)
    assert list(folder.parent.iterdir()) == []


def test_disk_that_takes_no_more_leaves_no_release(
    items: list[ReleaseItem], facts: ReleaseFacts, folder: Path, read_picture: ReadPicture
) -> None:
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (15_000, unlimited[1]))
    try:
        with pytest.raises(ExportError, match="File too large"):
            write_release(items, facts, folder, read_picture)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
        signal.signal(signal.SIGXFSZ, handler)
    assert list(folder.parent.iterdir()) == []


def test_rest_of_a_killed_export_is_cleared(
    items: list[ReleaseItem], facts: ReleaseFacts, folder: Path, read_picture: ReadPicture
) -> None:
    half = folder.with_name(".tiny.partial") / "data"
    half.mkdir(parents=True)
    (half / "test-00000-of-00009.parquet").write_bytes(b"PAR1")
    write_release(items, facts, folder, read_picture)
    assert [path.name for path in folder.parent.iterdir()] == ["tiny"]
    assert len(list((folder / "data").iterdir())) == 5


def test_release_swapped_out_by_a_killed_export_comes_back(
    items: list[ReleaseItem], facts: ReleaseFacts, folder: Path, read_picture: ReadPicture
) -> None:
    write_release(items, facts, folder, read_picture)
    before = hash_tree(folder)
    shutil.move(folder, folder.with_name(".tiny.replaced"))
    write_release(items, facts, folder, read_picture)
    assert hash_tree(folder) == before
    assert [path.name for path in folder.parent.iterdir()] == ["tiny"]


def test_verdicts_of_people_are_columns_and_their_agreement_stands_in_card_and_manifest(
    items: list[ReleaseItem], facts: ReleaseFacts, folder: Path, read_picture: ReadPicture
) -> None:
    labels = (Label(1, 1, "pass", "fail", "", "the table says 4", 12.5), Label(3, 1, "pass", "pass", "", "", None))
    judged = [items[0]._replace(review=Review.OPEN, labels=labels), *items[1:]]
    review = ReviewFacts(
        annotators=3,
        overlap=2,
        items=5,
        accepted=3,
        rejected=0,
        undecided=1,
        open=1,
        accepted_only=False,
        paired={"type_compliance": 4, "unanswerability": 4},
        agreement={"type_compliance": 1.0, "unanswerability": 0.5},
        kappa={"type_compliance": None, "unanswerability": 0.25},
        alpha={"type_compliance": None, "unanswerability": 0.2},
    )

    manifest = write_release(judged, facts._replace(review=review), folder, read_picture)

    rows = open_split(folder, "test")
    assert rows["review"] == ["open", "none", "none", "none", "none"]
    assert rows[0]["annotations"] == [label._asdict() for label in labels]
    assert rows[1]["annotations"] == []
    assert manifest.review == review
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "0 of 5 rows decided, 1 more begun; 2 of 3 judge each, blind" in card
    assert "5 items: 3 accepted, 0 rejected, 1 undecided, 1 open" in card
    assert "agreement 1.00, kappa undefined, alpha undefined" in card
    assert "agreement 0.50, kappa 0.25, alpha 0.20, on 4 items that two or more judged" in card


def test_a_release_is_known_as_one_that_verdicts_alone_made_another(
    items: list[ReleaseItem], facts: ReleaseFacts, folder: Path, read_picture: ReadPicture
) -> None:
    write_release(items, facts, folder, read_picture)
    judged = [items[0]._replace(review=Review.ACCEPTED), *items[1:]]
    review = ReviewFacts(
        annotators=2, overlap=2, items=5, accepted=1, rejected=0, undecided=0, open=4, accepted_only=False,
        paired={}, agreement={}, kappa={}, alpha={},
    )  # fmt: skip
    shutil.move(folder, folder.with_name(f"{facts.build}-1"))
    after = write_release(judged, facts._replace(review=review), folder.with_name(f"{facts.build}-2"), read_picture)

    assert find_before_review(after, folder.parent) == f"{facts.build}-1"
    assert find_before_review(after.model_copy(update={"code_commit": "another"}), folder.parent) is None
    (folder.with_name(f"{facts.build}-1") / "manifest.json").write_text("{}")
    assert find_before_review(after, folder.parent) is None
