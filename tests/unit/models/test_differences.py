"""Why two requests have different keys, in words."""

import pytest

from core.calls import Proposal, Role
from core.model_specs import ModelSpec, Parameters
from core.records import Picture, Record
from models.base import ModelRequest
from models.differences import explain_difference
from models.requests import make_request


class Reply(Record):
    answer: str


class Other(Record):
    answer: int


PICTURE = Picture(sha256="a" * 64, media_type="image/png", width=4, height=3)
OTHER_BYTES = PICTURE.model_copy(update={"sha256": "b" * 64})
OTHER_WIDTH = PICTURE.model_copy(update={"width": 5})
SPEC = ModelSpec(provider="openai", name="m", family="f", parameters=Parameters(temperature=0.5))
PROPOSAL = Proposal(Role.GENERATOR, "p@1", "0" * 64, "You are kind.", ("Look at this.", PICTURE), Reply)
REQUEST = make_request(PROPOSAL, SPEC)


def changed(**update: object) -> ModelRequest:
    return REQUEST.model_copy(update=update)


def asked(*parts: str | Picture) -> ModelRequest:
    return make_request(Proposal(Role.GENERATOR, "p@1", "0" * 64, "You are kind.", parts, Reply), SPEC)


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (changed(model="n"), "the model is 'm' in the first and 'n' in the second"),
        (changed(base_url="http://a/v1"), "(`base_url`) is None in the first and 'http://a/v1' in the second"),
        (changed(system="You are cold."), "the system text differs from character 8 on: 'You are kind.' and 'You are "),
        (changed(parameters=Parameters(temperature=1)), "the parameter `temperature` is 0.5 in the first and 1.0"),
        (changed(draw=2), "the number of the draw is 0 in the first and 2 in the second"),
        (changed(wants_picture=True), "whether a picture is wanted is False"),
        (changed(scale_pictures_to=512), "(`scale_pictures_to`) is None in the first and 512"),
        (changed(structured="prompt"), "(`structured`) is 'json_schema' in the first and 'prompt'"),
        (asked("Look at that.", PICTURE), "the text that is part 1 of message 1 differs from character 10 on"),
        (
            asked("Look at this.", PICTURE.model_copy(update={"sha256": "b" * 64})),
            "has other bytes: aaaaaaaaaaaa (4x3)",
        ),
        (
            asked("Look at this.", PICTURE.model_copy(update={"width": 5})),
            "the same bytes of the picture that is part 2",
        ),
        (asked("Look at this."), "part 2 of message 1, a picture, stands only in the first"),
        (asked(PICTURE, PICTURE), "part 1 of message 1 is a text in the first and a picture in the second"),
        (make_request(PROPOSAL.followed_by("a", "b"), SPEC), "message 2 stands only in the second request"),
    ],
)
def test_one_difference_is_one_sentence(other: ModelRequest, said: str) -> None:
    sentences = explain_difference(REQUEST, other)
    assert said in sentences[0]
    assert len(sentences) == 1 + (len(other.messages) > 2)


def test_another_record_differs_in_its_schema() -> None:
    other = make_request(Proposal(Role.GENERATOR, "p@1", "0" * 64, "You are kind.", PROPOSAL.parts, Other), SPEC)
    name, schema = explain_difference(REQUEST, other)
    assert "'Reply' in the first and 'Other' in the second" in name
    assert "the schema of the reply differs" in schema


def test_all_differences_are_told_in_the_order_of_the_request() -> None:
    other = changed(model="n", draw=1, parameters=Parameters(temperature=0.1, seed=3))
    assert [sentence.split(" is ")[0] for sentence in explain_difference(REQUEST, other)] == [
        "the model",
        "the parameter `temperature`",
        "the parameter `seed`",
        "the number of the draw",
    ]


def test_equal_requests_differ_in_nothing() -> None:
    assert explain_difference(REQUEST, make_request(PROPOSAL, SPEC)) == ()


@pytest.mark.parametrize("name", ModelRequest.model_fields)
def test_every_field_can_be_explained(name: str) -> None:
    """A field that is added to requests and forgotten here would raise."""
    values = {
        "messages": (),
        "parameters": Parameters(max_tokens=1),
        "structured": "prompt",
        "wants_picture": True,
        "draw": 9,
        "scale_pictures_to": 64,
    }
    assert explain_difference(REQUEST, changed(**{name: values.get(name, "other")}))
