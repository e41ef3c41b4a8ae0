"""Run in a copy of the project: breaks each prompt file in turn, and prints those that the check of a run's start lets
pass. Prompts are kept once they are read, so each is looked at by a child of its own."""

import os
import sys
from pathlib import Path

from core.errors import ConfigurationError
from core.model_specs import load_models, override
from core.recipe import Recipe, load_recipe
from tasks.prompt_check import check_premise_prompts, check_prompts

FOLDERS = ("injectors/prompts", "injectors/premise/prompts", "filters/prompts")


def recipes() -> list[Recipe]:
    """All that there is a prompt for."""
    changes = ("rewriter=gpt", "panel.show_original=true", "models.gpt.provider=openai")
    models = override(load_models("mmpcbench"), changes)
    flaws = load_recipe("starter", with_models=False).model_copy(update={"models": models})
    pairs = load_recipe("premises", with_models=False).model_copy(update={"models": models})
    assert pairs.premises
    alone = pairs.premises.model_validate({**pairs.premises.model_dump(), "pairing": "independent"})
    return [flaws, pairs, pairs.model_copy(update={"premises": alone})]


def check(wanted: list[Recipe], path: Path) -> bool:
    """Whether an error names the file."""
    try:
        for recipe in wanted:
            check_prompts(recipe)
            check_premise_prompts(recipe)
    except ConfigurationError as error:
        return str(path) in error.message
    return False


def main() -> None:
    wanted = recipes()
    for path in sorted(file.resolve() for folder in FOLDERS for file in Path(folder).glob("*.md")):
        text = path.read_text(encoding="utf-8")
        broken = text.replace("{{ ", "{{ no_", 1) if "{{ " in text else text.replace("## ", "## no_")
        assert broken != text
        path.write_text(broken, encoding="utf-8")
        child = os.fork()
        if not child:
            os._exit(0 if check(wanted, path) else 1)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        path.write_text(text, encoding="utf-8")
        sys.stdout.write(f"{path.name} {'told' if status == 0 else 'missed'}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
