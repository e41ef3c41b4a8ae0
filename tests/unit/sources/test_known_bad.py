import pytest
import yaml

from sources.known_bad import FILE, refuse_known_bad
from sources.rows import UnusableRowError


def test_every_entry_has_a_reason_and_the_address_of_its_report() -> None:
    entries = [entry for listed in yaml.safe_load(FILE.read_text(encoding="utf-8")).values() for entry in listed]
    assert all(entry["ids"] and entry["why"] and entry["report"].startswith("https://") for entry in entries)


@pytest.mark.parametrize(("source", "own_id"), [("mathvista", "950"), ("visual_genome", "2335991")])
def test_a_listed_row_is_refused(source: str, own_id: str) -> None:
    with pytest.raises(UnusableRowError, match="https://"):
        refuse_known_bad(source, own_id)


def test_the_same_id_of_another_source_is_not() -> None:
    refuse_known_bad("math_vision", "950")
