"""Prompts are files, `prompts/<name>.v<N>.md` beside the module that uses them. A published version is never edited: a
new wording is a new file. Rendering is strict: a missing or unused variable is an error before a call is paid for."""

import re
from pathlib import Path
from typing import NamedTuple

from core.errors import ConfigurationError
from core.identity import bytes_hash

_SLOT = re.compile(r"\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}")
_FENCE = "<<<{}>>>"


class Prompt(NamedTuple):
    name: str
    version: int
    text: str
    file: Path | None = None

    @property
    def hash(self) -> str:
        return bytes_hash(self.text.encode())

    @property
    def reference(self) -> str:
        return f"{self.name}@{self.version}"

    def render(self, **values: str) -> str:
        """The text with every `{{ name }}` replaced. Values are not rendered again.

        Raises ConfigurationError when the names given and the names in the text differ."""
        wanted = set(_SLOT.findall(self.text))
        if wanted != values.keys():
            raise ConfigurationError(
                f"Prompt {self.reference}{f' in {self.file}' if self.file else ''} takes {sorted(wanted)} but was given"
                f" {sorted(values)}.",
                "Put exactly these variables, as `{{ name }}`, into the prompt file.",
            )
        return _SLOT.sub(lambda match: values[match[1]], self.text)


def load_prompt(folder: Path, name: str, version: int) -> Prompt:
    """Raises ConfigurationError when there is no such file."""
    path = folder / f"{name}.v{version}.md"
    if not path.is_file():
        known = sorted(found.stem for found in folder.glob("*.v*.md"))
        raise ConfigurationError(
            f"There is no prompt {name}@{version} in {folder}.",
            f"Use one of: {', '.join(known) or 'none there'}.",
        )
    return Prompt(name, version, path.read_text(encoding="utf-8"), path)


def fence(label: str, text: str) -> str:
    """Untrusted text between delimiters that it cannot close itself."""
    safe = text.replace("<<<", "‹‹‹").replace(">>>", "›››")
    return f"{_FENCE.format(label)}\n{safe}\n{_FENCE.format('end ' + label)}"
