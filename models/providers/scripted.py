"""No model: replies by fixed rules, for tests and demonstrations without a key or a socket. Everything else of a call,
from the prompt to the lineage, is as with a model, and what comes of it says `scripted`."""

import asyncio
import json

from core.calls import AnswerStatus
from core.pictures import PictureError, decode_rgb, encode_png
from core.records import Blob, Picture
from models.base import CallError, FailureKind, ModelRequest, Parsed, ReadPicture, Received, TextPart, Usage
from models.providers.bodies import Wire, read_body
from models.scripted_texts import drawn_box, read_box
from models.scripted_writer import write


class ScriptedProvider:
    async def ask(self, request: ModelRequest, read_picture: ReadPicture, timeout_seconds: float) -> Received:
        """Raises CallError for a picture that cannot be decoded."""
        first = request.messages[0].parts
        text = "\n\n".join(part.text for part in first if isinstance(part, TextPart))
        said, blobs = "", ()
        if request.wants_picture:
            shown = [part.picture for part in first if not isinstance(part, TextPart)]
            blobs = tuple([await asyncio.to_thread(_edit, picture, text, read_picture) for picture in shown[:1]])
        else:
            schema = json.loads(request.reply_schema) if request.reply_schema else None
            turns = sum(message.role == "assistant" for message in request.messages)
            shown = [part.picture.sha256 for part in first if not isinstance(part, TextPart)]
            said = write(request.system, text, schema, turns, shown)
        body = _Reply(scripted=said, model=request.model, pictures=tuple(blob.picture.sha256 for blob in blobs))
        return Received(body.model_dump_json(), blobs=blobs)

    async def close(self) -> None:
        """Nothing is open."""


def parse_scripted(body: str) -> Parsed:
    """Raises ValueError for a body that is no scripted reply."""
    reply = read_body(body, _Reply)
    empty = not reply.scripted and not reply.pictures
    return Parsed(
        status=AnswerStatus.EMPTY if empty else AnswerStatus.OK,
        text=reply.scripted,
        finish_reason="stop",
        usage=Usage(),
        model_reported=reply.model,
        pictures=reply.pictures,
        detail="no picture to edit" if empty else "",
    )


class _Reply(Wire):
    scripted: str
    model: str
    pictures: tuple[str, ...] = ()


def _edit(picture: Picture, text: str, read_picture: ReadPicture) -> Blob:
    """The picture with one rectangle in other colours, where the text says or else decides."""
    try:
        pixels = decode_rgb(read_picture(picture)).copy()
    except PictureError as error:
        raise CallError(FailureKind.PERMANENT, f"Picture {picture.sha256[:12]} cannot be edited: {error}") from error
    height, width = pixels.shape[:2]
    left, top, right, bottom = (read_box(text) or drawn_box(text)).pixels(width, height)
    pixels[top:bottom, left:right] += 128  # goes round at 256, so that every colour changes
    return encode_png(pixels)
