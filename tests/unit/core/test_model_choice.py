"""What is said where keys are set and no models are used."""

import pytest

from core.model_choice import NO_MODELS, tell_unused_keys
from core.settings import Settings

SOME = {"OPENAI_API_KEY": "k", "GEMINI_API_KEY": "k", "ANTHROPIC_API_KEY": "k"}


def test_a_run_by_rules_with_some_of_the_papers_keys_is_told_which_are_missing() -> None:
    assert tell_unused_keys(None, Settings(), SOME) == "no models, rules alone: preset mmpcbench also wants ARK_API_KEY"


@pytest.mark.parametrize(
    ("asked", "settings", "environment"),
    [(NO_MODELS, Settings(), SOME), (None, Settings(models=NO_MODELS), SOME), (None, Settings(), {})],
    ids=["asked for", "set in the environment", "no key"],
)
def test_rules_alone_need_no_word_where_they_are_wanted(
    asked: str | None, settings: Settings, environment: dict[str, str]
) -> None:
    assert tell_unused_keys(asked, settings, environment) is None
