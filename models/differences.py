"""Why a stored reply was not used: in which parts two requests differ, in words. A key alone only says that they do."""

from itertools import zip_longest

from core.model_specs import Parameters
from models.base import Message, ModelRequest, PicturePart, TextPart

_AROUND = 30
_PLAIN = {
    "provider": "the provider",
    "model": "the model",
    "base_url": "the address of the server (`base_url`)",
    "reply_name": "the name of the reply's record",
    "structured": "how a JSON reply is asked for (`structured`)",
    "wants_picture": "whether a picture is wanted",
    "scale_pictures_to": "the size to which pictures are scaled (`scale_pictures_to`)",
    "draw": "the number of the draw",
}
_TEXTS = {"system": "the system text", "reply_schema": "the schema of the reply"}


def explain_difference(one: ModelRequest, other: ModelRequest) -> tuple[str, ...]:
    """One sentence for each part, in the order of the request; empty when the requests are the same."""
    found: list[str] = []
    for name in ModelRequest.model_fields:
        before, after = getattr(one, name), getattr(other, name)
        if before == after:
            continue
        if name == "messages":
            found += _messages(one.messages, other.messages)
        elif name == "parameters":
            found += _parameters(one.parameters, other.parameters)
        elif name in _TEXTS:
            found.append(_text(_TEXTS[name], before or "", after or ""))
        else:
            found.append(_value(_PLAIN[name], before, after))
    return tuple(found)


def _parameters(one: Parameters, other: Parameters) -> list[str]:
    pairs = [(name, getattr(one, name), getattr(other, name)) for name in Parameters.model_fields]
    return [_value(f"the parameter `{name}`", before, after) for name, before, after in pairs if before != after]


def _messages(one: tuple[Message, ...], other: tuple[Message, ...]) -> list[str]:
    found: list[str] = []
    for number, (before, after) in enumerate(zip_longest(one, other), start=1):
        if before is None or after is None:
            found.append(f"message {number} stands only in the {'first' if after is None else 'second'} request")
        elif before.role != after.role:
            found.append(_value(f"the role of message {number}", before.role, after.role))
        elif before != after:
            found += _parts(number, before, after)
    return found


def _parts(message: int, one: Message, other: Message) -> list[str]:
    found: list[str] = []
    for number, (before, after) in enumerate(zip_longest(one.parts, other.parts), start=1):
        where = f"part {number} of message {message}"
        match before, after:
            case TextPart(), TextPart() if before != after:
                found.append(_text(f"the text that is {where}", before.text, after.text))
            case PicturePart(), PicturePart() if before != after:
                found.append(_picture(where, before, after))
            case (None, part) | (part, None) if part is not None:
                found.append(f"{where}, a {part.kind}, stands only in the {'second' if before is None else 'first'}")
            case _ if before != after and before and after:
                found.append(f"{where} is a {before.kind} in the first and a {after.kind} in the second")
            case _:
                pass
    return found


def _picture(where: str, one: PicturePart, other: PicturePart) -> str:
    before, after = one.picture, other.picture
    if before.sha256 == after.sha256:
        return f"the same bytes of the picture that is {where} are described differently: {before!r} and {after!r}"
    return (
        f"the picture that is {where} has other bytes: {before.sha256[:12]} ({before.width}x{before.height}) and "
        f"{after.sha256[:12]} ({after.width}x{after.height})"
    )


def _text(what: str, one: str, other: str) -> str:
    """With the first place at which the texts part."""
    at = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"{what} differs from character {at} on: {_around(one, at)} and {_around(other, at)}"


def _around(text: str, at: int) -> str:
    cut = text[max(0, at - _AROUND) : at + _AROUND]
    return repr(("..." if at > _AROUND else "") + cut + ("..." if at + _AROUND < len(text) else ""))


def _value(what: str, before: object, after: object) -> str:
    return f"{what} is {before!r} in the first and {after!r} in the second"
