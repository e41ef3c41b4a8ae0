"""Which models took part in a release and as what, as the data set card says it."""

from collections.abc import Iterator, Sequence

from core.model_specs import ModelsRecipe, PanelRecipe

_ASKED = {"two": "two of those that did not touch the row", "all": "all of those that did not touch the row"}
_RULES = {
    "all": "kept when all of them pass both criteria",
    "any": "kept when one of them passes both criteria",
    "majority": "kept when more than half of them pass both criteria",
}


def list_roles(models: ModelsRecipe) -> Iterator[tuple[str, str]]:
    """Rows of a table, role and who has it; roles that nobody has are left out."""
    names = {key: f"`{spec.id}`" for key, spec in models.models.items()}
    shares = [f"{names[generator.model]} {generator.share:.0%}" for generator in models.generators]
    yield "generators and their shares of the questions", ", ".join(shares)
    if models.image_editor:
        yield "image editor", names[models.image_editor]
    if models.rewriter:
        yield "rewriter of source texts", names[models.rewriter]
    yield "examples in a prompt", str(models.few_shot)
    yield "repairs of a reply that cannot be used", f"at most {models.repair_turns}"
    if models.panel.validators:
        yield from _list_panel(models.panel, [names[key] for key in models.panel.validators])
        if models.panel.reserve:
            yield "reserve of validators", ", ".join(names[key] for key in models.panel.reserve)


def _list_panel(panel: PanelRecipe, validators: Sequence[str]) -> Iterator[tuple[str, str]]:
    shown = "the row and the flaw that is claimed for it"
    more = ", the source question and the flaw on record" if panel.show_original else ""
    twins = "; the unmodified questions are judged too" if panel.twins else ""
    yield "validators", ", ".join(validators)
    yield "panel", f"asks {_ASKED[panel.ask]}; {_RULES[panel.rule]}{twins}"
    yield "validators see", f"{shown}{more}"
