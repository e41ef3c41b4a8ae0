"""Prompts are files, `prompts/<name>.v<N>.md` beside the module that uses them. A published version is never edited: a
new wording is a new file. Rendering is strict: a missing or unused variable is an error before a call is paid for."""

import re
from pathlib import Path
from typing import NamedTuple

from core.errors import ConfigurationError
from core.identity import bytes_hash

_SLOT = re.compile(r"\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}")
_SECTION = re.compile(r"^## (\w+)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
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
        named = set(_SLOT.findall(self.text))
        told = [f"lacks the variable `{name}`" for name in sorted(values.keys() - named)]
        told += [f"holds the variable `{name}`, for which there is nothing" for name in sorted(named - values.keys())]
        if told:
            given = ", ".join(f"`{{{{ {name} }}}}`" for name in sorted(values)) or "no variable"
            raise self._unfit(" and ".join(told), f"Put {given} and nothing else in double braces there.")
        return _SLOT.sub(lambda match: values[match[1]], self.text)

    def split(self, mark: str) -> tuple[str, str]:
        """What stands before and after the mark. Raises ConfigurationError unless it is there once."""
        parts = self.text.split(mark)
        if len(parts) != 2:
            raise self._unfit(f"holds the line `{mark.strip()}` {len(parts) - 1} times", "Put it there once.")
        return parts[0], parts[1]

    def section(self, name: str) -> str:
        """The text below the heading `## name`. Raises ConfigurationError where there is none."""
        found = dict(_SECTION.findall(self.text)).get(name, "").strip()
        if not found:
            raise self._unfit(f"lacks the section `## {name}`", "Put that line and the text below it there.")
        return found

    def _unfit(self, fault: str, fix: str) -> ConfigurationError:
        where = f" in {self.file}" if self.file else ""
        return ConfigurationError(f"Prompt {self.reference}{where} {fault}.", fix)


def load_prompt(folder: Path, name: str, version: int) -> Prompt:
    """Raises ConfigurationError when there is no such file, and when it cannot be read."""
    path = folder / f"{name}.v{version}.md"
    if not path.is_file():
        known = sorted(found.stem for found in folder.glob("*.v*.md"))
        raise ConfigurationError(
            f"There is no prompt {name}@{version} in {folder}.",
            f"Use one of: {', '.join(known) or 'none there'}.",
        )
    try:
        return Prompt(name, version, path.read_text(encoding="utf-8"), path)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"Prompt {path} cannot be read: {error}.", "Write it as UTF-8, readable.") from error


def fence(label: str, text: str) -> str:
    """Untrusted text between delimiters that it cannot close itself."""
    safe = text.replace("<<<", "‹‹‹").replace(">>>", "›››")
    return f"{_FENCE.format(label)}\n{safe}\n{_FENCE.format('end ' + label)}"
