"""Every subtype of the taxonomy has one injector, at one place, under its own name."""

from pathlib import Path

import pytest

from core.taxonomy import Subtype
from injectors.registry import INJECTORS


def test_the_table_holds_exactly_the_subtypes_of_the_taxonomy() -> None:
    assert set(INJECTORS) == set(Subtype)
    assert len(INJECTORS) == 12


@pytest.mark.parametrize("subtype", list(Subtype))
def test_an_injector_makes_the_flaw_it_stands_for(subtype: Subtype) -> None:
    assert INJECTORS[subtype].subtype is subtype
    assert INJECTORS[subtype].version >= 1


@pytest.mark.parametrize("subtype", list(Subtype))
def test_the_manual_names_every_subtype(subtype: Subtype, root: Path) -> None:
    assert f"`{subtype}`" in (root / "docs/adding-an-injector.md").read_text(encoding="utf-8")
