"""What a release says about itself beside its rows."""

from typing import NamedTuple

from core.recipe import Recipe

NO_PANEL = "none"


class FunnelLine(NamedTuple):
    """One stage of the funnel: how many items it decided on, how many it kept, how many it dropped for which reason."""

    stage: str
    entered: int
    kept: int
    dropped: tuple[tuple[str, int], ...] = ()


class ReleaseFacts(NamedTuple):
    """`panel` names the model panel that checked the rows, `none` where no model did; `prompts` those that models were
    asked with, as `name@version`; `further` are the recipes of other runs that rows come from: those that added to the
    build, and those of the build whose rows got a second flaw."""

    build: str
    recipe: Recipe
    code_commit: str
    panel: str = NO_PANEL
    funnel: tuple[FunnelLine, ...] = ()
    prompts: tuple[str, ...] = ()
    further: tuple[Recipe, ...] = ()
