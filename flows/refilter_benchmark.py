"""Another rule of the panel over the votes that are stored, and the release that follows from it."""

from prefect import flow

from core.votes import Rule
from tasks.artifacts import publish_summary
from tasks.exporting import export_release
from tasks.finished import recipes_of, with_rule
from tasks.refiltering import refilter
from tasks.runs import open_run
from tasks.summaries import BuildSummary, summarise


@flow(name="refilter-benchmark", flow_run_name="refilter {build} by {rule}", persist_result=False)
def refilter_benchmark(build: str, rule: Rule = "all") -> BuildSummary:
    """Decides from the stored votes who passes; no model is asked. Raises StorageError for a build without votes.

    Args:
        build: name of the build
        rule: `all` validators must pass a candidate, `any` one of them, or the `majority`
    """
    recipes = with_rule(recipes_of(build).own, rule)
    with open_run("refilter-benchmark", build, recipes[0], None, asks_models=False) as run:
        change = refilter(rule, recipes, run)
        summary = summarise(run, export_release(run), change=change)
        publish_summary(summary, run)
    return summary
