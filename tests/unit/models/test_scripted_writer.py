"""The scripted writer against the very checks that a model's replies have to pass."""

import json
import random
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.calls import Answer, AnswerStatus, Proposal
from core.pictures import decode_rgb, encode_png
from core.prompts import fence
from core.records import Blob, Language, Sample, Subject
from core.votes import Verdict
from filters.twins import propose_twin
from filters.verdicts import read_verdict
from injectors.base import Injection, PromptContext, Rejection
from injectors.prompted import source_rewriting
from injectors.prompted.ambiguity import AMBIGUITY
from injectors.prompted.beyond_capability import BEYOND_CAPABILITY
from injectors.prompted.cross_modal_contradiction import CROSS_MODAL_CONTRADICTION
from injectors.prompted.inter_visual_contradiction import INTER_VISUAL_CONTRADICTION
from injectors.prompted.intra_textual_contradiction import INTRA_TEXTUAL_CONTRADICTION
from injectors.prompted.layout import show_question
from injectors.prompted.replies import PictureEditReply, RewritingReply
from injectors.prompted.text_flaws import TextFlaw
from injectors.prompted.unclear_intent import UNCLEAR_INTENT
from models.schema_filling import fill_schema
from models.scripted_texts import Place, quotation_of, read_box
from models.scripted_writer import write

PICTURE = encode_png(np.random.default_rng(0).integers(0, 256, (60, 80, 3), np.uint8))
FLAWS: list[Any] = [
    AMBIGUITY,
    UNCLEAR_INTENT,
    CROSS_MODAL_CONTRADICTION,
    INTRA_TEXTUAL_CONTRADICTION,
    BEYOND_CAPABILITY,
]


def make_sample(context: str | None, query: str | None, *options: str, chinese: bool = False) -> Sample:
    return Sample(
        source="test",
        source_id="1",
        context=context,
        query=query,
        options=options,
        pictures=(PICTURE.picture,),
        subject=Subject.PHYSICS,
        language=Language.CHINESE if chinese else Language.ENGLISH,
        licence="CC0-1.0",
        attribution="us",
    )


SAMPLES = {
    "numbers": make_sample(
        "A crate of 12 kg slides down the ramp in <image 1>. The ramp is 5 m long.", "How fast is it at the end?"
    ),
    "no_numbers": make_sample(None, "Which animal stands behind the fence in <image 1>?", "horse", "cow"),
    "formulas": make_sample(
        r"In <image 1> the load is $F = 10\,\text{N}$ and the angle is \(\alpha = 30^\circ\).",
        r"Determine $F_x$ in newtons.",
    ),
    "repeated": make_sample("It is 5 m to A, 5 m to B and 5 m to C in <image 1>.", "Which is 5 m away?"),
    "chinese": make_sample(
        "如<image 1>所示，木块的质量为 5 kg，斜面长 2 m。", "求木块滑到底端时的速度。", chinese=True
    ),
    "chinese_words": make_sample(None, "<image 1>中站在栅栏后面的是哪种动物？", "马", "牛", chinese=True),
}
LANGUAGE = {Language.ENGLISH: "Write new words in English", Language.CHINESE: "Write new words in Chinese"}
CONTEXT = PromptContext(random.Random(0), lambda _: PICTURE.data, few_shot=0)


def prompt_of(sample: Sample) -> str:
    return "\n\n".join(part for part in show_question(sample) if isinstance(part, str))


def make_answer(text: str, value: Any = None, pictures: tuple[Blob, ...] = ()) -> Answer:
    return Answer(AnswerStatus.OK, text, "scripted:x", "scripted", "cal_0", value=value, pictures=pictures)


