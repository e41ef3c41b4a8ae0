"""The configuration of the screen as a file."""

from xml.etree import ElementTree

import pytest

from annotation.screen.config import render_config
from core.records import Language
from core.review import Judged


@pytest.mark.parametrize("language", Language)
def test_the_configuration_is_xml_with_the_controls_whose_results_are_read(language: Language) -> None:
    root = ElementTree.fromstring(render_config(language))
    names = {tag.get("name") for tag in root.iter() if tag.tag in ("Choices", "TextArea")}
    assert names == {
        "type_compliance",
        "type_compliance_reason",
        "unanswerability",
        "unanswerability_reason",
        "problem",
    }
    for criterion in ("type_compliance", "unanswerability"):
        choices = next(tag for tag in root.iter("Choices") if tag.get("name") == criterion)
        assert [choice.get("alias") for choice in choices] == list(Judged)
        assert choices.get("required") == "true"


def test_every_key_does_one_thing() -> None:
    keys = [
        tag.get("hotkey") for tag in ElementTree.fromstring(render_config(Language.ENGLISH)).iter() if tag.get("hotkey")
    ]
    assert len(keys) == len(set(keys)) == 9


def test_the_style_has_nothing_that_the_server_would_escape() -> None:
    style = ElementTree.fromstring(render_config(Language.ENGLISH)).findtext("Style") or ""
    assert ".judge" in style
    assert not set("<>&") & set(style)
