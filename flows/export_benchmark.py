"""The release of a build once more, from what is stored."""

from prefect import flow

from tasks.finished import recipes_of
from tasks.premise_summaries import PremiseSummary
from tasks.releasing import release_again
from tasks.runs import open_run
from tasks.summaries import BuildSummary


@flow(name="export-benchmark", flow_run_name="export {build}", persist_result=False)
def export_benchmark(
    build: str = "starter", reviewed: bool = False, gate: bool = False, rebalance: bool = False
) -> BuildSummary | PremiseSummary:
    """The release of a build once more. Raises ExportError when there is no such build or nothing in it.

    Args:
        build: name of the build
        reviewed: only rows that people accepted
        gate: fail where the text alone tells which questions are flawed; premise pairs always do
        rebalance: leave out the fewest rows that let the text tell it no longer
    """
    with open_run("export-benchmark", build, recipes_of(build).own[0], None, asks_models=False) as run:
        return release_again(run, accepted_only=reviewed, gate=gate, rebalance=rebalance)
