"""The key of a request: everything that can change the reply, and nothing else."""

import hashlib
from collections.abc import Callable
from dataclasses import replace

import pytest

from core.calls import Proposal, Role
from core.model_specs import RUNTIME_FIELDS, Limits, ModelSpec, Parameters
from core.records import Picture, Record
from models.base import ModelRequest
from models.requests import make_request, request_key


class Reply(Record):
    answer: str


class OtherReply(Record):
    answer: str
    why: str


PICTURE = Picture(sha256="a" * 64, media_type="image/png", width=4, height=3)
SPEC = ModelSpec(provider="openai", name="model-1", family="maker", parameters=Parameters(temperature=0.5))
PROPOSAL = Proposal(
    role=Role.GENERATOR, prompt="p@1", prompt_hash="0" * 64, system="system", parts=("text", PICTURE), reply=Reply
)
FIELDS_OF_REQUEST = {
    "provider": "provider",
    "name": "model",
    "base_url": "base_url",
    "parameters": "parameters",
    "structured": "structured",
    "scale_pictures_to": "scale_pictures_to",
}
"""Where the fields of a model that can change a reply stand in its requests."""
FIELDS_OF_PROPOSAL = {"system", "messages", "reply_name", "reply_schema", "wants_picture", "draw"}


def key(proposal: Proposal = PROPOSAL, spec: ModelSpec = SPEC, draw: int = 0) -> str:
    return request_key(make_request(proposal, spec, draw))


def test_every_field_of_a_model_is_in_the_request_or_in_the_table_of_those_that_cannot_change_a_reply() -> None:
    assert FIELDS_OF_REQUEST.keys() | RUNTIME_FIELDS == ModelSpec.model_fields.keys()
    assert FIELDS_OF_REQUEST.keys().isdisjoint(RUNTIME_FIELDS)


def test_every_field_of_a_request_comes_from_a_model_or_a_proposal() -> None:
    assert set(FIELDS_OF_REQUEST.values()) | FIELDS_OF_PROPOSAL == ModelRequest.model_fields.keys()


def test_a_key_is_a_sha256_and_the_same_every_time() -> None:
    assert key() == key()
    assert len(key()) == 64
    assert set(key()) <= set("0123456789abcdef")


def test_a_key_does_not_change_from_release_to_release() -> None:
    """Written out by hand: a change would leave every stored reply unused. Raise WIRE_VERSION if it is meant."""
    request = (
        '[1,{"base_url":null,"draw":0,"messages":[{"parts":[{"kind":"text","text":"text"},{"kind":"picture","picture":'
        '{"height":3,"media_type":"image/png","sha256":"'
        + "a"
        * 64
        + '","width":4}}],"role":"user"}],"model":"model-1",'
        '"parameters":{"max_tokens":8192,"reasoning_effort":null,"seed":null,"temperature":0.5,"thinking_budget":null,'
        '"top_p":null},"provider":"openai","reply_name":null,"reply_schema":null,"scale_pictures_to":null,'
        '"structured":"json_schema","system":"system","wants_picture":false}]'
    )
    assert key(replace(PROPOSAL, reply=None)) == hashlib.sha256(request.encode()).hexdigest()


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda spec: spec.model_copy(update={"key_variable": "KEY"}), id="key_variable"),
        pytest.param(lambda spec: spec.model_copy(update={"price": "other"}), id="price"),
        pytest.param(lambda spec: spec.model_copy(update={"limits": Limits(concurrency=1)}), id="limits"),
        pytest.param(lambda spec: spec.model_copy(update={"timeout_seconds": 1.0}), id="timeout"),
        pytest.param(lambda spec: spec.model_copy(update={"attempts": 1}), id="attempts"),
        pytest.param(lambda spec: spec.model_copy(update={"batch": True}), id="batch"),
        pytest.param(lambda spec: spec.model_copy(update={"family": "other"}), id="family"),
    ],
)
def test_what_cannot_change_a_reply_does_not_change_the_key(change: Callable[[ModelSpec], ModelSpec]) -> None:
    assert key(spec=change(SPEC)) == key()


@pytest.mark.parametrize(
    "update",
    [
        {"provider": "anthropic"},
        {"name": "model-2"},
        {"base_url": "http://127.0.0.1:1/v1"},
        {"parameters": Parameters(temperature=0.5, max_tokens=9)},
        {"parameters": Parameters(temperature=0.6)},
        {"structured": "prompt"},
        {"scale_pictures_to": 512},
    ],
    ids=lambda update: "-".join(update),
)
def test_what_can_change_a_reply_of_the_model_changes_the_key(update: dict[str, object]) -> None:
    assert key(spec=SPEC.model_copy(update=update)) != key()


@pytest.mark.parametrize(
    "changed",
    [
        replace(PROPOSAL, system="System"),
        replace(PROPOSAL, parts=("text ", PICTURE)),
        replace(PROPOSAL, parts=(PICTURE, "text")),
        replace(PROPOSAL, parts=("text", PICTURE.model_copy(update={"sha256": "b" * 64}))),
        replace(PROPOSAL, reply=None),
        replace(PROPOSAL, reply=OtherReply),
        replace(PROPOSAL, wants_picture=True),
        PROPOSAL.followed_by("said", "told"),
    ],
    ids=["system", "text", "order", "picture", "free_text", "schema", "wants_picture", "turn"],
)
def test_what_can_change_a_reply_of_the_proposal_changes_the_key(changed: Proposal) -> None:
    assert key(changed) != key()


def test_another_draw_is_another_request() -> None:
    assert len({key(draw=draw) for draw in range(5)}) == 5


def test_the_role_and_the_name_of_the_prompt_do_not_count() -> None:
    assert key(replace(PROPOSAL, role=Role.VALIDATOR, prompt="q@2", prompt_hash="1" * 64)) == key()


def test_an_address_with_a_last_slash_is_the_same_address() -> None:
    plain, slashed = (SPEC.model_copy(update={"base_url": url}) for url in ("http://a/v1", "http://a/v1/"))
    assert key(spec=plain) == key(spec=slashed)


def test_turns_become_messages_in_order() -> None:
    request = make_request(PROPOSAL.followed_by("one", "two").followed_by("three", "four"), SPEC)
    assert [message.role for message in request.messages] == ["user", "assistant", "user", "assistant", "user"]
    assert [part.text for message in request.messages[1:] for part in message.parts if part.kind == "text"] == [
        "one",
        "two",
        "three",
        "four",
    ]
