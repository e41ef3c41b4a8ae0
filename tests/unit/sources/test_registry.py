import pytest

from core.errors import ConfigurationError
from sources.registry import READERS, reader


@pytest.mark.parametrize("name", READERS)
def test_a_reader_is_found_by_its_own_name(name: str) -> None:
    assert reader(name).name == name
    assert reader(name).version >= 1


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(ConfigurationError, match=r"emma.*math_vision.*olympiadbench"):
        reader("imagenet")
