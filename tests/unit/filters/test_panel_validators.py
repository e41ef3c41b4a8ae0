"""Nobody judges what their own family made, and two are drawn the same way wherever and whenever the panel sits."""

from collections import Counter
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.records import FlawedSample, Stage, TextEdit, TextPart
from core.taxonomy import Subtype
from filters.validators import (
    Shortage,
    Validator,
    choose_validators,
    choose_verifier,
    drop_for_shortage,
    touched_families,
)

Bench = Any
GPT, OTHER_GPT = Validator("gpt", "openai"), Validator("gpt-small", "openai")
GEMINI, CLAUDE, DOUBAO = (
    Validator("gemini", "google"),
    Validator("claude", "anthropic"),
    Validator("doubao", "bytedance"),
)
QWEN = Validator("qwen", "alibaba")

everyone = st.sampled_from([Validator(name, name[0]) for name in ("f1", "f2", "g1", "g2", "h1", "h2", "i1")])
validators = st.lists(everyone, unique=True, max_size=6)


@pytest.mark.parametrize(
    ("touched", "expected"),
    [
        (["openai"], {GEMINI, DOUBAO}),
        (["google"], {GPT, DOUBAO}),
        (["bytedance"], {GPT, GEMINI}),
        (["OpenAI"], {GEMINI, DOUBAO}),
        (["openai", "google"], {DOUBAO, QWEN}),
    ],
    ids=["gpt made it", "gemini made it", "doubao made it", "another spelling", "instruction and picture"],
)
def test_the_two_that_did_not_make_it_are_asked(touched: list[str], expected: set[Validator]) -> None:
    chosen = choose_validators(touched, [GPT, GEMINI, DOUBAO], [QWEN], "two", 1, "cnd_1")
    assert isinstance(chosen, tuple)
    assert set(chosen) == expected


def test_fewer_than_two_is_a_shortage_that_names_the_families() -> None:
    chosen = choose_validators(["openai", "google"], [GPT, GEMINI, DOUBAO], [OTHER_GPT], "two", 1, "cnd_1")
    assert chosen == Shortage(("google", "openai"), (DOUBAO,))
    assert "google, openai" in chosen.evidence
    assert "doubao (bytedance)" in chosen.evidence


def test_a_shortage_drops_the_candidate(bench: Bench) -> None:
    candidate = bench.candidate(Subtype.AMBIGUITY, (TextEdit(part=TextPart.CONTEXT, start=0, before="a", after="b"),))
    decision = drop_for_shortage(candidate, Shortage(("openai",), ()), "panel:all@1")
    assert (decision.keep, decision.reason, decision.stage) == (False, "no_validator", Stage.PANEL)
    assert "openai" in decision.evidence


def test_all_asks_everyone_who_did_not_touch_it_and_no_reserve() -> None:
    chosen = choose_validators(["openai"], [GPT, GEMINI, CLAUDE, DOUBAO], [QWEN], "all", 1, "cnd_1")
    assert chosen == (GEMINI, CLAUDE, DOUBAO)


def test_all_fills_up_from_the_reserve() -> None:
    assert choose_validators(["openai"], [GPT, GEMINI], [QWEN], "all", 1, "cnd_1") == (GEMINI, QWEN)


def test_two_of_one_family_give_way_to_a_reserve_of_another() -> None:
    chosen = choose_validators([], [GPT, OTHER_GPT], [QWEN], "two", 1, "cnd_1")
    assert isinstance(chosen, tuple)
    assert QWEN in chosen


def test_two_of_one_family_are_better_than_a_shortage() -> None:
    assert set(choose_validators([], [GPT, OTHER_GPT], [], "two", 1, "cnd_1")) == {GPT, OTHER_GPT}  # type: ignore[arg-type]


def test_a_validator_that_is_its_own_reserve_is_asked_once() -> None:
    assert isinstance(choose_validators([], [GPT], [GPT], "two", 1, "cnd_1"), Shortage)


def test_everyone_gets_a_similar_share_of_the_candidates() -> None:
    counts: Counter[Validator] = Counter()
    for index in range(600):
        chosen = choose_validators([], [GPT, GEMINI, DOUBAO], [], "two", 7, f"cnd_{index}")
        counts.update(chosen if isinstance(chosen, tuple) else ())
    assert all(350 < counts[validator] < 450 for validator in (GPT, GEMINI, DOUBAO))


@given(
    st.lists(st.sampled_from(["f", "g", "h", "i"]), max_size=3),
    validators,
    validators,
    st.sampled_from(["two", "all"]),
    st.randoms(use_true_random=False),
)
def test_no_family_that_touched_it_judges_and_the_order_given_does_not_matter(
    touched: list[str],
    panel: list[Validator],
    reserve: list[Validator],
    ask: Literal["two", "all"],
    random: Any,
) -> None:
    chosen = choose_validators(touched, panel, reserve, ask, 3, "cnd_1")
    left = [validator for validator in {*panel, *reserve} if validator.family not in touched]
    if isinstance(chosen, Shortage):
        assert len({validator.name for validator in left}) < 2
        return
    families = [validator.family for validator in chosen]
    assert not set(families) & set(touched)
    assert len({validator.name for validator in chosen}) == len(chosen) >= 2
    if ask == "two":
        assert len(chosen) == 2
        assert families[0] != families[1] or len({validator.family for validator in left}) == 1
    shuffled = random.sample(panel, len(panel))
    assert set(choose_validators(touched, shuffled, reserve, ask, 3, "cnd_1")) == set(chosen)  # type: ignore[arg-type]


def test_generators_editors_and_rewriters_have_all_touched_it(bench: Bench) -> None:
    candidate: FlawedSample = bench.candidate(
        Subtype.AMBIGUITY, (TextEdit(part=TextPart.CONTEXT, start=0, before="a", after="b"),)
    )
    first = candidate.flaws[0].model_copy(update={"families": ("openai",)})
    second = candidate.flaws[0].model_copy(update={"families": ("google", "openai")})
    both = candidate.model_copy(update={"flaws": (first, second)})
    assert touched_families(both, bench.sample(families=("alibaba",))) == {"openai", "google", "alibaba"}
    assert touched_families(candidate, bench.parent) == frozenset()


def test_one_of_another_family_verifies_a_premise_and_the_reserve_only_where_none_is_left() -> None:
    bench = [GPT, GEMINI, CLAUDE]
    drawn = {choose_verifier(["OpenAI"], bench, [QWEN], 1, f"prp_{number}") for number in range(40)}
    assert drawn == {GEMINI, CLAUDE}
    assert choose_verifier(["openai"], bench[::-1], [QWEN], 1, "prp_3") == choose_verifier(
        ["openai"], bench, [QWEN], 1, "prp_3"
    )
    assert choose_verifier(["openai", "google", "anthropic"], bench, [QWEN], 1, "prp_3") == QWEN
    assert choose_verifier(["openai"], [GPT, OTHER_GPT], [], 1, "prp_3") is None
