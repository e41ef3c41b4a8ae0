import asyncio
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.calls import AnswerStatus
from core.model_specs import Parameters
from core.pictures import decode_rgb, encode_png
from core.records import Blob, Picture
from models.base import Message, ModelRequest, PicturePart, Received, TextPart
from models.providers.scripted import ScriptedProvider, parse_scripted

SCHEMA = json.dumps({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]})


def ask(*parts: TextPart | PicturePart, blob: Blob | None = None, schema: str | None = None) -> Received:
    request = ModelRequest(
        provider="scripted",
        model="s",
        base_url=None,
        system="Be exact.",
        messages=(Message(role="user", parts=parts),),
        reply_schema=schema,
        wants_picture=blob is not None,
        parameters=Parameters(),
    )

    def read(picture: Picture) -> bytes:
        assert blob is not None
        return blob.data

    return asyncio.run(ScriptedProvider().ask(request, read, 1.0))


def test_the_same_question_has_the_same_reply_and_another_one_another() -> None:
    first, again, other = (ask(TextPart(text=text)) for text in ("a", "a", "b"))
    assert first == again
    assert first.body != other.body


def test_a_reply_with_a_schema_is_json_of_that_shape() -> None:
    parsed = parse_scripted(ask(TextPart(text="a"), schema=SCHEMA).body)
    assert parsed.status is AnswerStatus.OK
    assert set(json.loads(parsed.text)) == {"a"}


@given(st.integers(16, 70), st.integers(16, 70), st.text(max_size=5))
def test_an_edited_picture_differs_inside_one_rectangle_alone(width: int, height: int, text: str) -> None:
    blob = encode_png(np.random.default_rng(width).integers(0, 256, (height, width, 3), dtype=np.uint8))
    received = ask(TextPart(text=text), PicturePart(picture=blob.picture), blob=blob)
    (made,) = received.blobs
    before, after = decode_rgb(blob.data), decode_rgb(made.data)
    rows, columns = np.nonzero((before != after).any(axis=2))
    tall, wide = int(np.ptp(rows)) + 1, int(np.ptp(columns)) + 1
    assert after.shape == before.shape
    assert len(rows) == tall * wide
    assert 0.05 < len(rows) / (height * width) < 0.3
    assert parse_scripted(received.body).pictures == (made.picture.sha256,)


def test_an_edit_without_a_picture_is_empty() -> None:
    blob = encode_png(np.zeros((20, 20, 3), dtype=np.uint8))
    assert parse_scripted(ask(TextPart(text="a"), blob=blob).body).status is AnswerStatus.EMPTY


@pytest.mark.parametrize("body", ["", "{}", '{"choices": []}'])
def test_what_is_no_scripted_reply_is_an_error(body: str) -> None:
    with pytest.raises(ValueError):
        parse_scripted(body)
