"""What shapes the replies in one shard of premise pairs, as a hash in its key; see `tasks.model_identity`."""

from core.identity import content_hash
from core.model_specs import ModelsRecipe
from core.taxonomy import PremiseSubtype
from tasks.model_identity import hash_texts, panel_identity


def premise_identity(models: ModelsRecipe, generator: str, subtype: PremiseSubtype) -> str:
    writer = models.models[models.question_writer or generator].shaping()
    made = [models.models[generator].shaping(), writer, models.few_shot, models.repair_turns]
    panel = panel_identity(models) if models.panel.validators else ""
    return content_hash([*made, subtype, _texts(), panel])


def answer_identity(models: ModelsRecipe, teacher: str) -> str:
    return content_hash([models.models[teacher].shaping(), models.few_shot, models.repair_turns, _texts()])


def rules_identity() -> str:
    return content_hash(_texts())


def _texts() -> dict[str, str]:
    """Prompts, examples, word lists and the premises on file, which serve all subtypes."""
    return {
        **hash_texts(("injectors/premise/prompts", "injectors/premise/examples"), ""),
        **hash_texts(("injectors/premise",), "synonyms"),
        **hash_texts(("starter",), "premises"),
    }
