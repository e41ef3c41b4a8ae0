"""Whether two models may judge every candidate, before any money is spent on making it: a build would else pay for
candidates that can only be dropped with `no_validator`."""

from collections.abc import Iterator

from core.errors import ConfigurationError
from core.model_specs import ModelsRecipe
from core.recipe import Recipe
from core.taxonomy import Subtype
from filters.validators import Shortage, choose_validators
from tasks.model_identity import asks_models
from tasks.named_validators import named_validators


def check_panel(recipe: Recipe) -> None:
    """Without `validators` there is no panel, and candidates say so. Raises ConfigurationError that names the subtype,
    the models that touch it and the key."""
    models = recipe.judging
    if models is None:
        return
    for subtype in (subtype for subtype, count in recipe.targets.items() if count):
        for makers in _makers(subtype, models):
            families = {models.models[maker].family for maker in makers}
            pair = choose_validators(families, *named_validators(models), "two", recipe.seed, subtype)
            if isinstance(pair, Shortage):
                touched = f" that {' and '.join(f'`{maker}`' for maker in makers)} touch" if makers else ""
                said = f"The panel of the models {models.name} cannot judge {subtype} candidates{touched}"
                raise ConfigurationError(
                    f"{said}: {pair.evidence}.",
                    "Add models of other families to `panel.reserve`, or remove `panel.validators`.",
                )


def _makers(subtype: Subtype, models: ModelsRecipe) -> Iterator[tuple[str, ...]]:
    """Every set of models that one candidate may come from, by their keys."""
    rewriter = (models.rewriter,) if models.rewriter else ()
    if not asks_models(subtype, models):
        yield rewriter
        return
    editor = models.image_editor if subtype is Subtype.INTER_VISUAL_CONTRADICTION else None
    for share in models.generators:
        yield tuple(dict.fromkeys((*rewriter, share.model, *((editor,) if editor else ()))))
