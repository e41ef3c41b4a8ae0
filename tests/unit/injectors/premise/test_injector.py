import asyncio
import random

import pytest

from core.calls import Answer, AnswerStatus, Proposal, Role
from core.premises import PremiseAnswer, PremiseQuestion
from core.records import Language, Picture, Record, Sample, Subject
from core.taxonomy import PremiseSubtype
from injectors.base import PromptContext, Rejection, RejectionReason
from injectors.premise.answers import AnswerWriter
from injectors.premise.entries import load_entries, load_picture, premise_pictures
from injectors.premise.injector import PremiseInjector
from injectors.premise.prompting import section
from injectors.premise.replies import (
    AnswerReply,
    CaptionReply,
    ExtractionReply,
    NegativeReply,
    PairReply,
    PositiveReply,
)
from injectors.premise.rules import premise_rules
from tasks.conversations import converse

KIND = PremiseSubtype.VISUAL_ATTRIBUTES
SEEN = ExtractionReply(present=True, premise="red", where="at the left")
CAPTION = CaptionReply(caption="A red kettle stands beside three plates.", span="red")
PAIR = PairReply(
    possible=True, replacement="green", frame="How many plates stand by the [PREMISE] kettle?", answer="three"
)
ASKED = PAIR.model_copy(update={"frame": "Is the kettle [PREMISE]?"})


def sample(language: Language = Language.ENGLISH, pictures: tuple[Picture, ...] | None = None) -> Sample:
    return Sample(
        source="own",
        source_id="1",
        context=None,
        query=None,
        pictures=(Picture(sha256="1" * 64, media_type="image/png", width=90, height=60),)
        if pictures is None
        else pictures,
        subject=Subject.ART_DESIGN,
        language=language,
        licence="CC0-1.0",
        attribution="flawbench",
    )


def context(few_shot: int = 3) -> PromptContext:
    return PromptContext(random.Random(5), lambda picture: b"", few_shot=few_shot)


def talk(
    replies: list[Record],
    label: bool | None = None,
    subtype: PremiseSubtype = KIND,
    language: Language = Language.ENGLISH,
) -> tuple[tuple[PremiseQuestion, ...] | Rejection, list[Proposal]]:
    asked: list[Proposal] = []

    async def ask(proposal: Proposal) -> Answer:
        value = replies[len(asked)]
        asked.append(proposal)
        family = "beta" if proposal.role is Role.QUESTION_WRITER else "alpha"
        return Answer(AnswerStatus.OK, value.model_dump_json(), f"scripted:{family}", family, "c", value)

    result = asyncio.run(converse(PremiseInjector(subtype, label), sample(language), context(), ask))
    return result, asked


def test_three_stages_make_a_pair_and_the_writer_sees_no_picture() -> None:
    made, asked = talk([SEEN, CAPTION, PAIR])
    assert not isinstance(made, Rejection)
    assert [question.question for question in made] == [
        "How many plates stand by the red kettle?",
        "How many plates stand by the green kettle?",
    ]
    assert {question.generator for question in made} == {"scripted:alpha+scripted:beta"}
    assert {question.families for question in made} == {("alpha", "beta")}
    assert [proposal.role for proposal in asked] == [Role.GENERATOR, Role.GENERATOR, Role.QUESTION_WRITER]
    assert [sample().pictures[0] in proposal.parts for proposal in asked] == [True, True, False]
    assert not [part for part in asked[2].parts if isinstance(part, Picture)]


def test_no_is_final_and_is_not_asked_again() -> None:
    made, asked = talk([ExtractionReply(present=False, premise="", where="no face"), CAPTION])
    assert isinstance(made, Rejection)
    assert (made.reason, made.detail, len(asked)) == (RejectionReason.NO_PREMISE, "no face", 1)


def test_a_faulty_reply_is_asked_for_once_more_with_the_reason_at_every_stage() -> None:
    no = SEEN.model_copy(update={"premise": "No."})
    other = CAPTION.model_copy(update={"span": "kettle"})
    made, asked = talk([no, SEEN, other, CAPTION, ASKED, PAIR])
    assert not isinstance(made, Rejection)
    told = [proposal.turns[-1].told for proposal in asked if proposal.turns]
    assert [
        words for told_, words in zip(told, ("`premise`", "`span`", "state it as known"), strict=True) if words in told_
    ]
    assert len(asked) == 6
    given_up, asked = talk([SEEN, CAPTION, ASKED, ASKED, PAIR])
    assert isinstance(given_up, Rejection)
    assert (given_up.reason, len(asked)) == (RejectionReason.PREMISE_ASKED, 5 - 1)


