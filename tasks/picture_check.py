"""Whether every model can be shown every picture of the pool, before any money is spent."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from core.errors import ConfigurationError
from models.preflight import used_models
from models.providers.attachments import check_pictures
from tasks.pools import Pool
from tasks.runs import Run


@task(name="check-pictures", cache_policy=NO_CACHE)
def check_pool_pictures(pool: Pool, run: Run) -> None:
    """Raises ConfigurationError that names the question, the picture and the key of the models."""
    if run.recipe.models is None:
        return
    for name, spec in used_models(run.recipe.models).items():
        for sample in pool.samples:
            refused = check_pictures(spec.provider, sample.pictures, spec.scale_pictures_to, run.objects.size)
            if refused:
                raise ConfigurationError(
                    f"Question {sample.source}:{sample.source_id} cannot be shown to {spec.id} (`{name}`): {refused}",
                    f"Set `models.{name}.scale_pictures_to` in {run.recipe.models.file} (--set models.{name}."
                    "scale_pictures_to=2048), or leave that source out.",
                )