@pytest.mark.parametrize("turns", [0, 1, 2])
@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
@pytest.mark.parametrize("flaw", FLAWS, ids=lambda flaw: flaw.subtype)
def test_flaws_pass_the_checks_of_their_injector(flaw: TextFlaw[Any], sample: Sample, turns: int) -> None:
    text = write(LANGUAGE[sample.language], prompt_of(sample), flaw.reply.model_json_schema(), turns)
    made = flaw.accept(sample, (make_answer(text, flaw.reply.model_validate_json(text)),), CONTEXT)
    assert isinstance(made, Injection), made


def test_a_repaired_flaw_is_another_one() -> None:
    schema = AMBIGUITY.reply.model_json_schema()
    said = {write("", prompt_of(SAMPLES["numbers"]), schema, turns) for turns in range(2)}
    assert len(said) == 2


def test_examples_in_a_prompt_are_not_the_question() -> None:
    example = "\n".join([fence("example 1 context", "An example of 99 kg."), fence("context", "quoted 77 kg")])
    text = write("", f"{example}\n{prompt_of(SAMPLES['numbers'])}", AMBIGUITY.reply.model_json_schema(), 0)
    assert json.loads(text)["edits"][0]["original_span"] in (SAMPLES["numbers"].context or "")


@pytest.mark.parametrize("name", ["numbers", "formulas", "repeated"])
def test_rewordings_pass_their_checks(name: str) -> None:
    sample = SAMPLES[name]
    text = write("", prompt_of(sample), RewritingReply.model_json_schema(), 0)
    made = source_rewriting.accept(sample, (make_answer(text, RewritingReply.model_validate_json(text)),), CONTEXT)
    assert isinstance(made, Sample), made


def test_a_picture_edit_names_its_place_so_that_the_editor_finds_it() -> None:
    sample = SAMPLES["numbers"]
    text = write("", prompt_of(sample), PictureEditReply.model_json_schema(), 0)
    reply = PictureEditReply.model_validate_json(text)
    step = INTER_VISUAL_CONTRADICTION.accept(sample, (make_answer(text, reply),), CONTEXT)
    assert isinstance(step, Proposal)
    place = read_box("\n\n".join(part for part in step.parts if isinstance(part, str)))
    assert place is not None
    assert np.allclose(place, list(reply.box.model_dump().values()), atol=0.006)
    pixels = decode_rgb(PICTURE.data).copy()
    left, top, right, bottom = place.pixels(80, 60)
    pixels[top:bottom, left:right] = 0
    edited = encode_png(pixels)
    made = INTER_VISUAL_CONTRADICTION.accept(
        sample, (make_answer(text, reply), make_answer("", pictures=(edited,))), CONTEXT
    )
    assert isinstance(made, Injection), made


def test_three_of_four_items_pass_and_all_verdicts_are_read() -> None:
    verdicts: list[Verdict] = []
    for number in range(400):
        proposal = propose_twin(make_sample(f"Item {number}", "What?"))
        text = "\n\n".join(part for part in proposal.parts if isinstance(part, str))
        verdicts.append(read_verdict(make_answer(write(proposal.system, text, None, 0)), "VALID").verdict)
    assert set(verdicts) == {Verdict.PASS, Verdict.FAIL}
    assert 0.68 < verdicts.count(Verdict.PASS) / len(verdicts) < 0.82


def test_a_verdict_depends_on_the_item_alone() -> None:
    item, menu = fence("item", "2 + 2 = ?"), "End with:\nTYPE: PASS|FAIL\nUNANSWERABLE: PASS|FAIL"
    said = write("", f"One prompt.\n{item}\n{menu}", None, 0)
    assert said == write("other", f"Another prompt.\n{item}\nMore.\n{menu}", None, 1)
    assert re.findall(r"^(\w+): (?:PASS|FAIL)$", said, re.MULTILINE) == ["TYPE", "UNANSWERABLE"]


def test_blind_solvers_mostly_say_that_they_cannot() -> None:
    end = "End with one line:\nANSWER: the letter\nor\nANSWER: CANNOT"
    said = [write("", f"{fence('item', str(number))}\n{end}", None, 0) for number in range(100)]
    assert 60 < sum(text.endswith("\nANSWER: CANNOT") for text in said) < 90


