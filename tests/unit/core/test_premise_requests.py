from pathlib import Path

import pytest

from core.errors import ConfigurationError
from core.premise_requests import PremiseRequest
from core.requests import BuildRequest, ModelChoice
from core.taxonomy import PremiseSubtype

NO_MODELS = ModelChoice(use="none")


def test_a_run_narrows_the_targets_of_its_recipe() -> None:
    subtypes = (PremiseSubtype.SCENE, PremiseSubtype.LOGICAL_RELATIONS)
    recipe = PremiseRequest(subtypes=subtypes, limit=4, seed=7, models=NO_MODELS).resolve()
    assert recipe.premises is not None
    assert recipe.premises.targets == dict.fromkeys(subtypes, 4)
    assert (recipe.seed, recipe.models, recipe.targets) == (7, None, {})


def test_a_subtype_that_the_recipe_does_not_name_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("name: mine\nsources: [{reader: starter}]\npremises: {targets: {scene: 2}}\n")
    with pytest.raises(ConfigurationError, match="has no subtype emotional_state") as caught:
        PremiseRequest(recipe=str(path), subtypes=(PremiseSubtype.EMOTIONAL_STATE,), models=NO_MODELS).resolve()
    assert "scene" in caught.value.fix


def test_each_command_names_the_other_for_a_recipe_of_the_other_kind() -> None:
    with pytest.raises(ConfigurationError, match="flawbench premises --recipe premises") as caught:
        BuildRequest(recipe="premises", models=NO_MODELS).resolve()
    assert "`flawbench cost premises` says what a few of them cost" in caught.value.fix  # instead of `flawbench plan`
    with pytest.raises(ConfigurationError, match="flawbench build --recipe starter"):
        PremiseRequest(recipe="starter", models=NO_MODELS).resolve()
