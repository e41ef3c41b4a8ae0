"""A run under a name that is taken: the rows that stand there make room for those of the run. Growth and repetition
are what names are for; anything else is said before the work begins, since two recipes may have one name by
accident, and is refused where people have work in what stands there. Whether a growth or a repetition keeps every row
is known when it has selected its own, and refused then where people would lose one."""

import logging
from collections.abc import Collection, Sequence

from core.counting import counted
from core.errors import ConfigurationError
from core.makers import name_makers, name_panels
from core.recipe import PremisesRecipe, Recipe, SamplingRecipe
from storage.membership import ItemKind
from tasks.review_store import open_reviews, read_dealt
from tasks.runs import Run

_GROWING = ("targets", "premises", "sampling", "models", "export")
_logger = logging.getLogger("flawbench.progress")


def tell_replaced(run: Run, limit: int | None = None) -> str | None:
    """What stands under the name of this run and is not of its kind, also as a warning in the log; None where the run
    repeats the build or makes it larger. `limit`: questions that it takes at most. Raises ConfigurationError for a
    build of the other kind, and for one that is in review."""
    recipes = run.lineage.recipes(run.build).own
    kind = ItemKind.QUESTION if run.recipe.premises else ItemKind.CANDIDATE
    if recipes and (recipes[0].premises is None) is not (run.recipe.premises is None):
        raise ConfigurationError(
            f"Build {run.build} holds {'premise pairs' if recipes[0].premises else 'flawed questions'}.",
            "Give this recipe another `name`: a build is of one kind.",
        )
    rows = run.lineage.members(run.build, kind)
    differences = find_differences(recipes, run.recipe) if recipes else []
    questions = len(run.lineage.members(run.build, ItemKind.SAMPLE))
    if recipes and limit is not None and limit < questions:
        differences.append(f"at most {limit} questions, before {questions}")
    if not differences:
        return None
    _refuse_in_review(run, differences)
    told = f"{counted(len(rows), 'row')} ({'; '.join(differences)}); their releases stay"
    _logger.warning(
        "build=%s replaces %s. To keep both, stop this run and give the recipe another `name`.", run.build, told
    )
    return told


def tell_leaving(run: Run, kind: ItemKind, selected: Collection[str]) -> None:
    """Rows of the build that are not among the ids that this run makes it consist of, as a warning in the log before
    they leave. Raises ConfigurationError where any of them was pushed to people."""
    before = {member.item_id for member in run.lineage.members(run.build, kind)}
    leaving = before.difference(selected)
    if not leaving:
        return
    _tell_loss(run, leaving)
    counts = (run.build, len(leaving), len(before))
    _logger.warning("build=%s: %d of its %d rows leave it; releases that hold them stay.", *counts)


def _refuse_in_review(run: Run, differences: Sequence[str]) -> None:
    """From the push on: what was judged since the last pull is known to the server alone."""
    reviews = open_reviews(run.settings)
    if not reviews.projects(run.build):
        return
    dealt = read_dealt(reviews, run.build)
    counts = f"{counted(len(dealt.rows), 'row')} dealt, {counted(len(dealt.verdicts), 'verdict')} pulled"
    raise ConfigurationError(
        f"People review build {run.build} ({counts}), and this run would put other rows in their place "
        f"({'; '.join(differences)}): verdicts on rows that leave stay in the lineage, but neither `flawbench review` "
        "nor a release counts them.",
        "Give the recipe another `name`, or repeat what made the build, with at least as many `targets` and questions.",
    )


def _tell_loss(run: Run, leaving: Collection[str]) -> None:
    """Before a push a loss is no more than a warning: nobody has seen a row yet."""
    reviews = open_reviews(run.settings)
    dealt = read_dealt(reviews, run.build)
    lost = dealt.rows.intersection(leaving)
    if not lost:
        return
    if not reviews.projects(run.build):
        told = "build=%s: %d of the %d rows that its review was planned with leave; repeat `flawbench review plan`."
        _logger.warning(told, run.build, len(lost), len(dealt.rows))
        return
    raise ConfigurationError(
        f"People review build {run.build}, and this run would take {len(lost)} of their {len(dealt.rows)} rows out of"
        f" it, {len(lost.intersection(dealt.verdicts))} of them with verdicts that were pulled. The build stays as it "
        "was.",
        "Give the recipe another `name`: no reply is paid twice. Or repeat what made the build: the same sources, "
        "sampling, seed and `--limit`.",
    )


def find_differences(standing: Sequence[Recipe], new: Recipe) -> list[str]:
    """In words, what the recipes that a build is made from have and a new one does not repeat. The first of them is its
    own, the others were added by `inject`."""
    old, found = standing[0], list[str]()
    before, after, had, has = _describe(old), _describe(new), old.shaping(), new.shaping()
    if before != after:
        found.append(f"made by {before}, now by {after}")
    elif had["models"] != has["models"]:
        found.append(f"made by {before} with other settings")
    changed = [name for name in had if name not in _GROWING and had[name] != has[name]]
    if old.premises and new.premises and _without_targets(old.premises) != _without_targets(new.premises):
        changed.append("premises")
    if _without_total(old.sampling) != _without_total(new.sampling):
        changed.append("sampling")
    if changed:
        found.append(f"other {', '.join(changed)}")
    if _wants_fewer(old, new):
        found.append("fewer are wanted now")
    if standing[1:]:
        found.append("some added by `flawbench inject`")
    return found


def _wants_fewer(old: Recipe, new: Recipe) -> bool:
    if _takes_fewer(old.sampling.total, new.sampling.total):
        return True
    if old.premises and new.premises:
        wanted = new.premises.targets
        return any(wanted.get(subtype, 0) < count for subtype, count in old.premises.targets.items())
    return any(new.targets.get(subtype, 0) < count for subtype, count in old.targets.items())


def _takes_fewer(before: int | None, now: int | None) -> bool:
    """None: all that there are."""
    return now is not None and (before is None or now < before)


def _without_total(sampling: SamplingRecipe) -> SamplingRecipe:
    return sampling.model_copy(update={"total": None})


def _without_targets(premises: PremisesRecipe) -> PremisesRecipe:
    return premises.model_copy(update={"targets": {}})


def _describe(recipe: Recipe) -> str:
    return f"{name_makers([recipe])}, {name_panels([recipe])}"
