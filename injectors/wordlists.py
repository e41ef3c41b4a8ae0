"""Word lists that ship beside the injectors as YAML: long lists in code hide the rules that use them."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

_FOLDER = Path(__file__).resolve().parent


@cache
def word_list(name: str) -> dict[str, Any]:
    """The content of `<name>.yaml` in this folder. What is returned is shared: nobody changes it."""
    return yaml.safe_load((_FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))
