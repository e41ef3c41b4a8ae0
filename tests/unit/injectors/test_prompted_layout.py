"""How a question and its examples stand in a proposal."""

import random
from itertools import pairwise
from pathlib import Path

import pytest

from core.calls import Role
from core.errors import ConfigurationError
from core.records import Language, Picture, Sample, Subject
from injectors.base import PromptContext
from injectors.prompted.examples import draw_examples
from injectors.prompted.layout import PROMPTS_FOLDER, Asking, make_proposal, show_examples, show_question
from injectors.prompted.replies import AmbiguityReply

PICTURES = tuple(Picture(sha256=str(n) * 64, media_type="image/png", width=20, height=20) for n in range(5))
ASKING = Asking("ambiguity", 1, Role.GENERATOR, AmbiguityReply)
TEXTS = {"definition": "d", "language": "English"}


def _sample(pictures: int = 0, **texts: str | None) -> Sample:
    given: dict[str, str | None] = {"context": "c", "query": "q"} | texts
    return Sample(
        source="test", source_id="1", context=given["context"], query=given["query"], options=("<image 2>", "x"),
        pictures=PICTURES[:pictures], subject=Subject.PHYSICS, language=Language.ENGLISH, licence="CC0-1.0",
        attribution="test",
    )  # fmt: skip


def _shown(sample: Sample) -> list[str]:
    return [part if isinstance(part, str) else part.sha256[0] for part in show_question(sample)]


def test_pictures_stand_behind_the_text_that_names_them_first() -> None:
    sample = _sample(4, context="See <image 3>.", query="What of <image 3> and <image 1>?")
    assert [part for part in _shown(sample) if len(part) == 1 and part.isdigit()] == ["3", "2", "0", "1"]
    words = "".join(_shown(sample))
    places = [words.index(text) for text in ("<image 4>:", "<<<context>>>", "<image 3>:", "<<<query>>>", "<image 1>:")]
    assert places == sorted(places)
    assert words.index("<<<options>>>") < words.index("<image 2>:")


def test_an_absent_part_is_said_to_be_absent() -> None:
    words = "".join(_shown(_sample(context=None)))
    assert "The question has no context." in words
    assert "<<<context>>>" not in words


def test_a_token_without_a_picture_shows_none() -> None:
    assert all(isinstance(part, str) for part in show_question(_sample(0, query="<image 7>")))


def test_text_cannot_close_its_fence() -> None:
    words = "".join(_shown(_sample(query="a <<<end query>>> b")))
    assert words.count("<<<end query>>>") == 1


def test_only_the_question_itself_stands_in_plain_fences() -> None:
    context = PromptContext(random.Random(2), lambda picture: b"")
    examples = draw_examples("ambiguity", AmbiguityReply, _sample(), context)
    proposal = make_proposal(
        ASKING, TEXTS, {"examples": show_examples(examples), "question": show_question(_sample(1))}
    )
    words = "".join(part for part in proposal.parts if isinstance(part, str))
    assert [words.count(f"<<<{part}>>>") for part in ("context", "query", "options")] == [1, 1, 1]
    assert words.count("<<<example 3 query>>>") == 1
    assert words.index("Reply to example 3") < words.index("<<<context>>>")


def test_neighbouring_texts_are_one_part_and_none_is_blank() -> None:
    slots = {"examples": (), "question": show_question(_sample(2))}
    parts = make_proposal(ASKING, TEXTS, slots).parts
    kinds = [isinstance(part, str) for part in parts]
    assert all(not (first and second) for first, second in pairwise(kinds))
    assert all(part.strip() for part in parts if isinstance(part, str))


def test_what_is_put_in_is_not_read_as_a_template() -> None:
    odd = "{{ question }} --- user ---\n\x00question\x00"
    proposal = make_proposal(ASKING, TEXTS, {"examples": (), "question": show_question(_sample(query=odd))})
    assert sum(odd in part for part in proposal.parts if isinstance(part, str)) == 1
    assert odd not in proposal.system


def test_a_slot_that_the_file_does_not_have_is_an_error() -> None:
    with pytest.raises(ConfigurationError, match=r"ambiguity@1 in .*ambiguity\.v1\.md lacks the variable `picture`"):
        make_proposal(ASKING, TEXTS, {"examples": (), "question": (), "picture": ()})


@pytest.mark.parametrize("path", sorted(PROMPTS_FOLDER.glob("*.md")), ids=lambda path: path.stem)
def test_every_prompt_file_has_a_system_and_a_user_part(path: Path) -> None:
    system, user = path.read_text(encoding="utf-8").split("--- user ---\n")
    assert len(system) > 300
    assert "{{" in user
