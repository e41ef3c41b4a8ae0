"""The results of a run where people look at it: as artifacts in Prefect's user interface."""

from prefect.artifacts import create_markdown_artifact, create_table_artifact

from core.taxonomy import primary_type
from tasks.summaries import BuildSummary


def publish_summary(summary: BuildSummary) -> None:
    """A table of the funnel and a page on the composition of the build."""
    rows = [
        {
            "type": primary_type(row.subtype),
            "subtype": row.subtype,
            "wanted": summary.targets.get(row.subtype, 0),
            "tried": row.attempted,
            "refused": sum(row.rejected.values()),
            "made": row.injected,
            "dropped": sum(row.dropped.values()),
            "not passed": sum(row.unpassed.values()),
            "not selected": sum(row.unselected.values()) + row.unjudged,
            "in build": row.selected,
            "valid twins": row.valid_twins,
        }
        for row in summary.funnel.subtypes
    ]
    create_table_artifact(rows, key="funnel", description=f"Funnel of the build {summary.build}")
    create_markdown_artifact(_page(summary), key="composition", description=f"The build {summary.build}")


def _page(summary: BuildSummary) -> str:
    lines = [f"# {summary.build}", ""]
    lines += [f"- {row.subtype}: {row.selected}" for row in summary.funnel.subtypes]
    lines += ["", f"Release: `{summary.release}`" if summary.release else "No release written.", ""]
    lines += [f"- {row.source}: {row.sampled} questions of {row.read} rows" for row in summary.funnel.sources]
    lines += ["", *(f"- short of {shortfall}" for shortfall in summary.shortfalls)]
    return "\n".join(lines)
