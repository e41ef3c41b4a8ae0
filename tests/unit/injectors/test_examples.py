"""The examples in the prompts are what a model imitates: each passes the checks that replies will meet."""

import random
from collections import Counter
from collections.abc import Mapping

import pytest

from core.calls import Answer, AnswerStatus, Proposal, Role
from core.errors import ConfigurationError
from core.pictures import decode_rgb, pixels_from
from core.recipe import DegradationRecipe
from core.records import Language, Record, Sample
from core.taxonomy import Subtype
from filters.integrity import check
from injectors.base import Injection, PromptContext, Rejection
from injectors.prompted import examples, source_rewriting
from injectors.prompted.examples import EXAMPLES_FOLDER, draw_examples, example_pictures, load_examples
from injectors.prompted.layout import PROMPTS_FOLDER
from injectors.prompted.replies import (
    AmbiguityReply,
    BeyondCapabilityReply,
    CrossModalContradictionReply,
    IntraTextualContradictionReply,
    PictureEditReply,
    RewritingReply,
    UnclearIntentReply,
)
from injectors.registry import PROMPT_INJECTORS

REPLIES: Mapping[str, type[Record]] = {
    "ambiguity": AmbiguityReply,
    "unclear_intent": UnclearIntentReply,
    "cross_modal_contradiction": CrossModalContradictionReply,
    "intra_textual_contradiction": IntraTextualContradictionReply,
    "beyond_capability": BeyondCapabilityReply,
    "inter_visual_contradiction": PictureEditReply,
    "source_rewriting": RewritingReply,
}
TEXT_STEMS = [stem for stem in REPLIES if stem not in ("inter_visual_contradiction", "source_rewriting")]
ALL = [(stem, number) for stem in REPLIES for number in range(len(load_examples(stem, REPLIES[stem])))]
CONTEXT = PromptContext(stream=random.Random(0), read_picture=lambda picture: example_pictures()[picture.sha256])


def _answer(reply: Record) -> Answer:
    return Answer(
        AnswerStatus.OK, reply.model_dump_json(), "scripted:writer", "scripted", "cal_1", value=reply
    )  # fmt: skip


def _accept(stem: str, sample: Sample, reply: Record) -> Injection | Rejection | Proposal | Sample:
    if stem == "source_rewriting":
        return source_rewriting.accept(sample, (_answer(reply),), CONTEXT)
    return PROMPT_INJECTORS[Subtype(stem)].accept(sample, (_answer(reply),), CONTEXT)


@pytest.mark.parametrize(("stem", "number"), ALL)
def test_an_example_passes_its_own_checks(stem: str, number: int) -> None:
    example = load_examples(stem, REPLIES[stem])[number]
    accepted = _accept(stem, example.sample, example.reply)
    assert not isinstance(accepted, Rejection), accepted
    if stem == "inter_visual_contradiction":
        assert isinstance(accepted, Proposal)
        assert accepted.role is Role.IMAGE_EDITOR


@pytest.mark.parametrize(("stem", "number"), [case for case in ALL if case[0] in TEXT_STEMS])
def test_an_example_passes_the_integrity_filter(stem: str, number: int) -> None:
    example = load_examples(stem, REPLIES[stem])[number]
    accepted = _accept(stem, example.sample, example.reply)
    assert isinstance(accepted, Injection)
    decision = check(accepted.candidate, example.sample, pixels_from(CONTEXT.read_picture), DegradationRecipe())
    assert decision.keep, decision


@pytest.mark.parametrize("stem", REPLIES)
def test_there_are_eight_examples_and_four_in_each_language(stem: str) -> None:
    languages = Counter(example.sample.language for example in load_examples(stem, REPLIES[stem]))
    assert languages.total() >= 8
    assert min(languages[language] for language in Language) >= 4


def test_files_of_examples_and_prompts_are_those_of_the_table() -> None:
    stems = {*PROMPT_INJECTORS, "source_rewriting"}
    assert {path.stem for path in EXAMPLES_FOLDER.glob("*.yaml")} == stems == set(REPLIES)
    assert {path.name.split(".")[0] for path in PROMPTS_FOLDER.glob("*.md")} == stems | {
        "inter_visual_contradiction_edit"
    }


def test_examples_use_different_questions_within_a_subtype() -> None:
    for stem, reply in REPLIES.items():
        asked = [(example.sample.context, example.sample.query) for example in load_examples(stem, reply)]
        assert len(set(asked)) == len(asked), stem


def test_pictures_of_all_examples_are_given_by_their_hash_and_decode() -> None:
    pictures = {
        picture.sha256: picture
        for stem, reply in REPLIES.items()
        for example in load_examples(stem, reply)
        for picture in example.sample.pictures
    }
    assert example_pictures().keys() == pictures.keys()
    for name, data in example_pictures().items():
        assert decode_rgb(data).shape[:2] == (pictures[name].height, pictures[name].width)


def _context(seed: int, few_shot: int = 3) -> PromptContext:
    return PromptContext(random.Random(seed), CONTEXT.read_picture, few_shot)


@pytest.mark.parametrize("language", Language)
def test_examples_are_drawn_in_the_language_of_the_sample_by_its_stream(language: Language) -> None:
    all_of_them = load_examples("ambiguity", AmbiguityReply)
    sample = next(one.sample for one in all_of_them if one.sample.language is language)
    drawn = [draw_examples("ambiguity", AmbiguityReply, sample, _context(seed)) for seed in range(8)]
    assert all(len(some) == 3 and {one.sample.language for one in some} == {language} for some in drawn)
    assert drawn[3] == draw_examples("ambiguity", AmbiguityReply, sample, _context(3))
    assert len({tuple(one.sample.source_id for one in some) for some in drawn}) > 1


def test_no_example_is_made_from_the_question_that_is_asked_about() -> None:
    for example in load_examples("ambiguity", AmbiguityReply):
        drawn = draw_examples("ambiguity", AmbiguityReply, example.sample, _context(1, few_shot=8))
        assert len(drawn) >= 4
        assert example.sample not in [one.sample for one in drawn]


def test_a_broken_example_is_an_error_that_names_file_and_key() -> None:
    with pytest.raises(ConfigurationError, match=r"ambiguity\.yaml cannot be used: `edits`"):
        examples.load_examples("ambiguity", PictureEditReply)
