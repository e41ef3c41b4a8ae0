"""YAML as people write it: a key that stands twice is a mistake and not a later correction."""

from collections.abc import Hashable
from pathlib import Path

import yaml

from core.errors import ConfigurationError

_UNREADABLE = (OSError, ValueError, AttributeError, KeyError, TypeError, OverflowError, RecursionError, yaml.YAMLError)


class _StrictLoader(yaml.SafeLoader):
    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, object]:
        keys = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        for key in keys:
            if keys.count(key) > 1:
                raise yaml.MarkedYAMLError(problem=f"the key {key!r} stands twice", problem_mark=node.start_mark)
        return super().construct_mapping(node, deep)


def read_yaml_mapping(path: Path) -> dict[object, object]:
    """Raises ConfigurationError for a file that cannot be read, is no YAML, or holds no mapping.

    PyYAML's own constructors raise many kinds of errors for odd values (`2020-99-99`, `!!int abc`)."""
    try:
        content: object = yaml.load(path.read_text(encoding="utf-8-sig"), _StrictLoader)  # a safe loader
    except _UNREADABLE as error:
        raise ConfigurationError(f"{path} cannot be read: {_one_line(error)}.", "Mend the file.") from error
    if not isinstance(content, dict):
        raise ConfigurationError(f"{path} holds no keys.", "See recipes/README.md for every key.")
    return content


def parse_yaml_value(text: str, key: str) -> object:
    """One value as it would stand behind the key. Raises ConfigurationError that does not repeat it."""
    try:
        value: object = yaml.load(text, _StrictLoader)
    except _UNREADABLE as error:
        raise ConfigurationError(f"`{key}` gets no value: {_one_line(error)}.", "Write it as in YAML.") from None
    return value


def is_file(path: Path) -> bool:
    """Also for what no file can be called."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _one_line(error: BaseException) -> str:
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        return f"line {error.problem_mark.line + 1}: {error.problem or error.context}"
    return (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
