"""The data set card of premise pairs. Every figure is counted on the rows that are written."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from core.prompts import load_prompt
from core.recipe import Recipe
from core.taxonomy import PREMISES, PremiseSubtype
from export.card_head import render_head
from export.composition import describe_blindness, make_table, tabulate_columns, tabulate_funnel, tabulate_licences
from export.facts import ReleaseFacts
from export.premise_dataset import COLUMNS
from export.premise_rows import NOT_VERIFIED, TRAIN, PremiseRow
from export.roles import list_roles

TEMPLATES = Path(__file__).parent / "templates"
TAGS = ("benchmark", "multimodal", "false-premise", "judge-before-answer", "flawbench")
_LIMITS = (
    "No human has reviewed the rows.",
    "Both questions of a pair are about one picture. Group by `pair_id` before you compute an interval.",
    "Keep the rows of `test`, and their pictures, out of training sets.",
)


def render_premise_card(
    facts: ReleaseFacts, rows: Sequence[PremiseRow], configs: Mapping[str, tuple[str, Sequence[str]]]
) -> str:
    """Markdown with a YAML head; the same rows and facts give the same text."""
    return load_prompt(TEMPLATES, "premise_card", 1).render(
        head=render_head(facts, rows, TAGS, configs),
        title=facts.build,
        summary=_summarise(rows),
        columns=tabulate_columns(COLUMNS),
        questions=_tabulate_questions(rows),
        blindness=describe_blindness(facts.blindness),
        licence=facts.recipe.export.licence,
        licences=tabulate_licences(rows),
        making=make_table(("What", "Value"), _describe_making(facts, rows)),
        funnel=tabulate_funnel(facts.funnel),
        limits="\n".join(f"- {limit}" for limit in (*_LIMITS, *_describe_verification(rows))),
    )


def _summarise(rows: Sequence[PremiseRow]) -> str:
    pictures = len({row.images[0].sha256 for row in rows})
    pairs = len({row.pair_id for row in rows if row.pair_id})
    matched = f", {pairs:,} matched pairs that differ in one place" if pairs else ""
    return (
        f"Questions with a true or a false premise about pictures (after Judge Before Answer): {len(rows):,} about "
        f"{pictures:,} pictures{matched}."
    )


def _tabulate_questions(rows: Sequence[PremiseRow]) -> str:
    counts = Counter((row.subtype, row.label) for row in rows)
    placed = Counter((row.subtype, row.stage or row.split) for row in rows)
    names = ("test", "sft", "grpo")
    return make_table(
        ("Level", "Subtype", "In Judge Before Answer", "True", "False", *(f"`{name}`" for name in names)),
        (
            (
                PREMISES[subtype].level,
                f"`{subtype}`",
                PREMISES[subtype].alias,
                f"{counts[subtype, True]:,}",
                f"{counts[subtype, False]:,}",
                *(f"{placed[subtype, name]:,}" for name in names),
            )
            for subtype in PremiseSubtype
        ),
    )


def _describe_making(facts: ReleaseFacts, rows: Sequence[PremiseRow]) -> Iterator[tuple[str, str]]:
    recipe = facts.recipe
    yield "recipe", f"`{recipe.name}` (`{recipe.id}`)"
    yield "seed", str(recipe.seed)
    yield "code", f"commit `{facts.code_commit}`"
    yield from _describe_premises(recipe)
    yield "questions made by", ", ".join(sorted({f"`{row.generator}`" for row in rows}))
    if recipe.models:
        yield from list_roles(recipe.models)
    if facts.prompts:
        yield "prompts", ", ".join(f"`{prompt}`" for prompt in facts.prompts)
    yield "whole recipe, file hashes, library versions", "`manifest.json`"


def _describe_premises(recipe: Recipe) -> Iterator[tuple[str, str]]:
    if recipe.premises is None:
        return
    wanted = ((subtype, recipe.premises.targets.get(subtype)) for subtype in PremiseSubtype)
    yield "questions wanted of each label", ", ".join(f"{subtype} {count}" for subtype, count in wanted if count)
    yield "pairing", f"`{recipe.premises.pairing}`"
    yield "shares", f"test {recipe.premises.test_share:.0%}; of training, grpo {recipe.premises.grpo_share:.0%}"


def _describe_verification(rows: Sequence[PremiseRow]) -> Iterator[str]:
    unseen = sum(row.verified == NOT_VERIFIED for row in rows)
    if unseen:
        yield (
            f"`verified: {NOT_VERIFIED}`: no model of another family was asked whether the picture shows the premise "
            f"of {unseen:,} of the {len(rows):,} questions."
        )
    if any(row.split == TRAIN for row in rows) and {row.generator for row in rows} == {"rules"}:
        yield "Where `generator` is `rules`, premises and targets were written by hand or by fixed patterns."
