"""Both languages have every text."""

import re

from annotation.screen.texts import definition_of, texts_in
from core.records import Language
from core.taxonomy import DEFINITIONS, PrimaryType, Subtype

_CHINESE = re.compile(r"[一-鿿]")


def test_both_languages_have_the_same_keys_and_every_type() -> None:
    english, chinese = (texts_in(language) for language in Language)
    assert english.labels.keys() == chinese.labels.keys()
    assert english.words.keys() == chinese.words.keys()
    for texts in (english, chinese):
        assert set(texts.types) == set(Subtype)
        assert set(texts.primary) == set(PrimaryType)


def test_english_definitions_are_those_of_the_taxonomy_and_chinese_ones_are_written() -> None:
    for subtype in Subtype:
        assert definition_of(subtype, Language.ENGLISH) == DEFINITIONS[subtype].definition
        assert _CHINESE.search(definition_of(subtype, Language.CHINESE))
        assert _CHINESE.search(texts_in(Language.CHINESE).types[subtype].example)
