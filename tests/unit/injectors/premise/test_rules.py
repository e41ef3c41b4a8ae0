import random
import re
from collections import Counter
from itertools import product

import pytest

from core.premises import PremiseQuestion
from core.records import Language
from core.taxonomy import PremiseSubtype
from injectors.base import PromptContext, Rejection, RejectionReason
from injectors.premise.answers import answer_by_rules, find_answer_fault
from injectors.premise.entries import load_absent, load_entries, load_picture, load_unpictured
from injectors.premise.replies import AnswerReply
from injectors.premise.rules import make_questions, premise_rules
from starter.check_premises import find_faults, sample_of

SHOWN = set(PremiseSubtype) - {PremiseSubtype.EMOTIONAL_STATE}
"""No drawn picture of the starter set shows a feeling."""


def context() -> PromptContext:
    return PromptContext(random.Random(3), lambda picture: b"")


def questions(language: Language) -> list[PremiseQuestion]:
    return [made for entry in load_entries() for made in make_questions(sample_of(entry, language), entry)]


def test_every_premise_on_file_passes_the_checks() -> None:
    assert find_faults() == []
    counts = Counter(entry.subtype for entry in load_entries())
    assert {subtype for subtype, count in counts.items() if count >= 5} == SHOWN


@pytest.mark.parametrize("language", Language)
def test_every_pair_differs_in_its_slot_alone(language: Language) -> None:
    made = questions(language)
    for true, false in zip(made[::2], made[1::2], strict=True):
        assert (true.label, false.label, true.pair) == (True, False, false.pair)
        assert true.restated(false.stated).text == false.question
        assert false.restated(true.stated).text == true.question


@pytest.mark.parametrize("language", Language)
def test_words_that_occur_often_stand_on_both_sides(language: Language) -> None:
    """A word that false fillings alone use would tell them from true ones without the picture."""
    counts: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    for made in questions(language):
        counts[made.label].update(set(re.findall(r"[a-z]+|[\u3400-\u9fff]", made.stated.lower())))
    lopsided = {
        word for word in counts[True].keys() | counts[False].keys() if abs(counts[True][word] - counts[False][word]) > 4
    }
    assert lopsided == set()


@pytest.mark.parametrize(("subtype", "language"), tuple(product(sorted(SHOWN), Language)))
def test_rules_find_the_premises_of_a_picture_by_its_bytes(subtype: PremiseSubtype, language: Language) -> None:
    entry = next(entry for entry in load_entries() if entry.subtype is subtype)
    own = sample_of(entry, language)
    made = premise_rules(own, subtype, context())
    assert not isinstance(made, Rejection)
    assert {(q.subtype, q.language, q.sample, q.generator) for q in made} == {(subtype, language, own.id, "rules")}
    for label in (True, False):
        alone = premise_rules(own, subtype, context(), label)
        assert not isinstance(alone, Rejection)
        assert [(q.label, q.pair) for q in alone] == [(label, None)]
        assert alone[0].question in {q.question for q in made if q.label is label}


def test_rules_say_why_there_is_no_premise() -> None:
    entry = load_entries()[0]
    own = sample_of(entry, Language.ENGLISH)
    cases = (
        (own, PremiseSubtype.EMOTIONAL_STATE, RejectionReason.NO_PREMISE),
        (own.model_copy(update={"pictures": ()}), entry.subtype, RejectionReason.NO_PICTURE),
        (own.model_copy(update={"pictures": own.pictures * 2}), entry.subtype, RejectionReason.NOT_ONE_PICTURE),
    )
    for asked, subtype, reason in cases:
        refused = premise_rules(asked, subtype, context())
        assert isinstance(refused, Rejection)
        assert refused.reason is reason


@pytest.mark.parametrize("language", Language)
def test_answers_by_rules_pass_the_checks_of_a_teacher(language: Language) -> None:
    for made in questions(language):
        answer = answer_by_rules(made)
        assert answer is not None
        fault = find_answer_fault(made, AnswerReply(think=answer.think, answer=answer.answer))
        assert fault is None, (made.question, fault)


def test_examples_without_a_picture_pass_too_and_every_absent_picture_is_there() -> None:
    own = sample_of(load_entries()[0], Language.ENGLISH)
    for entry, language in product(load_unpictured(), Language):
        assert len(make_questions(own.model_copy(update={"language": language}), entry)) == 2
    shown = {(entry.subtype, entry.picture) for entry in load_entries()}
    for subtype in PremiseSubtype:
        for stem in load_absent()[subtype]:
            assert load_picture(stem)
            assert (subtype, stem) not in shown
