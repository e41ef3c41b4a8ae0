"""The results of a run where people look at it: as artifacts in Prefect's user interface."""

from collections.abc import Mapping

from prefect.artifacts import create_markdown_artifact, create_table_artifact

from core.counting import counted
from core.taxonomy import primary_type
from storage.funnel import SubtypeFunnel
from tasks.runs import Run
from tasks.summaries import BuildSummary


def publish_summary(summary: BuildSummary, run: Run) -> None:
    """A table of the funnel, by source and subtype, and a page on the composition of the build."""
    rows = [
        _row(source.source, row, summary)
        for source in summary.funnel.sources
        for row in run.lineage.funnel(run.build, source.source).subtypes
    ]
    create_table_artifact(rows, key="funnel", description=f"Funnel of the build {summary.build}")
    create_markdown_artifact(_page(summary), key="composition", description=f"The build {summary.build}")


def _row(source: str, row: SubtypeFunnel, summary: BuildSummary) -> dict[str, object]:
    """`wanted` is that of all sources together, and is not there where it is not known of the whole build."""
    wanted = {} if summary.grown else {"wanted": summary.targets.get(row.subtype, 0)}
    return {
        "source": source,
        "type": primary_type(row.subtype),
        "subtype": row.subtype,
        **wanted,
        "tried": row.attempted,
        "refused": _reasons(row.rejected),
        "made": row.injected,
        "dropped": _reasons(row.dropped),
        "votes": row.votes,
        "not passed": _reasons(row.unpassed),
        "not selected": _reasons(row.unselected | ({"enough had passed": row.unjudged} if row.unjudged else {})),
        "in build": row.selected,
        "valid twins": row.valid_twins,
    }


def _reasons(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{reason} {count}" for reason, count in sorted(counts.items()))


def _page(summary: BuildSummary) -> str:
    lines = [f"# {summary.build}", ""]
    lines += [f"- {row.subtype}: {row.selected}" for row in summary.funnel.subtypes]
    lines += ["", f"Release: `{summary.release}`" if summary.release else "No release written.", ""]
    lines += [
        f"- {row.source}: {counted(row.sampled, 'question')} of {counted(row.read, 'row')}"
        for row in summary.funnel.sources
    ]
    lines += ["", *(f"- short of {shortfall}" for shortfall in summary.shortfalls)]
    return "\n".join(lines)