@pytest.mark.parametrize("label", [True, False])
def test_the_published_scheme_asks_for_one_label_by_its_own_prompt(label: bool) -> None:
    question = f"How many plates stand by the {'red' if label else 'green'} kettle?"
    reply = (
        PositiveReply(possible=True, question=question, span="red", answer="three")
        if label
        else NegativeReply(possible=True, replacement="green", question=question, span="green", answer="three")
    )
    made, asked = talk([SEEN, CAPTION, reply], label)
    assert not isinstance(made, Rejection)
    assert [(q.label, q.pair) for q in made] == [(label, None)]
    assert asked[2].prompt == f"premise_{'positive' if label else 'negative'}@1"


def test_a_reply_of_another_stage_is_unparsable() -> None:
    made, _ = talk([CAPTION, CAPTION])
    assert isinstance(made, Rejection)
    assert made.reason is RejectionReason.REPLY_UNPARSABLE


@pytest.mark.parametrize("count", [0, 2])
def test_a_sample_without_exactly_one_picture_is_not_asked_about(count: int) -> None:
    pictures = sample().pictures * count
    refused = PremiseInjector(KIND).propose(sample(pictures=pictures), context())
    assert isinstance(refused, Rejection)


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("subtype", PremiseSubtype)
def test_every_subtype_has_rules_and_examples_for_every_stage(subtype: PremiseSubtype, language: Language) -> None:
    """The examples of a prompt are drawn by the stream, hold an honest no, and show pictures that are at hand."""
    assert section(subtype, "shown")
    assert section(subtype, "replaced")
    text = next(entry.text(language) for entry in load_entries() if entry.subtype is KIND)
    seen = SEEN.model_copy(update={"premise": text.premise})
    caption = CaptionReply(caption=text.caption, span=text.premise)
    pair = PairReply(possible=True, replacement=text.replacement, frame=text.frame, answer=text.answer)
    if subtype is PremiseSubtype.NUMERICAL_ATTRIBUTES:
        return
    made, asked = talk([seen, caption, pair], None, subtype, language)
    assert not isinstance(made, Rejection)
    shown = [part for proposal in asked for part in proposal.parts if isinstance(part, Picture)]
    assert {picture.sha256 for picture in shown} - {sample().pictures[0].sha256} <= premise_pictures().keys()
    texts = ["".join(part for part in proposal.parts if isinstance(part, str)) for proposal in asked]
    assert '"present":false' in texts[0]
    assert texts[2].count('"frame"') == 3
    assert all("{{" not in proposal.system + words for proposal, words in zip(asked, texts, strict=True))
    assert talk([seen, caption, pair], None, subtype, language)[1] == asked


def test_the_hash_of_a_prompt_covers_the_rules_of_its_subtype() -> None:
    first = [PremiseInjector(subtype).propose(sample(), context()) for subtype in PremiseSubtype]
    hashes = {proposal.prompt_hash for proposal in first if isinstance(proposal, Proposal)}
    assert len(hashes) == len(PremiseSubtype)


def test_no_example_is_of_the_picture_that_is_asked_about() -> None:
    for entry in load_entries():
        assert entry.picture
        own = load_picture(entry.picture).picture
        asked = PremiseInjector(entry.subtype).propose(sample(pictures=(own,)), context(8))
        assert isinstance(asked, Proposal)
        assert asked.parts.count(own) == 1


def test_a_teacher_that_quotes_its_hint_is_told_so_once() -> None:
    own = sample(pictures=(load_picture("engineering-gears").picture,))
    made = premise_rules(own, KIND, context())
    assert not isinstance(made, Rejection)
    think = "The question takes green for granted, but the largest of the three gears in the picture is plainly red."
    good = AnswerReply(think=think, answer="The largest gear is not green but red.")
    hinted = good.model_copy(update={"think": f"{think} The correct premise is red."})
    replies, asked = [hinted, good], list[Proposal]()

    async def ask(proposal: Proposal) -> Answer:
        asked.append(proposal)
        value = replies[len(asked) - 1]
        return Answer(AnswerStatus.OK, value.model_dump_json(), "scripted:t", "gamma", "c", value)

    answer = asyncio.run(converse(AnswerWriter(made[1]), own, context(), ask))
    assert isinstance(answer, PremiseAnswer)
    assert (answer.think, answer.question, answer.families) == (think, made[1].id, ("gamma",))
    assert "correct premise" in asked[1].turns[0].told
