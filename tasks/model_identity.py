"""What shapes the replies of models in one shard, as a hash in its key: a new prompt, example, model or parameter is
new work. Replies are found by their whole request, so even new work asks only for what is really new."""

from pathlib import Path

from core.identity import bytes_hash, content_hash
from core.model_specs import ModelsRecipe
from core.taxonomy import Subtype
from injectors.registry import PROMPT_INJECTORS
from tasks.guard import PROJECT

_INJECTOR_TEXTS = ("injectors/prompts", "injectors/examples")
_FILTER_TEXTS = ("filters/prompts",)


def asks_models(subtype: Subtype, models: ModelsRecipe) -> bool:
    """Whether a model makes this flaw. Edited pictures need an image model; rules make them where there is none."""
    needs_editor = subtype is Subtype.INTER_VISUAL_CONTRADICTION
    return subtype in PROMPT_INJECTORS and not (needs_editor and models.image_editor is None)


def injection_identity(models: ModelsRecipe, generator: str, subtype: Subtype) -> str:
    editor = models.models[models.image_editor].shaping() if models.image_editor else None
    shaping = [models.models[generator].shaping(), editor if subtype is Subtype.INTER_VISUAL_CONTRADICTION else None]
    return content_hash([*shaping, models.few_shot, models.repair_turns, hash_texts(_INJECTOR_TEXTS, subtype.value)])


def rewriting_identity(models: ModelsRecipe) -> str:
    rewriter = models.models[models.rewriter].shaping() if models.rewriter else None
    texts = hash_texts(_INJECTOR_TEXTS, "source_rewriting")
    return content_hash([rewriter, models.few_shot, models.repair_turns, texts])


def panel_identity(models: ModelsRecipe) -> str:
    asked = [*models.panel.validators, *models.panel.reserve]
    validators = {name: models.models[name].shaping() | {"family": models.models[name].family} for name in asked}
    return content_hash([models.panel, validators, models.repair_turns, hash_texts(_FILTER_TEXTS, "")])


def hash_texts(folders: tuple[str, ...], stem: str) -> dict[str, str]:
    """Hashes of the files whose names begin so, by path."""
    files = sorted(path for folder in folders for path in (PROJECT / folder).glob(f"{stem}*") if path.is_file())
    return {_name(path): bytes_hash(path.read_bytes()) for path in files}


def _name(path: Path) -> str:
    return path.relative_to(PROJECT).as_posix()
