"""Whatever a model replies to whatever question: nothing raises, nothing that was given changes, the same reply gives
the same result, and what is accepted can be taken back."""

import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.calls import Answer, AnswerStatus, Proposal
from core.image_tokens import numbers_in
from core.pictures import Pixels, encode_png
from core.records import Blob, Language, Picture, Record, Sample, Subject
from core.taxonomy import Subtype
from filters.claims import check_claims
from filters.edit_reversal import check_reversal
from filters.text_checks import check_language, check_leaks, check_not_empty, check_tokens
from injectors.base import Injection, PromptContext, Rejection
from injectors.prompted import source_rewriting
from injectors.prompted.examples import example_pictures
from injectors.prompted.replies import (
    AmbiguityReply,
    BeyondCapabilityReply,
    CrossModalContradictionReply,
    IntraTextualContradictionReply,
    PictureEditReply,
    RewritingReply,
    TextFlawReply,
    UnclearIntentReply,
)
from injectors.registry import PROMPT_INJECTORS

PICTURES = tuple(Picture(sha256=str(n) * 64, media_type="image/png", width=64, height=48) for n in range(5))
WORDS = st.lists(
    st.sampled_from(
        ["red", "the", "ball", " ", "2 kg", "$x_1$", "<image 1>", "?", ".", "球", "红色", "$", "{", "\\", "\n"]
    ),
    max_size=14,
).map("".join)  # fmt: skip
ENGLISH = ["A red ball", "of 2 kg", "with $x_1 = 3$", "in <image 1>", "rolls down.", "How fast", "is it?"]
CHINESE = ["红色小球", "质量为 2 kg", "如 $x_1 = 3$", "见<image 1>", "滚下。", "那么它", "有多快？"]
PLAIN = st.permutations(ENGLISH).map(" ".join) | st.permutations(CHINESE).map("".join)
PIECE = st.sampled_from(ENGLISH) | st.sampled_from(CHINESE)
TEXTS = PLAIN | PLAIN | PLAIN | st.none() | st.just("") | WORDS | st.text(max_size=20)
REPLIES: dict[Subtype, type[TextFlawReply]] = {
    Subtype.AMBIGUITY: AmbiguityReply,
    Subtype.UNCLEAR_INTENT: UnclearIntentReply,
    Subtype.CROSS_MODAL_CONTRADICTION: CrossModalContradictionReply,
    Subtype.INTRA_TEXTUAL_CONTRADICTION: IntraTextualContradictionReply,
    Subtype.BEYOND_CAPABILITY: BeyondCapabilityReply,
}


@st.composite
def samples(draw: st.DrawFn, pictures: tuple[int, ...] = (0, 1, 5)) -> Sample:
    return Sample(
        source="test",
        source_id="1",
        context=draw(TEXTS),
        query=draw(TEXTS),
        options=tuple(draw(st.lists(WORDS, max_size=3))),
        pictures=PICTURES[: draw(st.sampled_from(pictures))],
        subject=Subject.PHYSICS,
        language=draw(st.sampled_from(Language)),
        question_in_picture=draw(st.booleans()),
        licence="CC0-1.0",
        attribution="test",
    )


@st.composite
def replies(draw: st.DrawFn, sample: Sample, subtype: Subtype) -> TextFlawReply:
    """Spans are mostly such that stand in the texts once, so that many replies get past the first checks."""
    edits: list[dict[str, str]] = []
    for part in draw(st.lists(st.sampled_from(["query", "context"]), min_size=1, max_size=2)):
        there = [piece for piece in (*ENGLISH, *CHINESE) if piece in (getattr(sample, part) or "")]
        span = draw(st.sampled_from(there) if there else WORDS)
        new = draw(st.sampled_from(["", "one case", f"{span} here", f"{span}在此", "一个球"]) | PIECE | WORDS)
        edits.append({"part": part, "original_span": span, "new_span": new})
    fields: dict[str, object] = {
        "premise": "p", "possible": draw(st.sampled_from([True] * 9 + [False])), "edits": edits,
        "drop_options": draw(st.booleans()), "why_unanswerable": "w", "answerability_argument": "",
        "readings": [{"meaning": "a", "answer": "1"}, {"meaning": "b", "answer": draw(st.just("2") | WORDS)}],
        "goal": draw(st.just(edits[0]["original_span"]) | WORDS), "picture": draw(st.integers(0, 2)),
        "text_states": draw(st.just(edits[0]["new_span"]) | WORDS), "picture_shows": draw(st.just("it") | WORDS),
        "statement_kept": draw(PIECE | WORDS), "kind": "future",
        "statement_new": draw(st.just(edits[0]["new_span"]) | WORDS), "unknowable": draw(st.just("a day") | WORDS),
    }  # fmt: skip
    known = REPLIES[subtype].model_fields
    return REPLIES[subtype].model_validate({name: value for name, value in fields.items() if name in known})


