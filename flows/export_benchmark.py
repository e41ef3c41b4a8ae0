"""The release of a build once more, from what is stored."""

from prefect import flow

from tasks.artifacts import publish_summary
from tasks.exporting import export_release
from tasks.finished import recipes_of
from tasks.runs import open_run
from tasks.summaries import BuildSummary, summarise


@flow(name="export-benchmark", flow_run_name="export {build}", persist_result=False)
def export_benchmark(build: str = "starter", reviewed: bool = False) -> BuildSummary:
    """The release of a build once more. Raises ExportError when there is no such build or nothing in it.

    Args:
        build: name of the build
        reviewed: only rows that people accepted
    """
    with open_run("export-benchmark", build, recipes_of(build).own[0], None) as run:
        summary = summarise(run, export_release(run, accepted_only=reviewed))
        publish_summary(summary)
    return summary
