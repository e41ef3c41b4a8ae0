"""The release of a finished build once more, whichever kind it is."""

from tasks.artifacts import publish_summary
from tasks.exporting import export_release
from tasks.premise_summaries import PremiseSummary, publish_premises, summarise_premises
from tasks.runs import Run
from tasks.summaries import BuildSummary, summarise


def release_again(run: Run, *, accepted_only: bool, gate: bool, rebalance: bool) -> BuildSummary | PremiseSummary:
    """Raises ExportError."""
    released = export_release(run, accepted_only=accepted_only, gate=gate, rebalance=rebalance)
    if run.recipe.premises:
        told = summarise_premises(run, released)
        publish_premises(told)
        return told
    summary = summarise(run, released)
    publish_summary(summary, run)
    return summary