def _answer(value: Record | None, pictures: tuple[Blob, ...] = ()) -> Answer:
    return Answer(AnswerStatus.OK, "", "gemini:x", "google", "cal_1", value=value, pictures=pictures)


def _context() -> PromptContext:
    data = encode_png(_flat()).data
    return PromptContext(random.Random(7), lambda picture: example_pictures().get(picture.sha256, data), few_shot=1)


def _flat() -> Pixels:
    return np.full((48, 64, 3), 200, np.uint8)


@given(st.data())
def test_a_text_reply_is_refused_or_becomes_a_candidate_that_can_be_taken_back(data: st.DataObject) -> None:
    sample = data.draw(samples())
    subtype = data.draw(st.sampled_from(list(REPLIES)))
    answer = _answer(data.draw(replies(sample, subtype)))
    before = sample.model_dump_json()
    accepted = PROMPT_INJECTORS[subtype].accept(sample, (answer,), _context())
    assert accepted == PROMPT_INJECTORS[subtype].accept(sample, (answer,), _context())
    assert sample.model_dump_json() == before
    if isinstance(accepted, Injection):
        candidate = accepted.candidate
        assert check_reversal(candidate, sample) is None
        assert check_claims(candidate, sample) is None
        assert check_leaks(candidate, sample) is None
        assert check_language(candidate, sample) is None
        assert check_not_empty(candidate) is None
        assert check_tokens(candidate) is None or _names_absent_pictures(sample)
    else:
        assert isinstance(accepted, Rejection)
        assert accepted.detail


def _names_absent_pictures(sample: Sample) -> bool:
    """Then the source is to blame and not the flaw."""
    numbers = numbers_in(sample.context, sample.query, *sample.options)
    return not all(1 <= number <= len(sample.pictures) for number in numbers)


@given(samples(), st.sampled_from(list(PROMPT_INJECTORS)))
def test_every_question_is_asked_whole_and_the_same_way_twice_or_refused(sample: Sample, subtype: Subtype) -> None:
    proposal = PROMPT_INJECTORS[subtype].propose(sample, _context())
    assert proposal == PROMPT_INJECTORS[subtype].propose(sample, _context())
    if isinstance(proposal, Proposal):
        shown = [part for part in proposal.parts if isinstance(part, Picture)]
        assert [picture for picture in PICTURES if picture in shown] == list(sample.pictures)
        assert all(part.sha256 in example_pictures() for part in shown if part not in sample.pictures)


FRACTION = st.floats(0, 1)


@given(samples(pictures=(1,)), st.binary(max_size=60), WORDS, st.tuples(FRACTION, FRACTION, FRACTION, FRACTION))
def test_odd_pictures_and_instructions_never_raise(
    sample: Sample, data: bytes, words: str, sides: tuple[float, float, float, float]
) -> None:
    box = dict(zip(("left", "top", "right", "bottom"), sides, strict=True))
    reply = PictureEditReply.model_validate(
        {
            "premise": words, "possible": True, "instruction": words, "changes_from": words, "changes_to": "y",
            "box": box, "why_unanswerable": "w", "answerability_argument": "",
        }
    )  # fmt: skip
    injector = PROMPT_INJECTORS[Subtype.INTER_VISUAL_CONTRADICTION]
    assert isinstance(injector.accept(sample, (_answer(reply),), _context()), Proposal | Rejection)
    answers = (_answer(reply), _answer(None, (Blob(PICTURES[0], data),)))
    assert isinstance(injector.accept(sample, answers, _context()), Rejection)


@given(samples(), TEXTS, TEXTS)
def test_a_rewriting_is_refused_or_keeps_all_but_the_words(
    sample: Sample, context: str | None, query: str | None
) -> None:
    before = sample.model_dump_json()
    answer = _answer(RewritingReply(possible=True, context=context, query=query))
    result = source_rewriting.accept(sample, (answer,), _context())
    assert sample.model_dump_json() == before
    if isinstance(result, Sample):
        kept = {"context": sample.context, "query": sample.query, "rewritten_from": None, "families": ()}
        assert result.model_copy(update=kept) == sample
        assert result.rewritten_from == sample.id
