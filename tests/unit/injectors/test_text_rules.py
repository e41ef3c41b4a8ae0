"""What holds for all five text injectors, whatever they are given: the promises of the record and of the text."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.image_tokens import numbers_in, token
from core.pictures import Pixels
from core.records import Language, Picture, Sample, Subject, TextEdit, TextPart, TextRemoval
from core.seeding import stream
from injectors.ambiguity import AMBIGUITY
from injectors.base import Injection, InjectionContext, Rejection, RejectionReason, RuleInjector
from injectors.beyond_capability import BEYOND_CAPABILITY
from injectors.cross_modal_contradiction import CROSS_MODAL_CONTRADICTION
from injectors.intra_textual_contradiction import INTRA_TEXTUAL_CONTRADICTION
from injectors.rewriting import restore
from injectors.unclear_intent import UNCLEAR_INTENT

INJECTORS: tuple[RuleInjector, ...] = (
    AMBIGUITY,
    UNCLEAR_INTENT,
    CROSS_MODAL_CONTRADICTION,
    INTRA_TEXTUAL_CONTRADICTION,
    BEYOND_CAPABILITY,
)
EACH = pytest.mark.parametrize("injector", INJECTORS, ids=lambda injector: injector.subtype.value)
ENGLISH = (
    "The red car in <image 1> wants to "
"leave.", "There are eight cars in the garage, as shown.", "A block has a mass of 2 kg.",
    "Resistor R1 and resistor R2 are connected in "
"series.", r"In $\triangle ABC$, $AB=10$ and $M$ is the midpoint of $AB$.",
    r"Given $m=0.40 \mathrm{~kg}$ and $v=3 \mathrm{~m}$.", "It costs $5 or $ 7.", "A ball hits the block.",
    "<image 2>", "\n",
    r"\(x = 3\)", "Tom has 12 coins.", "\U0001f600 caf\u00e9.", "for example, $k=2$.",
)  # fmt: skip
ENGLISH_GOALS = (
    "What is the current through "
"resistor R2?", "Find the length of $AB$.", "How fast is the block?", "The area of the shaded region is",
    "Which car is the longest?", "What is the value of $x$? "
"<image 1>", "", "?", "$", "Determine", "How many red cars are there?\n<image 1>",
)  # fmt: skip
CHINESE = (
    "如图，在△ABC中，∠ACB＝90°，D是AB的中点，AB＝10。", "质量为2 kg的物块放在木板上。", "<image 1>中有红球和蓝球。",
    "$物体的速度为v_1，碰撞时间为0.05 s。$",
    "图中有四个红色的圆点。", "\n", "$x^2=3$", "甲车和乙车同时出发，", "例如k＝2。",
)  # fmt: skip
CHINESE_GOALS = (
    "求CD的长。", "则∠BOC＝（）", "求物块的加速度。", "$试求实数m的取值范围.$", "哪种球的个数最多？",
    "红球有多少个？<image 1>", "", "则", "求", "求甲车的速度。"
)  # fmt: skip


def picture(index: int) -> Picture:
    return Picture(sha256=f"{index:064x}", media_type="image/png", width=9, height=9)


@st.composite
def samples(draw: st.DrawFn) -> Sample:
    language = draw(st.sampled_from(Language))
    pieces, goals = (ENGLISH, ENGLISH_GOALS) if language is Language.ENGLISH else (CHINESE, CHINESE_GOALS)
    join = " ".join if language is Language.ENGLISH else "".join
    told = join(draw(st.lists(st.sampled_from(pieces), max_size=4)))
    goal = draw(st.sampled_from(goals))
    in_one = draw(st.booleans())
    context = None if in_one else draw(st.sampled_from((told, told, None, "")))
    query = join((told, goal)) if in_one else draw(st.sampled_from((goal, goal, None)))
    number = draw(st.sampled_from((0, 1, 5)))
    options = draw(st.sampled_from(((), (), ("2 A", "3 A"), ("A", "B"), ("Yes", "No"), ("None", "<image 1>"))))
    return Sample(
        source="test", source_id="1", context=context, query=query, options=options, subject=Subject.PHYSICS,
        language=language,
        pictures=tuple(picture(index) for index in range(number)), licence="CC0-1.0", attribution="test",
        question_in_picture=draw(st.sampled_from((False, False, False, True))),
    )  # fmt: skip


def never_read(picture: Picture) -> Pixels:
    raise AssertionError(f"a text injector read {picture.sha256}")


def apply(injector: RuleInjector, sample: Sample, seed: int = 1) -> Injection | Rejection:
    return injector.apply(sample, InjectionContext(stream(seed, sample.id, injector.subtype), never_read))


def check_promises(injector: RuleInjector, sample: Sample, seed: int) -> bool:
    """Whether the sample was taken, not refused."""
    before = sample.model_dump_json()
    result = apply(injector, sample, seed)
    assert sample.model_dump_json() == before
    assert apply(injector, sample, seed) == result
    if isinstance(result, Rejection):
        assert result.detail
        return False
    candidate, flaw = result.candidate, result.candidate.flaws[0]
    assert (flaw.subtype, flaw.generator, flaw.families) == (injector.subtype, "rules", ())
    assert (candidate.context, candidate.query) != (sample.context, sample.query)
    assert candidate.pictures == sample.pictures
    assert result.blobs == ()
    check_part(sample.context, candidate.context, TextPart.CONTEXT, flaw.edits)
    check_part(sample.query, candidate.query, TextPart.QUERY, flaw.edits)
    dropped = TextRemoval(part=TextPart.OPTIONS) in flaw.edits
    assert candidate.options == (() if dropped else sample.options)
    return True


def check_part(old: str | None, new: str | None, part: TextPart, edits: tuple[object, ...]) -> None:
    own = [edit for edit in edits if isinstance(edit, TextEdit) and edit.part is part]
    assert all(edit.before != edit.after for edit in own)
    if old is None or new is None:
        assert old == new and not own
        return
    assert restore(new, own) == old
    assert numbers_in(new) == numbers_in(old)
    assert old.count("$") % 2 or not new.count("$") % 2
    assert "\n\n\n" not in new or "\n\n\n" in old


@EACH
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sample=samples(), seed=st.integers(0, 5))
def test_the_record_leads_back_and_all_else_stays(injector: RuleInjector, sample: Sample, seed: int) -> None:
    check_promises(injector, sample, seed)


@EACH
@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        pytest.param({"query": None}, RejectionReason.NO_TEXT, id="no query"),
        pytest.param({"query": " <image 1> "}, RejectionReason.NO_TEXT, id="only a picture token"),
        pytest.param({"question_in_picture": True}, RejectionReason.QUESTION_IN_PICTURE, id="question in the picture"),
        pytest.param({"query": "import os\nWhat does it print?"}, RejectionReason.NOTHING_TO_CHANGE, id="program"),
    ],
)
def test_what_has_no_request_in_its_text_is_refused(
    injector: RuleInjector, changes: dict[str, object], reason: RejectionReason, starter: list[Sample]
) -> None:
    sample = next(one for one in starter if one.pictures and one.language is Language.ENGLISH)
    result = apply(injector, Sample.model_validate(sample.model_dump() | changes))
    assert isinstance(result, Rejection)
    assert result.reason is reason


@pytest.fixture(scope="module")
def starter(root: Path) -> list[Sample]:
    lines = (root / "starter" / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [as_sample(json.loads(line)) for line in lines]


def as_sample(row: dict[str, object]) -> Sample:
    names = row.pop("pictures")
    assert isinstance(names, list)
    pictures = tuple(picture(index) for index in range(len(names)))
    identity = row.pop("id")
    return Sample.model_validate({"source": "starter", "source_id": identity, "pictures": pictures, **row})


@EACH
def test_the_starter_set_keeps_the_promises_and_serves_both_languages(
    injector: RuleInjector, starter: list[Sample]
) -> None:
    made: dict[Language, int] = dict.fromkeys(Language, 0)
    for sample in starter:
        made[sample.language] += check_promises(injector, sample, 1)
    english = sum(sample.language is Language.ENGLISH for sample in starter)
    assert made[Language.ENGLISH] >= 0.2 * english
    assert made[Language.CHINESE] >= 0.2 * (len(starter) - english)


LEAKS = (
    "ambig", "unclear", "contradict", "vague", "inconsisten", "flaw", "impossible", "cannot be known", "missing",
    "矛盾", "歧义", "模糊", "不明确", "缺失",
)  # fmt: skip


@EACH
def test_no_text_says_that_something_is_wrong_with_it(injector: RuleInjector, starter: list[Sample]) -> None:
    for sample in starter:
        result = apply(injector, sample)
        if isinstance(result, Injection):
            added = [edit.after.lower() for edit in result.candidate.flaws[0].edits if isinstance(edit, TextEdit)]
            assert not [leak for leak in LEAKS if any(leak in text for text in added)]


@pytest.fixture(scope="module")
def real_rows(shared: Path) -> list[Sample]:
    return [sample for name, read in TEXTS.items() for sample in read(shared / "sources" / name)]


@EACH
def test_real_rows_keep_the_promises(injector: RuleInjector, real_rows: list[Sample]) -> None:
    assert len(real_rows) > 150
    assert sum([check_promises(injector, sample, 2) for sample in real_rows]) > 15


def read_questions(folder: Path) -> list[Sample]:
    samples: list[Sample] = []
    for path in sorted(folder.glob("records*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            text = str(row.get("question") or "").replace("<image_", "<image ").replace("<image1>", token(1))
            chinese = sum("\u4e00" <= mark <= "\u9fff" for mark in text) > 5
            samples.append(
                Sample(
                    source=folder.name,
                    source_id=str(row.get("id") or row.get("pid")),
                    context=row.get("context") or None,
                    query=text or None,
                    pictures=(picture(1),),
                    subject=Subject.PHYSICS,
                    licence="x",
                    attribution="x",
                    language=Language.CHINESE if chinese else Language.ENGLISH,
                )
            )
    return samples


TEXTS: dict[str, Callable[[Path], list[Sample]]] = dict.fromkeys(
    ("emma", "math_vision", "mathvista", "mmmu_pro", "olympiadbench"), read_questions
)
