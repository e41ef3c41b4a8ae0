"""A question in other words is the same question: what the answer depends on is there again."""

import random

import pytest

from core.calls import Answer, AnswerStatus, Proposal, Role
from core.records import Language, Picture, Record, Sample, Subject
from injectors.base import PromptContext, Rejection, RejectionReason
from injectors.prompted.replies import RewritingReply
from injectors.prompted.source_rewriting import accept, propose

R = RejectionReason
PICTURE = Picture(sha256="0" * 64, media_type="image/png", width=100, height=80)
SAMPLE = Sample(
    source="test", source_id="7",
    context="In <image 1> block B of 2.5 kg slides down a ramp. The slope is $\\frac{3}{4}$.",
    query="How large is the force on B, in newtons?", options=("15 N", "20 N"), pictures=(PICTURE,), answer="15 N",
    correct_options=(0,), subject=Subject.PHYSICS, language=Language.ENGLISH, licence="CC-BY-4.0",
    attribution="someone",
)  # fmt: skip
CONTEXT = "A ramp with the slope $\\frac{3}{4}$ is drawn in <image 1>, and a block B with 2.5 kg is sliding on it."
CHINESE = "$\\frac{3}{4}$ 的斜面见 <image 1>，其上有一个 2.5 kg 的木块 B 正在滑动。"
QUERY = "Give the size of the force that acts on B. Use newtons."


def _context() -> PromptContext:
    return PromptContext(random.Random(3), lambda picture: b"", few_shot=2)


def _accept(
    context: str | None = CONTEXT, query: str | None = QUERY, possible: bool = True, sample: Sample = SAMPLE
) -> Sample | Rejection:
    value: Record = RewritingReply(possible=possible, context=context, query=query)
    answer = Answer(AnswerStatus.OK, "", "openai:writer", "openai", "cal_1", value=value)
    return accept(sample, (answer,), _context())


def test_the_rewritten_sample_names_its_source_and_keeps_all_but_the_words() -> None:
    rewritten = _accept()
    assert isinstance(rewritten, Sample), rewritten
    changed = {"context": CONTEXT, "query": QUERY, "rewritten_from": SAMPLE.id, "families": ("openai",)}
    assert rewritten == SAMPLE.model_copy(update=changed)
    assert rewritten.id != SAMPLE.id


def test_the_rewriter_sees_the_whole_question() -> None:
    proposal = propose(SAMPLE, _context())
    assert isinstance(proposal, Proposal)
    assert (proposal.role, proposal.prompt, proposal.reply) == (Role.REWRITER, "source_rewriting@1", RewritingReply)
    words = "".join(part for part in proposal.parts if isinstance(part, str))
    assert all(text in words for text in (str(SAMPLE.context), str(SAMPLE.query), *SAMPLE.options))
    assert proposal.parts.count(PICTURE) == 1


@pytest.mark.parametrize(
    ("context", "query", "reason", "words"),
    [
        pytest.param(CONTEXT.replace("2.5 kg", "3 kg"), QUERY, R.OTHER_PART_CHANGED, "2.5kg", id="number"),
        pytest.param(CONTEXT.replace("2.5 kg", "2.5 t"), QUERY, R.OTHER_PART_CHANGED, "2.5kg", id="unit"),
        pytest.param(CONTEXT.replace("{3}{4}", "{4}{3}"), QUERY, R.FORMULA_CHANGED, "frac{3}{4}", id="formula"),
        pytest.param(CONTEXT.replace("\\f", "\f"), QUERY, R.FORMULA_CHANGED, "double", id="lost_backslash"),
        pytest.param(CONTEXT.replace("B", "C"), QUERY.replace("B", "C"), R.OTHER_PART_CHANGED, "'B'", id="label"),
        pytest.param(CONTEXT.replace("<image 1>", "the picture"), QUERY, R.TOKENS_CHANGED, "<image n>", id="token"),
        pytest.param(CONTEXT, None, R.OTHER_PART_CHANGED, "query is gone", id="part_gone"),
        pytest.param(SAMPLE.context, SAMPLE.query, R.NOTHING_CHANGED, "100%", id="same"),
        pytest.param(f"{SAMPLE.context} Now.", SAMPLE.query, R.NOTHING_CHANGED, "anew", id="nearly_the_same"),
        pytest.param(CONTEXT, QUERY + " The force is vague here.", R.FLAW_LEAKED, "vague", id="flaw"),
        pytest.param(CONTEXT, QUERY + " one two three" * 20, R.OTHER_PART_CHANGED, "add nothing", id="longer"),
        pytest.param(CHINESE, "B 受到的力有多大？", R.LANGUAGE_CHANGED, "Chinese", id="language"),
    ],
)  # fmt: skip
def test_a_loss_of_substance_is_refused_with_what_is_lost(
    context: str | None, query: str | None, reason: RejectionReason, words: str
) -> None:
    refused = _accept(context, query)
    assert isinstance(refused, Rejection), refused
    assert refused.reason is reason, refused
    assert words in refused.detail


def test_a_part_that_the_source_lacks_may_not_appear() -> None:
    refused = _accept("New.", QUERY, sample=SAMPLE.model_copy(update={"context": None}))
    assert isinstance(refused, Rejection)
    assert "context is new" in refused.detail


def test_a_model_may_decline_and_a_foreign_value_is_unparsable() -> None:
    declined, foreign = _accept(possible=False), accept(SAMPLE, (), _context())
    assert isinstance(declined, Rejection)
    assert isinstance(foreign, Rejection)
    assert (declined.reason, foreign.reason) == (R.MODEL_DECLINED, R.REPLY_UNPARSABLE)


def test_a_sample_without_words_is_not_asked_about() -> None:
    refused = propose(SAMPLE.model_copy(update={"context": None, "query": "<image 1>"}), _context())
    assert isinstance(refused, Rejection)
    assert refused.reason is R.NO_TEXT