def test_free_text_differs_by_prompt_and_is_the_same_for_the_same_one() -> None:
    assert write("s", "one", None, 0) == write("s", "one", None, 0)
    assert len({write("s", "one", None, 0), write("s", "two", None, 0), write("t", "one", None, 0)}) == 3
    assert write("s", "\ud800", None, 0)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"enum": ["b", "a"]}, "b"),
        ({"const": 7}, 7),
        ({"type": "boolean"}, True),
        ({"type": "null"}, None),
        ({"type": "string", "minLength": 20, "maxLength": 21}, "scriptedscriptedscrip"),
        ({"type": "string", "maxLength": 3}, "scr"),
        ({"type": "array", "items": {"type": "string"}}, []),
        ({"type": "array", "minItems": 2, "items": {"type": "integer"}}, [0, 0]),
        ({"type": "array", "prefixItems": [{"type": "integer"}, {"type": "boolean"}], "minItems": 2}, [0, True]),
        ({"type": "integer", "minimum": 3}, 3),
        ({"type": "integer", "exclusiveMinimum": 0}, 1),
        ({"type": "integer", "maximum": -2}, -2),
        ({"type": "integer", "minimum": 3, "multipleOf": 5}, 5),
        ({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}, 0.5),
        ({"anyOf": [{"type": "null"}, {"type": "integer"}]}, 0),
        ({"type": ["string", "null"]}, "scripted"),
        ({"type": "OBJECT", "properties": {"a": {"type": "STRING"}}}, {"a": "scripted"}),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"type": "integer"}}}, 0),
        ({"allOf": [{"type": "integer"}], "minimum": 2}, 2),
    ],
    ids=str,
)
def test_a_schema_is_filled_with_the_smallest_value(schema: dict[str, Any], value: object) -> None:
    filled = fill_schema(schema)
    assert filled == value
    assert type(filled) is type(value) or isinstance(value, int)


def test_a_schema_that_holds_itself_ends_with_null_where_it_may() -> None:
    node = {"type": "object", "properties": {"next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]}}}
    filled = fill_schema({"$ref": "#/$defs/node", "$defs": {"node": node}})
    assert json.dumps(filled).endswith("null" + "}" * json.dumps(filled).count("{"))
    endless = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}
    with pytest.raises(ValueError, match="without end"):
        fill_schema({"$ref": "#/$defs/node", "$defs": {"node": endless}})


@given(
    low=st.integers(-50, 50),
    width=st.integers(0, 60),
    step=st.integers(1, 7),
)
def test_a_filled_number_keeps_its_bounds(low: int, width: int, step: int) -> None:
    multiples = [value for value in range(low, low + width + 1) if value % step == 0]
    value = fill_schema({"type": "integer", "minimum": low, "maximum": low + width, "multipleOf": step})
    assert not multiples or value in multiples


@given(text=st.text(alphabet="ab 1<é求", min_size=1, max_size=40), data=st.data())
def test_a_quotation_stands_in_its_text_exactly_once(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    quotation = quotation_of(Place("query", text, start, end))
    assert quotation.start <= start <= end <= quotation.end
    assert len(re.findall(f"(?={re.escape(quotation.words)})", text)) == 1 or quotation.words == ""


@given(
    context=st.one_of(st.none(), st.text(max_size=60)),
    query=st.text(max_size=60),
    turns=st.integers(0, 3),
)
def test_any_text_gets_a_reply_that_fits(context: str | None, query: str, turns: int) -> None:
    sample = make_sample(context, query, "1", "2")
    for flaw in FLAWS:
        text = write("", prompt_of(sample), flaw.reply.model_json_schema(), turns)
        reply = flaw.reply.model_validate_json(text)
        assert isinstance(flaw.accept(sample, (make_answer(text, reply),), CONTEXT), Injection | Rejection)
