"""What a question to a model becomes before it is sent, and the name of it: a hash of everything that can change the
reply and of nothing else, so that a reply is found again exactly when the same would be asked."""

from functools import lru_cache

from core.calls import Proposal
from core.identity import canonical_json, content_hash
from core.model_specs import ModelSpec
from core.records import Picture, Record
from models.base import Message, ModelRequest, PicturePart, TextPart

WIRE_VERSION = 1
"""Goes up when the same request would be put to the providers in other words: no older reply is used then."""


def make_request(proposal: Proposal, spec: ModelSpec, draw: int = 0) -> ModelRequest:
    """`draw` (from 0) tells repeated asks of the same question apart."""
    reply = proposal.reply
    messages = [Message(role="user", parts=tuple(_part(part) for part in proposal.parts))]
    for turn in proposal.turns:
        messages.append(Message(role="assistant", parts=(TextPart(text=turn.said),)))
        messages.append(Message(role="user", parts=(TextPart(text=turn.told),)))
    return ModelRequest(
        provider=spec.provider,
        model=spec.name,
        base_url=spec.base_url.rstrip("/") if spec.base_url else None,
        system=proposal.system,
        messages=tuple(messages),
        reply_name=reply.__name__ if reply else None,
        reply_schema=_schema(reply) if reply else None,
        structured=spec.structured,
        wants_picture=proposal.wants_picture,
        parameters=spec.parameters,
        scale_pictures_to=spec.scale_pictures_to,
        draw=draw,
    )


def request_key(request: ModelRequest) -> str:
    """64 hex digits: the name of its reply in the reply store."""
    return content_hash([WIRE_VERSION, request])


def _part(part: str | Picture) -> TextPart | PicturePart:
    return TextPart(text=part) if isinstance(part, str) else PicturePart(picture=part)


@lru_cache(maxsize=256)
def _schema(reply: type[Record]) -> str:
    return canonical_json(reply.model_json_schema())
