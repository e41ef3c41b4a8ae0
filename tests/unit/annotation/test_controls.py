"""Control items: what is known of them, and that no question is met twice."""

import pytest

from annotation.controls import BAD_CLAIMS, bad_control, choose_controls, good_control
from core.records import Flaw, FlawedSample, Language, Sample, Subject, TextEdit, TextPart, TextRemoval
from core.review import Judged
from core.taxonomy import Subtype


def make_sample(number: int, language: Language = Language.ENGLISH, context: str | None = None) -> Sample:
    return Sample(
        source="s",
        source_id=str(number),
        context=context,
        query=f"What is {number} + 1?",
        subject=Subject.MATHEMATICS,
        language=language,
        licence="CC0-1.0",
        attribution="us",
    )


def make_good(sample: Sample) -> FlawedSample:
    flaw = Flaw(
        subtype=Subtype.MISSING_INSTRUCTION,
        generator="rules",
        injector_version=1,
        edits=(TextRemoval(part=TextPart.QUERY),),
        explanation="Nothing is asked.",
    )
    return FlawedSample(parent=sample.id, context=None, query=None, flaws=(flaw,))


@pytest.mark.parametrize("context", [None, "Two numbers."], ids=["query-alone", "context"])
@pytest.mark.parametrize("language", Language)
def test_a_bad_control_is_its_source_but_for_a_phrase(language: Language, context: str | None) -> None:
    sample = make_sample(1, language, context)

    control = bad_control(sample, BAD_CLAIMS[0], 42)

    edit = control.candidate.flaws[0].edits[0]
    assert isinstance(edit, TextEdit)
    changed = control.candidate.context if context else control.candidate.query
    assert changed is not None
    assert changed.removeprefix(edit.after) == (context or sample.query)
    assert (control.type_compliance, control.unanswerability) == (Judged.FAIL, Judged.FAIL)


def test_a_sample_without_text_gives_no_bad_control() -> None:
    with pytest.raises(ValueError, match="has no text"):
        bad_control(make_sample(1).model_copy(update={"query": None}), BAD_CLAIMS[0], 42)


def test_good_and_bad_take_turns_and_no_question_comes_twice() -> None:
    samples = [make_sample(number) for number in range(20)]
    good = [good_control(make_good(sample), sample) for sample in samples]
    bad = [bad_control(sample, BAD_CLAIMS[number % 5], 42) for number, sample in enumerate(samples)]

    chosen = choose_controls(good, bad, 42)

    assert [control.type_compliance for control in chosen] == [Judged.PASS, Judged.FAIL] * 10
    assert len({control.parent.id for control in chosen}) == 20
    assert choose_controls(good[::-1], bad[::-1], 42) == chosen
    assert choose_controls(good, bad, 43) != chosen


@pytest.mark.parametrize("language", Language)
def test_the_seed_draws_the_phrase_out_of_many(language: Language) -> None:
    samples = [make_sample(number, language) for number in range(100)]

    drawn = [[bad_control(sample, BAD_CLAIMS[0], seed).candidate.query for sample in samples] for seed in (1, 1, 2)]

    phrases = {query.removesuffix(sample.query or "") for query, sample in zip(drawn[0], samples, strict=True) if query}
    assert len(phrases) >= 8
    assert drawn[0] == drawn[1] != drawn[2]
