import pytest

from core.errors import ConfigurationError
from core.requests import make_request, require_build_name
from core.taxonomy import Subtype


@pytest.mark.parametrize("name", ["../x", "a/b", "", "x" * 65, "Ä", "a\udcff", "-a"])
def test_a_name_that_could_leave_the_folder_of_releases_is_refused(name: str) -> None:
    with pytest.raises(ConfigurationError, match="cannot name a build"):
        require_build_name(name)


def test_an_ordinary_name_passes() -> None:
    assert require_build_name("my-benchmark_2.1") == "my-benchmark_2.1"


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_that_no_column_holds_is_refused(seed: int) -> None:
    with pytest.raises(ConfigurationError, match="seed"):
        make_request("starter", None, None, None, seed)


def test_a_limit_shrinks_targets_and_subtypes_narrow_them() -> None:
    recipe = make_request("starter", None, (Subtype.MISMATCH,), 5, 7).resolve()
    assert (recipe.targets, recipe.seed) == ({Subtype.MISMATCH: 5}, 7)


def test_unknown_sources_and_subtypes_are_named() -> None:
    with pytest.raises(ConfigurationError, match="emma"):
        make_request("starter", ("emma",), None, None, None).resolve()
