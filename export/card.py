"""The data set card: README.md of a release, with the head that the Hub reads. Every figure is counted on the rows that
are written, nothing is typed in."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from core.prompts import load_prompt
from core.recipe import Recipe
from core.taxonomy import Subtype
from export.card_head import render_head
from export.composition import (
    count_by,
    describe_blindness,
    make_table,
    tabulate_columns,
    tabulate_flaws,
    tabulate_funnel,
    tabulate_licences,
)
from export.dataset import COLUMNS
from export.facts import NO_PANEL, ReleaseFacts, ReviewFacts
from export.roles import list_roles
from export.rows import ReleaseRow, Review

TEMPLATES = Path(__file__).parent / "templates"
SPLITS = ("test", "twins")
TAGS = ("benchmark", "multimodal", "flawed-input", "false-premise", "missing-premise", "contradiction", "flawbench")
_NO_PANEL_LIMIT = (
    f"`panel: {NO_PANEL}`: no model has checked that a row shows its subtype and is unanswerable. Programmatic filters "
    "alone have: that the row changed as its record says and in nothing else, that options, picture tokens and "
    "languages hold, that pictures decode and damaged shares lie in their range."
)
_FURTHER = (
    "Rows of other runs are in this release too: runs that added to the build, or made the rows that got a second flaw."
)
_LIMITS = (
    "Where `generator` is `rules`, text flaws come from fixed patterns: each is true of its question, but the wording "
    "varies little, and a model could learn the patterns.",
    "Light, medium and severe say how much of the salient region was damaged, by construction. They do not say how "
    "hard the row is.",
    "The rows are test data. Keep them, and the sources they come from, out of training sets.",
    "A question can be the parent of several rows. Group by `pair_id` before you compute an interval.",
    "Subjects and the places where a flaw can be seen (`region`) follow this project's own assignment.",
)


def render_card(facts: ReleaseFacts, test: Sequence[ReleaseRow], twins: Sequence[ReleaseRow]) -> str:
    """Markdown with a YAML head; the same rows and facts give the same text."""
    rows = (*test, *twins)
    return load_prompt(TEMPLATES, "card", 2).render(
        head=render_head(facts, rows, TAGS, {"default": ("data", SPLITS)}),
        title=facts.build,
        summary=_summarise(test, twins),
        columns=tabulate_columns(COLUMNS),
        flaws=tabulate_flaws(test, twins),
        composition=_compose(test, twins),
        blindness=describe_blindness(facts.blindness),
        licence=facts.recipe.export.licence,
        licences=tabulate_licences(rows),
        making=_describe_making(facts, test),
        funnel=tabulate_funnel(facts.funnel),
        limits="\n".join(f"- {limit}" for limit in (_describe_panel(facts.panel), _tell_judged(test), *_LIMITS)),
    )


def _summarise(test: Sequence[ReleaseRow], twins: Sequence[ReleaseRow]) -> str:
    subtypes = len({row.subtype for row in test})
    return (
        f"A benchmark of flawed multimodal inputs: {len(test):,} questions with a flaw of {subtypes} "
        f"{'kind' if subtypes == 1 else 'kinds'}, made from {len(twins):,} unmodified questions. It measures whether a "
        "model notices that a question is broken, says what is wrong and helps the user on, instead of answering."
    )


def _compose(test: Sequence[ReleaseRow], twins: Sequence[ReleaseRow]) -> str:
    tables = (
        count_by("Subject", test, twins, lambda row: row.subject),
        count_by("Language", test, twins, lambda row: row.language),
        count_by("Source", test, twins, lambda row: row.source),
        count_by("Pictures", test, twins, lambda row: str(len(row.images))),
    )
    return "\n\n".join(tables)


def _describe_making(facts: ReleaseFacts, test: Sequence[ReleaseRow]) -> str:
    generators = ", ".join(sorted({f"`{row.generator}`" for row in test if row.generator}))
    whole = make_table(
        ("What", "Value"),
        (
            *_describe_recipe(facts.recipe),
            ("code", f"commit `{facts.code_commit}`"),
            ("flaws made by", generators),
            ("checked by the model panel", f"`{facts.panel}`"),
            *(_describe_review(facts.review, test) if facts.review else [("judged by people", "none")]),
            *([("prompts", ", ".join(f"`{prompt}`" for prompt in facts.prompts))] if facts.prompts else ()),
            ("whole recipe, file hashes, library versions", "`manifest.json`"),
        ),
    )
    further = [make_table(("Further recipe", "Value"), _describe_recipe(recipe)) for recipe in facts.further]
    return "\n\n".join([whole, *([_FURTHER] if further else []), *further])


def _describe_recipe(recipe: Recipe) -> Iterator[tuple[str, str]]:
    yield "recipe", f"`{recipe.name}` (`{recipe.id}`)"
    yield "seed", str(recipe.seed)
    wanted = ((subtype, recipe.targets.get(subtype)) for subtype in Subtype)
    yield "rows wanted", ", ".join(f"{subtype} {count}" for subtype, count in wanted if count)
    if recipe.models:
        yield from list_roles(recipe.models)
    else:
        yield "models", "none: rules made its flaws"


def _tell_judged(test: Sequence[ReleaseRow]) -> str:
    judged = _count_decided(test)
    if not judged:
        return "No human has reviewed the rows."
    whole = "Each row was" if judged == len(test) else f"{judged:,} of {len(test):,} rows were"
    rest = "" if judged == len(test) else " The others are decided by no human (`review` is `open` or `none`)."
    return (
        f"{whole} judged by people on two points alone: that the flaw is of its type, and that the question is "
        f"unanswerable. Wording, sources and twins were not reviewed.{rest}"
    )


def _count_decided(test: Sequence[ReleaseRow]) -> int:
    """Rows on which people's verdicts came to something, not those that are only planned to be seen."""
    return sum(row.review in (Review.ACCEPTED, Review.REJECTED, Review.UNDECIDED) for row in test)


def _describe_review(review: ReviewFacts, test: Sequence[ReleaseRow]) -> Iterator[tuple[str, str]]:
    decided, seen = _count_decided(test), sum(bool(row.annotations) for row in test)
    begun = f", {seen - decided} more begun" if seen > decided else ""
    yield (
        "judged by people",
        f"{decided} of {len(test)} rows decided{begun}; {review.overlap} of {review.annotators} judge each, blind; "
        "where they disagree a further one decides or, where nobody is left, the majority",
    )
    counts = f"{review.accepted} accepted, {review.rejected} rejected, {review.undecided} undecided, {review.open} open"
    left_out = "; only the accepted are here" if review.accepted_only else ""
    yield (
        "their outcome",
        f"{review.items} items: {counts}{left_out}",
    )
    for criterion in review.kappa:
        figures = (("agreement", review.agreement), ("kappa", review.kappa), ("alpha", review.alpha))
        told = ", ".join(f"{name} {_figure(values[criterion])}" for name, values in figures)
        yield (
            f"first round, {criterion.replace('_', ' ')}",
            f"{told}, on {review.paired[criterion]} items that two or more judged",
        )


def _figure(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.2f}"


def _describe_panel(panel: str) -> str:
    if panel == NO_PANEL:
        return f"{_NO_PANEL_LIMIT}\n- That a twin can be answered is taken from its source and not checked again."
    return (
        f"Rows were checked by model panels ({panel}); the column `panel` says by which, `{NO_PANEL}` where none did. "
        "A twin that validators judged is published only when both call it valid."
    )
