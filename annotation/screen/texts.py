"""The texts of the screen in both languages, checked when they are read: a subtype without a text would be an empty
card in front of an annotator."""

from functools import cache
from pathlib import Path

from pydantic import TypeAdapter

from core.records import Language, Record
from core.taxonomy import DEFINITIONS, PrimaryType, Subtype
from core.yaml_files import read_yaml_mapping

_FILE = Path(__file__).parent / "texts.yaml"


class TypeText(Record):
    """`definition` is None where that of the taxonomy holds."""

    name: str
    definition: str | None = None
    example: str


class Texts(Record):
    labels: dict[str, str]
    words: dict[str, str]
    primary: dict[PrimaryType, str]
    types: dict[Subtype, TypeText]


@cache
def texts_in(language: Language) -> Texts:
    return _read()[language]


def definition_of(subtype: Subtype, language: Language) -> str:
    return texts_in(language).types[subtype].definition or DEFINITIONS[subtype].definition


@cache
def _read() -> dict[Language, Texts]:
    return TypeAdapter(dict[Language, Texts]).validate_python(read_yaml_mapping(_FILE))
