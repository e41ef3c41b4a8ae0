"""Bytes to pixels and back, at one place: format by content and never by name, EXIF rotation applied once, alpha over
white, CMYK by the decoder that knows the Adobe marker, size checked before pixels are allocated."""

import io
import warnings
from enum import StrEnum
from typing import Any

import imagehash
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from core.identity import bytes_hash
from core.records import Blob, Picture

Pixels = NDArray[np.uint8]

MAX_PIXELS = 80_000_000
MIN_SIDE = 16
PNG_MEDIA_TYPE = "image/png"
_PNG_LEVEL = 1
_MEDIA_TYPES = {
    "JPEG": "image/jpeg",
    "MPO": "image/jpeg",
    "PNG": PNG_MEDIA_TYPE,
    "GIF": "image/gif",
    "WEBP": "image/webp",
    "BMP": "image/bmp",
    "TIFF": "image/tiff",
}


class PictureFault(StrEnum):
    NOT_A_PICTURE = "not_a_picture"
    UNDECODABLE = "undecodable_picture"
    TOO_LARGE = "picture_too_large"
    TOO_SMALL = "picture_too_small"


class PictureError(ValueError):
    """The bytes cannot be used as a picture, for the reason in `fault`."""

    def __init__(self, fault: PictureFault, detail: str) -> None:
        super().__init__(f"{fault}: {detail}")
        self.fault = fault
        self.detail = detail


def read_picture(data: bytes) -> Blob:
    """The bytes unchanged with their reference, after decoding them in full. Raises PictureError."""
    image = _open(data)
    if min(image.size) < MIN_SIDE:
        raise PictureError(PictureFault.TOO_SMALL, f"{image.width}x{image.height} pixels, below {MIN_SIDE} on a side")
    media_type = _MEDIA_TYPES[image.format or ""]
    upright = _upright(image)
    return Blob(
        Picture(sha256=bytes_hash(data), media_type=media_type, width=upright.width, height=upright.height),
        data,
    )


def decode_rgb(data: bytes) -> Pixels:
    """Height x width x 3, RGB, 0..255, upright. Raises PictureError."""
    return np.asarray(_to_rgb(_upright(_open(data))), dtype=np.uint8)


def encode_png(pixels: Pixels) -> Blob:
    """A PNG of height x width (grey) or height x width x 3 (RGB) pixels; the same pixels give the same bytes."""
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG", compress_level=_PNG_LEVEL)
    data = buffer.getvalue()
    height, width = pixels.shape[:2]
    return Blob(Picture(sha256=bytes_hash(data), media_type=PNG_MEDIA_TYPE, width=width, height=height), data)


def perceptual_hash(data: bytes) -> int:
    """64 bits; pictures that look alike differ in few of them. Raises PictureError."""
    return int(str(imagehash.phash(Image.fromarray(decode_rgb(data)))), 16)


def _open(data: bytes) -> Image.Image:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # our own limit is below it
        try:
            image = Image.open(io.BytesIO(data))
        except UnidentifiedImageError as error:
            raise PictureError(PictureFault.NOT_A_PICTURE, f"{len(data)} bytes beginning {data[:8]!r}") from error
        except Image.DecompressionBombError as error:
            raise PictureError(PictureFault.TOO_LARGE, str(error)) from error
        except (OSError, ValueError, SyntaxError) as error:
            raise PictureError(PictureFault.UNDECODABLE, str(error)) from error
    if image.format not in _MEDIA_TYPES:
        raise PictureError(PictureFault.NOT_A_PICTURE, f"format {image.format} is not one of {', '.join(_MEDIA_TYPES)}")
    if image.width * image.height > MAX_PIXELS:
        raise PictureError(PictureFault.TOO_LARGE, f"{image.width}x{image.height} pixels, above {MAX_PIXELS}")
    return image


def _upright(image: Image.Image) -> Image.Image:
    """Decodes, and turns by the EXIF tag; a broken tag counts as none."""
    try:
        image.load()
    except (OSError, ValueError, SyntaxError, IndexError) as error:
        raise PictureError(PictureFault.UNDECODABLE, str(error)) from error
    try:
        return ImageOps.exif_transpose(image)
    except (OSError, ValueError, SyntaxError, TypeError, KeyError, ZeroDivisionError):
        return image


def _to_rgb(image: Image.Image) -> Image.Image:
    if image.mode.startswith(("I", "F")):
        image = _eight_bit(image)
    if image.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in image.info:
        layer = image.convert("RGBA")
        white = Image.new("RGBA", layer.size, (255, 255, 255, 255))
        return Image.alpha_composite(white, layer).convert("RGB")
    return image if image.mode == "RGB" else image.convert("RGB")


def _eight_bit(image: Image.Image) -> Image.Image:
    """16-bit and float pictures scaled to 0..255: Pillow's own conversion cuts everything above 255."""
    values: NDArray[Any] = np.asarray(image, dtype=np.float64)
    top = 65535.0 if values.max(initial=0) > 255 else 255.0
    return Image.fromarray(np.clip(values * (255.0 / top), 0, 255).astype(np.uint8))
