"""The labelling screen as Label Studio takes it. Pictures, the criteria that are asked and the first verdicts are lists
in the task, so one configuration serves all items of a project."""

import re
from functools import cache
from pathlib import Path

from annotation.screen.escaping import escape
from annotation.screen.texts import texts_in
from core.prompts import Prompt
from core.records import Language

_FOLDER = Path(__file__).parent
_COMMENT = re.compile(r"/\*.*?\*/\s*", re.DOTALL)


@cache
def render_config(language: Language) -> str:
    """`language` is that of the annotator: the words inside an item are in the item's own."""
    labels = {name: escape(text) for name, text in texts_in(language).labels.items()}
    style = _COMMENT.sub("", (_FOLDER / "style.css").read_text(encoding="utf-8"))
    template = Prompt("label_config", 1, (_FOLDER / "label_config.xml").read_text(encoding="utf-8"))
    return template.render(style=style.strip(), **labels).strip()
