"""What a model is to be trained to say to a premise question (J-7). The teacher is told whether the premise holds,
which the learner is not: a fifth of the released answers of the paper quote that hint, so it is looked for."""

import re
from dataclasses import dataclass

from core.calls import Answer, Proposal, Role
from core.premises import PremiseAnswer, PremiseQuestion
from core.prompts import fence
from core.records import Language, Sample
from injectors.base import RULES, PromptContext, Rejection, RejectionReason
from injectors.premise.entries import Entry
from injectors.premise.phrases import count_words, holds, normalise
from injectors.premise.prompting import Stage, ask_all, draw_pictured, picture_of
from injectors.premise.replies import AnswerReply
from injectors.premise.rules import make_questions
from injectors.premise.wording import find_other_language
from injectors.prompted.composing import shorten
from injectors.prompted.layout import Part

_STAGES = {
    True: Stage("premise_answer_positive", Role.GENERATOR, AnswerReply),
    False: Stage("premise_answer_negative", Role.GENERATOR, AnswerReply),
}
_HINT = re.compile(
    r"""\bhints?\b | \b(?:correct|true|given|provided|original)\s+premise\b
      | \b(?:actual|false|incorrect)\s+premise\s+(?:is|was|given|provided|says)\b
      | \bground\s+truth\b | \breference\b | \bon\s+record\b | \bthe\s+record\b | \bfor\s+you\s+alone\b
      | \bI\s+(?:was|am|have\s+been)\s+told\b | \b(?:as|was|were|is)\s+(?:told|provided|instructed)\b
      | \bthe\s+(?:provided|given)\s+(?:information|fact|answer|label|description)\b
      | \blabel(?:l?ed)?\s+as\s+(?:true|false)\b | \bcaptions?\b
      | 提示 | 正确(?:的)?前提 | (?:所)?给(?:出|定)的?(?:前提|信息|答案) | 参考答案 | 标准答案 | 被告知 | 图片描述
      | 图注""",
    re.IGNORECASE | re.VERBOSE,
)
_TAGS = re.compile(
    r"</?(?:think|answer)\w*>|<<<|>>>|\*\*|^#|\[PREMISE\]|[\x00-\x08\x0b-\x1f\x7f]", re.IGNORECASE | re.MULTILINE
)
_DENIAL = re.compile(
    r"\b(?:false|wrong|incorrect|mistaken)\b.{0,40}\b(?:premise|question|assum\w*|statement)\b"
    r"|\b(?:premise|question|assumption|statement)\b.{0,40}\b(?:false|wrong|incorrect|mistaken|not\s+(?:true|hold))\b"
    r"|\bdoes\s+not\s+(?:show|match|agree)\b|前提.{0,10}(?:错|不成立|不符)|与图.{0,4}不符|并非|不成立",
    re.IGNORECASE | re.DOTALL,
)
_MIN_THINK = 12


@dataclass(frozen=True, slots=True)
class AnswerWriter:
    """`converse` takes it as it is."""

    question: PremiseQuestion

    def propose(self, sample: Sample, context: PromptContext) -> Proposal | Rejection:
        if len(sample.pictures) != 1:
            return Rejection(RejectionReason.NOT_ONE_PICTURE, f"the sample has {len(sample.pictures)} pictures")
        examples: list[Part] = []
        entries = draw_pictured(self.question.subtype, sample, context, context.few_shot)
        for number, entry in enumerate(entries, start=1):
            examples += [f"Example {number}:\n", picture_of(entry), *_show_example(entry, sample, self.question.label)]
        slots = {
            "examples": tuple(examples),
            "picture": (sample.pictures[0],),
            "question": (f"\n{fence('question', self.question.question)}\n",),
            "hint": (fence("known", _hint(self.question)),),
        }
        return ask_all(_STAGES[self.question.label], sample.language, {}, slots)

    def accept(
        self, sample: Sample, answers: tuple[Answer, ...], context: PromptContext
    ) -> PremiseAnswer | Rejection | Proposal:
        reply = answers[-1].value if answers else None
        if not isinstance(reply, AnswerReply):
            return Rejection(RejectionReason.REPLY_UNPARSABLE, f"the reply is no {AnswerReply.__name__}")
        fault = find_answer_fault(self.question, reply)
        if fault is not None:
            return fault
        return PremiseAnswer(
            question=self.question.id,
            think=reply.think.strip(),
            answer=reply.answer.strip(),
            generator=answers[-1].model,
            families=tuple(dict.fromkeys((*self.question.families, *(answer.family for answer in answers)))),
        )


