from collections.abc import Callable

import pytest

from core.errors import StorageError
from core.records import FlawedSample, Sample, Stage
from storage.lineage import Lineage
from storage.parts import PartInfo, make_part
from storage.rows import sample_rows


@pytest.mark.parametrize("length", [36, 20, 12, 8])
def test_the_beginning_of_an_id_is_enough(length: int, filled: Lineage, candidates: list[FlawedSample]) -> None:
    candidate = candidates[0]

    assert filled.chain(candidate.id[:length]).id == candidate.id


def test_a_picture_is_found_by_the_beginning_of_its_hash(filled: Lineage, samples: list[Sample]) -> None:
    sha256 = samples[0].pictures[0].sha256

    assert filled.chain(sha256[:8]).id == sha256


def test_fewer_than_eight_characters_are_refused(filled: Lineage, candidates: list[FlawedSample]) -> None:
    with pytest.raises(StorageError, match="Give the whole id or at least its first 8 characters"):
        filled.chain(candidates[0].id[:7])


def test_an_ambiguous_beginning_lists_what_it_could_be(
    lineage: Lineage, make_sample: Callable[[int], Sample], make_info: Callable[[Stage, str], PartInfo]
) -> None:
    samples = [make_sample(number) for number in range(3)]
    by_picture = [
        sample.model_copy(
            update={"pictures": (sample.pictures[0].model_copy(update={"sha256": f"abcdef12{n}" + "0" * 55}),)}
        )
        for n, sample in enumerate(samples)
    ]
    rows = [row for sample in by_picture for row in sample_rows(sample, [])]
    lineage.ingest([make_part(make_info(Stage.READ, "a"), rows)])

    with pytest.raises(
        StorageError, match=r"is the beginning of several: abcdef120.*, abcdef121.*, abcdef122.*more char"
    ):
        lineage.chain("abcdef12")


@pytest.mark.parametrize(
    "change",
    [lambda text: text[:-1] + "x", lambda text: text[:4] + text[5:], lambda text: text[:20] + "x" + text[20:]],
    ids=["last wrong", "one missing", "one too many"],
)
def test_a_slip_is_answered_with_the_id_that_was_meant(
    change: Callable[[str], str], filled: Lineage, candidates: list[FlawedSample]
) -> None:
    meant = candidates[0].id

    with pytest.raises(StorageError, match=rf"There is no item .*\. Did you mean {meant}\?"):
        filled.chain(change(meant))


def test_nonsense_is_answered_with_how_to_list_ids(filled: Lineage) -> None:
    with pytest.raises(StorageError, match=r"There is no item hello world\. List some with `flawbench sql"):
        filled.chain("hello world")


@pytest.mark.parametrize("text", ["smp_\ud800", "\ud800" * 8, "emma:\ud800"], ids=["id", "prefix", "row"])
def test_half_a_surrogate_pair_is_no_id(text: str, filled: Lineage) -> None:
    with pytest.raises(StorageError, match=r"none\. Write what is looked for as UTF-8"):
        filled.chain(text)
