"""YAML as people write it: a key that stands twice is a mistake and not a later correction, and what two versions of
YAML read as two numbers is none."""

import re
from collections.abc import Hashable
from pathlib import Path

import yaml

from core.errors import ConfigurationError

_UNREADABLE = (OSError, ValueError, AttributeError, KeyError, TypeError, OverflowError, RecursionError, yaml.YAMLError)


_NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
_TWO_NUMBERS = re.compile(r"[-+]?0[0-9_]+|.*:.*")  # 010 is 8 or 10, 1:30 is 90 or no number
_WITH_EXPONENT = re.compile(r"[-+]?[0-9]+[eE][-+]?[0-9]+")  # 1e3 and 1e-05: a text in YAML 1.1


class _StrictLoader(yaml.SafeLoader):
    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, object]:
        keys = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        for key in keys:
            if keys.count(key) > 1:
                raise yaml.MarkedYAMLError(problem=f"the key {key!r} stands twice", problem_mark=node.start_mark)
        found = super().construct_mapping(node, deep)
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and not isinstance(self.construct_object(key), str):
                problem = f"the key {key.value!r} is no text to YAML: write it in quotes"
                raise yaml.MarkedYAMLError(problem=problem, problem_mark=key.start_mark)
        return found

    def construct_number(self, node: yaml.ScalarNode) -> int | float:
        if _TWO_NUMBERS.fullmatch(node.value):
            problem = f"{node.value} is not the same number in all versions of YAML: write it plainly, or in quotes"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=node.start_mark)
        return self.construct_yaml_int(node) if node.tag == _NUMBERS[0] else self.construct_yaml_float(node)


for _tag in _NUMBERS:
    _StrictLoader.add_constructor(_tag, _StrictLoader.construct_number)
_StrictLoader.add_implicit_resolver(_NUMBERS[1], _WITH_EXPONENT, list("-+0123456789"))


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