def find_answer_fault(question: PremiseQuestion, reply: AnswerReply) -> Rejection | None:
    language = question.language
    for name, text in (("think", reply.think), ("answer", reply.answer)):
        if not text.strip():
            return Rejection(RejectionReason.REPLY_EMPTY, f"`{name}` is empty")
        tag = _TAGS.search(text)
        if tag is not None:
            return Rejection(RejectionReason.PROMPT_DEBRIS, f"`{name}` holds {shorten(tag[0])}: write the text alone")
        quoted = _HINT.search(text.replace(question.stated, " "))
        if quoted is not None:
            detail = f"`{name}` says {shorten(quoted[0])}: say only what is seen, as somebody who was told nothing"
            return Rejection(RejectionReason.HINT_QUOTED, detail)
    if count_words(reply.think, language) < _MIN_THINK:
        return Rejection(RejectionReason.TOO_WEAK, "`think` must say what is stated and what is seen about it")
    return (
        find_other_language(
            reply.answer, "answer", language, (reply.answer,) if _is_label(question) else _shown(question)
        )
        or find_other_language(reply.think, "think", language, _shown(question))
        or (_check_positive(question, reply) if question.label else _check_negative(question, reply))
    )


def answer_by_rules(question: PremiseQuestion) -> PremiseAnswer | None:
    """Without a model, from premise, caption and answer of the question; None where the question has no answer."""
    if question.answer is None:
        return None
    reply = _write(question)
    return PremiseAnswer(question=question.id, think=reply.think, answer=reply.answer, generator=RULES)


def _check_positive(question: PremiseQuestion, reply: AnswerReply) -> Rejection | None:
    denial = _DENIAL.search(reply.answer) or _DENIAL.search(reply.think)
    if denial is not None:
        detail = f"{shorten(denial[0])}: what the question takes for granted is true, so answer it"
        return Rejection(RejectionReason.WRONG_VERDICT, detail)
    known = set(normalise(question.answer or "", question.language).split())
    if known and not known & set(normalise(reply.answer, question.language).split()):
        return Rejection(RejectionReason.WRONG_VERDICT, f"the answer is another than {shorten(question.answer or '')}")
    return None


def _check_negative(question: PremiseQuestion, reply: AnswerReply) -> Rejection | None:
    if not holds(reply.answer, question.replacement or question.stated, question.language):
        detail = f"`answer` must name what is false, {shorten(question.stated)}, as the question states it"
        return Rejection(RejectionReason.PREMISE_NOT_NAMED, detail)
    if not _NEGATION.search(reply.answer):
        return Rejection(RejectionReason.WRONG_VERDICT, "`answer` must say that this is not what the picture shows")
    return None


_NEGATION = re.compile(
    r"\b(?:not|no|false|wrong|incorrect|mistaken|neither|nowhere)\b|n['’]t\b|不|没有|并非|错|无", re.IGNORECASE
)


def _is_label(question: PremiseQuestion) -> bool:
    """An answer such as `AND` to a Chinese question is of no language."""
    return question.language is Language.CHINESE and bool(question.answer and question.answer.isascii())


def _shown(question: PremiseQuestion) -> tuple[str, ...]:
    words = (question.premise.text, question.stated, question.answer, question.replacement)
    return tuple(text for text in words if text)


def _hint(question: PremiseQuestion) -> str:
    if question.label:
        return f"True: {question.premise.text}\nAnswer: {question.answer or 'not known'}"
    return f"False: {question.stated}\nTrue instead: {question.premise.text}"


def _show_example(entry: Entry, sample: Sample, label: bool) -> tuple[Part, ...]:
    question = make_questions(sample, entry)[0 if label else 1]
    shown = f"\n{fence('question', question.question)}\nFor you alone:\n{fence('known', _hint(question))}\n"
    return (f"{shown}Reply:\n{_write(question).model_dump_json()}\n\n",)


def _write(question: PremiseQuestion) -> AnswerReply:
    return _write_in_chinese(question) if question.language is Language.CHINESE else _write_in_english(question)


def _write_in_english(question: PremiseQuestion) -> AnswerReply:
    stated, shown, answer = question.stated, question.premise.text, question.answer or ""
    look = f'The question takes "{stated}" for granted, so I look at that first. {question.premise.caption}'
    if question.label:
        think = f"{look} So it holds, and I can go on to what is asked. The picture shows this as well: {answer}."
        return AnswerReply(think=think, answer=f"{answer[:1].upper()}{answer[1:]}.")
    return AnswerReply(
        think=f'{look} So the picture shows "{shown}" and not "{stated}": the question rests on what is not so.',
        answer=f'The picture does not show "{stated}": it shows "{shown}", so the question has a false premise.',
    )


def _write_in_chinese(question: PremiseQuestion) -> AnswerReply:
    stated, shown, answer = question.stated, question.premise.text, question.answer or ""
    look = f"题中说到“{stated}”，先看图中是否如此。{question.premise.caption}"
    if question.label:
        think = f"{look}可见这一点成立，可以继续回答。所问的内容在图中也看得到：{answer}。"
        return AnswerReply(think=think, answer=f"{answer}。")
    return AnswerReply(
        think=f"{look}可见图中是“{shown}”，而不是“{stated}”，题目以此为据就站不住了。",
        answer=f"图中并不是“{stated}”，而是“{shown}”，所以这个问题建立在错误的说法上。",
    )
