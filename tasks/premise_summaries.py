"""What a run of premise pairs made, in numbers that fit on a screen."""

from collections.abc import Iterator, Mapping, Sequence

from prefect.artifacts import create_table_artifact

from core.premises import Pairing, Split
from core.records import Record
from core.taxonomy import PremiseSubtype
from export.blindness import Blindness
from storage.funnel import Funnel
from storage.membership import ItemKind
from storage.premises import PremiseFunnel
from tasks.released import Released
from tasks.runs import Run
from tasks.stores import open_ledger
from tasks.summaries import count_answered_by_others


class PremiseSummary(Record):
    """`targets` are those of this run, of each label; `shortages` say in words what the pictures do not give;
    `verified` counts the items that a model of another family looked at. The rest as in `BuildSummary`."""

    build: str
    run: str
    funnel: Funnel
    targets: dict[PremiseSubtype, int]
    pairing: Pairing
    splits: dict[Split, int]
    shortages: tuple[str, ...]
    verified: int
    blindness: Blindness
    lineage: str
    release: str
    example: str | None
    paid_usd: float | None
    maybe_billed_usd: float
    answered_by_others: int = 0
    replaced: str | None


def summarise_premises(run: Run, release: Released, replaced: str | None = None) -> PremiseSummary:
    assert run.recipe.premises is not None
    funnel = run.lineage.funnel(run.build)
    questions = run.lineage.members(run.build, ItemKind.QUESTION)
    ledger = open_ledger(run.settings, run.build) if run.recipe.models else None
    return PremiseSummary(
        build=run.build,
        run=run.place.run_id,
        funnel=funnel,
        targets=run.recipe.premises.targets,
        pairing=run.recipe.premises.pairing,
        splits={split: sum(row.splits[split] for row in funnel.premises) for split in Split},
        shortages=tuple(_find_shortages(funnel.premises, run.recipe.premises.targets)),
        verified=len(run.lineage.premise_validators(run.build)),
        blindness=release.blindness,
        lineage=str(run.settings.lineage_file),
        release=str(release.folder),
        example=questions[0].item_id if questions else None,
        paid_usd=ledger.spent() if ledger else None,
        maybe_billed_usd=ledger.unanswered() if ledger else 0.0,
        answered_by_others=count_answered_by_others(run),
        replaced=replaced,
    )


def _find_shortages(rows: Sequence[PremiseFunnel], targets: Mapping[PremiseSubtype, int]) -> Iterator[str]:
    for row in rows:
        wanted, got = targets.get(row.subtype, 0), min(row.true, row.false)
        if got < wanted:
            lost = row.unverified | row.untaken | row.refused
            reasons = {"show none": row.absent, **{reason.replace("_", " "): count for reason, count in lost.items()}}
            told = ", ".join(f"{reason} {count}" for reason, count in reasons.items() if count)
            yield f"{row.subtype}: {got} of {wanted}: all {row.asked} pictures were asked ({told or 'none left'})"


def publish_premises(summary: PremiseSummary) -> None:
    """A table of the funnel in Prefect's user interface."""
    rows = [
        {
            "subtype": row.subtype,
            "wanted of each label": summary.targets.get(row.subtype, 0),
            "pictures asked": row.asked,
            "show none": row.absent,
            "refused": sum(row.refused.values()),
            "not verified": sum(row.unverified.values()),
            "not taken": sum(row.untaken.values()),
            "true": row.true,
            "false": row.false,
        }
        for row in summary.funnel.premises
    ]
    create_table_artifact(rows, key="premises", description=f"Funnel of the build {summary.build}")
