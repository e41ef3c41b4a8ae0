"""What a run made, in numbers that fit on a screen: returned by the flows, printed by the commands, shown by
Prefect."""

from core.records import Record
from core.taxonomy import Subtype
from export.blindness import Blindness
from export.facts import ReviewFacts
from storage.funnel import Funnel
from storage.membership import ItemKind
from storage.spending import CallFilter
from tasks.refiltering import RuleChange
from tasks.released import Released
from tasks.review_changes import count_seen
from tasks.runs import Run
from tasks.stores import open_ledger


class BuildSummary(Record):
    """`targets` are those of this run; `grown`: the build holds rows of other runs too, so that they say nothing of its
    funnel; `kept` is what a run that joins a build kept, None of other runs; `example` is the id of a candidate, None
    where there is none; `shortfalls` says which strata got fewer questions than the recipe wants and why; `release` is
    the folder of the release, None where none was written; `paid_usd` is what models cost this build in all its runs,
    None where none was asked, and `maybe_billed_usd` what requests without a reply may have cost at most;
    `answered_by_others` counts its calls that another model answered than the one asked;
    `change` is what another rule of the panel did; `replaced` says what stood under the name and is another build;
    `blindness` is what the text of the release tells without its pictures, None where none was written;
    `review` and `rows`, of each subtype, are those of a release of what people accepted alone, else None;
    `seen` rows of the build have a verdict of a person that counts;
    `before_review` is an earlier release, from which a new one differs by verdicts of people alone."""

    build: str
    run: str
    funnel: Funnel
    targets: dict[Subtype, int]
    shortfalls: tuple[str, ...]
    lineage: str
    release: str | None
    example: str | None
    paid_usd: float | None = None
    maybe_billed_usd: float = 0.0
    answered_by_others: int = 0
    change: RuleChange | None = None
    replaced: str | None = None
    blindness: Blindness | None = None
    review: ReviewFacts | None = None
    rows: dict[Subtype, int] | None = None
    seen: int = 0
    before_review: str | None = None
    grown: bool = False
    kept: dict[Subtype, int] | None = None


def summarise(
    run: Run,
    release: Released | None,
    shortfalls: tuple[str, ...] = (),
    *,
    change: RuleChange | None = None,
    replaced: str | None = None,
    kept: dict[Subtype, int] | None = None,
) -> BuildSummary:
    candidates = run.lineage.members(run.build, ItemKind.CANDIDATE)
    ledger = open_ledger(run.settings, run.build) if run.recipe.models else None
    return BuildSummary(
        build=run.build,
        run=run.place.run_id,
        funnel=run.lineage.funnel(run.build),
        targets=run.recipe.targets,
        shortfalls=shortfalls,
        lineage=str(run.settings.lineage_file),
        release=str(release.folder) if release else None,
        example=candidates[0].item_id if candidates else None,
        paid_usd=ledger.spent() if ledger else None,
        maybe_billed_usd=ledger.unanswered() if ledger else 0.0,
        answered_by_others=count_answered_by_others(run),
        change=change,
        replaced=replaced,
        blindness=release.blindness if release else None,
        review=release.review if release else None,
        rows=release.rows if release else None,
        seen=count_seen(run),
        before_review=release.before_review if release else None,
        grown=any(recipe.id != run.recipe.id for recipe in run.lineage.recipes(run.build).own),
        kept=kept,
    )


def count_answered_by_others(run: Run) -> int:
    return run.lineage.calls(CallFilter(build=run.build, other_model=True, most=1)).total if run.recipe.models else 0
