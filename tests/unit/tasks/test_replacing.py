import pytest

from core.model_specs import load_models
from core.premises import Pairing
from core.recipe import PremisesRecipe, Recipe, SamplingRecipe, SourceRecipe
from core.taxonomy import PremiseSubtype, Subtype
from tasks.replacing import find_differences

STARTER = SourceRecipe(reader="starter")
OLD = Recipe(name="mine", sources=(STARTER,), sampling=SamplingRecipe(total=8), targets={Subtype.MISMATCH: 5})
JBA, PAPER = load_models("jba"), load_models("mmpcbench")
BY_MODELS = OLD.model_copy(update={"models": PAPER})


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"targets": {Subtype.MISMATCH: 6, Subtype.AMBIGUITY: 1}},
        {"sampling": SamplingRecipe(total=9)},
        {"sampling": SamplingRecipe()},
        {"models": PAPER.model_copy(update={"budget_usd": 7.0})},
    ],
    ids=["repeated", "more rows and subtypes", "more questions", "all questions", "more money"],
)
def test_growth_and_repetition_are_not_told(changes: dict[str, object]) -> None:
    assert find_differences([BY_MODELS], BY_MODELS.model_copy(update=changes)) == []


@pytest.mark.parametrize(
    ("standing", "changes", "told"),
    [
        ([OLD], {"models": JBA}, "made by rules, no panel, now by jba"),
        ([BY_MODELS], {"models": None}, ", panel all, now by rules, no panel"),
        ([BY_MODELS], {"models": PAPER.model_copy(update={"few_shot": 1})}, "with other settings"),
        ([OLD], {"seed": 7, "sources": (SourceRecipe(reader="emma"),)}, "other seed, sources"),
        ([OLD], {"targets": {Subtype.MISMATCH: 4}}, "fewer are wanted now"),
        ([OLD], {"targets": {Subtype.AMBIGUITY: 9}}, "fewer are wanted now"),
        ([OLD], {"sampling": SamplingRecipe(total=7)}, "fewer are wanted now"),
        ([OLD], {"sampling": SamplingRecipe(total=9, pictures={"0": 0.5})}, "other sampling"),
        ([OLD, BY_MODELS], {}, "some added by `flawbench inject`"),
    ],
    ids=["to models", "to rules", "settings", "sources", "smaller", "other subtype", "questions", "shares", "injected"],
)
def test_what_a_run_takes_away_is_told(standing: list[Recipe], changes: dict[str, object], told: str) -> None:
    (difference,) = find_differences(standing, standing[0].model_copy(update=changes))
    assert told in difference


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"targets": {PremiseSubtype.SCENE: 6, PremiseSubtype.LOGICAL_RELATIONS: 1}}, []),
        ({"targets": {PremiseSubtype.SCENE: 4}}, ["fewer are wanted now"]),
        ({"pairing": Pairing.INDEPENDENT}, ["other premises"]),
    ],
    ids=["more", "fewer", "other pairing"],
)
def test_premise_pairs_grow_without_a_word_and_change_with_one(changes: dict[str, object], told: list[str]) -> None:
    premises = PremisesRecipe(targets={PremiseSubtype.SCENE: 5})
    old = Recipe(name="pairs", sources=(STARTER,), premises=premises)
    assert find_differences([old], old.model_copy(update={"premises": premises.model_copy(update=changes)})) == told
