import pytest

from cli.build import choose
from core.errors import ConfigurationError


@pytest.mark.parametrize("value", ["http://me:hunter2@host/v1", "{base_url: 'http://hunter2@host'}"])
def test_a_password_never_becomes_a_parameter_of_a_run(value: str) -> None:
    with pytest.raises(ConfigurationError, match=r"`models\.a`") as caught:
        choose(None, [f"models.a={value}"], None)
    assert "hunter2" not in str(caught.value)


def test_other_changes_are_passed_on() -> None:
    changes = ["models.a.base_url=http://host/v1", "panel.rule=any"]
    assert choose("local", changes, 2.0).changes == tuple(changes)
