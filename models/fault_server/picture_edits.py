"""Edited pictures: what an image model would send back, with a change that can be seen and measured."""

import base64
import io

from PIL import Image, ImageOps

from models.scripted_texts import Box

_MOVED = [(value + 128) % 256 for value in range(256)]


def recolour(data: str, place: Box) -> str:
    """A picture in base64, and the same as PNG, in which one rectangle has every colour moved by half its range.

    Raises ValueError for what is no picture."""
    try:
        with Image.open(io.BytesIO(_decode(data))) as opened:
            picture = ImageOps.exif_transpose(opened)
            picture = picture.convert("RGBA" if picture.has_transparency_data else "RGB")
    except OSError as error:
        raise ValueError(f"a picture cannot be decoded: {error}") from error
    box = place.pixels(*picture.size)
    region = picture.crop(box).point(_MOVED * len(picture.getbands()))
    if picture.mode == "RGBA":
        region.putalpha(picture.crop(box).getchannel("A"))
    picture.paste(region, box)
    made = io.BytesIO()
    picture.save(made, "PNG", compress_level=1)
    return base64.b64encode(made.getvalue()).decode("ascii")


def _decode(data: str) -> bytes:
    """Google's SDK sends the alphabet that is safe in addresses, all others the plain one."""
    return base64.b64decode(data.replace("-", "+").replace("_", "/"), validate=True)
