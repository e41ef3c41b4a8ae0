"""Bytes to pixels and back, at one place: format by content and never by name, EXIF rotation applied once, alpha over
white, CMYK by the decoder that knows the Adobe marker, size checked before pixels are allocated."""

import io
import struct
import warnings
import zlib
from collections.abc import Callable
from enum import StrEnum
from typing import Any, NamedTuple

import cv2
import imagehash
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from core import png_files
from core.identity import bytes_hash
from core.png_files import MAX_PIXELS, MAX_SIDE
from core.records import Blob, Picture

Pixels = NDArray[np.uint8]
ReadPixels = Callable[[Picture], Pixels]

MIN_SIDE = 16
PNG_MEDIA_TYPE = "image/png"
# On charts and photos together 6 % smaller than Pillow's level 1, in half of its time (docs/degradation.md).
_PNG_SETTINGS = [
    *(cv2.IMWRITE_PNG_STRATEGY, cv2.IMWRITE_PNG_STRATEGY_DEFAULT),
    *(cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_UP),
    *(cv2.IMWRITE_PNG_COMPRESSION, 3),
]
_MASK_SETTINGS = [
    *(cv2.IMWRITE_PNG_STRATEGY, cv2.IMWRITE_PNG_STRATEGY_DEFAULT),
    *(cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_NONE),
    *(cv2.IMWRITE_PNG_COMPRESSION, 3),
]
_HASH_SIDE = 128
_MEDIA_TYPES = {
    "JPEG": "image/jpeg",
    "MPO": "image/jpeg",
    "PNG": PNG_MEDIA_TYPE,
    "GIF": "image/gif",
    "WEBP": "image/webp",
    "BMP": "image/bmp",
    "TIFF": "image/tiff",
}
# Seen by changing single bytes of good files: the plugins of Pillow let what their parsing raises pass.
_DECODER_ERRORS = (
    OSError,
    ValueError,
    SyntaxError,
    TypeError,
    LookupError,
    ArithmeticError,
    AttributeError,
    EOFError,
    MemoryError,
    RuntimeError,
    struct.error,
    zlib.error,
)
_UNWRITTEN = {1: 91, 2: (91, 92), 3: (91, 92, 93), 4: (91, 92, 93, 94)}  # a colour of so many bands, rare in pictures
_ORIENTATION = 0x0112
_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
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
    return _blob(data, _decode(data))


def read_with_hash(data: bytes) -> tuple[Blob, int]:
    """`read_picture` and `perceptual_hash` for the price of one decoding. Raises PictureError."""
    decoded = _decode(data)
    return _blob(data, decoded), _hash(_to_rgb(decoded.image))


def decode_rgb(data: bytes) -> Pixels:
    """Height x width x 3, RGB, 0..255, upright. Raises PictureError."""
    plain = decode_plain_png(data)
    return np.asarray(_to_rgb(_decode(data).image), dtype=np.uint8) if plain is None else plain


def pixels_from(read_picture: Callable[[Picture], bytes]) -> ReadPixels:
    """`decode_rgb` of what `read_picture` gives."""
    return lambda picture: decode_rgb(read_picture(picture))


def encode_png(pixels: Pixels) -> Blob:
    """A PNG of height x width (grey) or height x width x 3 (RGB) pixels; the same pixels give the same bytes."""
    return _png_blob(cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR) if pixels.ndim == 3 else pixels, _PNG_SETTINGS)


def decode_plain_png(data: bytes) -> Pixels | None:
    """What Pillow gives for a whole, sound PNG of the kinds that `encode_png` and `encode_mask_png` make, in less
    time. None for every other file, broken ones too: Pillow then decodes it or says what is wrong."""
    if not png_files.is_plain(data):
        return None
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR_RGB)
    return None if pixels is None else np.asarray(pixels, dtype=np.uint8)


def encode_mask_png(mask: NDArray[np.bool_]) -> Blob:
    """A PNG of one bit a pixel, which decodes to 255 where the height x width mask is true and to 0 elsewhere."""
    height, width = mask.shape
    packed = cv2.imencode(".png", np.packbits(mask, axis=1), _MASK_SETTINGS)[1].tobytes()
    # Rows of eight bits a pixel become rows of as many bytes of one bit a pixel: only the header differs. Handing all
    # pixels to OpenCV takes three times as long.
    header = b"IHDR" + png_files.HEADER.pack(width, height, 1, 0, 0, 0, 0)
    data = packed[:12] + header + struct.pack(">I", zlib.crc32(header)) + packed[33:]
    return _to_blob(data, width, height)


def _png_blob(pixels: MatLike, settings: list[int]) -> Blob:
    height, width = pixels.shape[:2]
    return _to_blob(cv2.imencode(".png", pixels, settings)[1].tobytes(), width, height)


def _to_blob(data: bytes, width: int, height: int) -> Blob:
    return Blob(Picture(sha256=bytes_hash(data), media_type=PNG_MEDIA_TYPE, width=width, height=height), data)


def perceptual_hash(data: bytes) -> int:
    """64 bits; pictures that look alike differ in few of them. Raises PictureError."""
    return _hash(_to_rgb(_decode(data).image))


class _Decoded(NamedTuple):
    """Pixels in memory and upright, in the mode of the file; `format` is what the bytes say."""

    image: Image.Image
    format: str


def _blob(data: bytes, decoded: _Decoded) -> Blob:
    width, height = decoded.image.size
    if min(width, height) < MIN_SIDE:
        raise PictureError(PictureFault.TOO_SMALL, f"{width}x{height} pixels, below {MIN_SIDE} on a side")
    return Blob(
        Picture(sha256=bytes_hash(data), media_type=_MEDIA_TYPES[decoded.format], width=width, height=height), data
    )


def _hash(image: Image.Image) -> int:
    factor = min(image.size) // _HASH_SIDE
    if factor > 1:
        image = image.reduce(factor)  # averaging first is six times as fast as the filter of the hash on all pixels
    return int(str(imagehash.phash(image)), 16)


def _decode(data: bytes) -> _Decoded:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow warns of broken metadata and of sizes below our own limit
        image = _open(data)
        try:
            _load(image, data)
        except _DECODER_ERRORS as error:
            raise PictureError(PictureFault.UNDECODABLE, f"{type(error).__name__}: {error}") from error
        return _Decoded(_turn_upright(image), image.format or "")


def _open(data: bytes) -> Image.Image:
    try:
        image = Image.open(io.BytesIO(data))
    except UnidentifiedImageError as error:
        raise PictureError(PictureFault.NOT_A_PICTURE, f"{len(data)} bytes beginning {data[:8]!r}") from error
    except Image.DecompressionBombError as error:
        raise PictureError(PictureFault.TOO_LARGE, str(error)) from error
    except _DECODER_ERRORS as error:
        raise PictureError(PictureFault.UNDECODABLE, f"{type(error).__name__}: {error}") from error
    if image.format not in _MEDIA_TYPES:
        raise PictureError(PictureFault.NOT_A_PICTURE, f"format {image.format} is not one of {', '.join(_MEDIA_TYPES)}")
    if image.width * image.height > MAX_PIXELS:
        raise PictureError(PictureFault.TOO_LARGE, f"{image.width}x{image.height} pixels, above {MAX_PIXELS}")
    if max(image.size) > MAX_SIDE:
        raise PictureError(PictureFault.TOO_LARGE, f"{image.width}x{image.height} pixels, above {MAX_SIDE} on a side")
    return image


def _load(image: Image.Image, data: bytes) -> None:
    """Pillow fills up a PNG whose pixel data end early and a palette that is not there. The last row is the last one
    to be written, and all data are counted where it looks as if nothing had been."""
    if image.format != "PNG":
        image.load()
        return
    if image.mode == "P" and image.palette is None:
        raise ValueError("a PNG with a palette that is not there")
    last = (0, image.height - 1, image.width, image.height)
    in_order = not image.info.get("interlace") and getattr(image, "n_frames", 1) == 1
    unwritten = Image.new(image.mode, image.size, None)
    unwritten.paste(_UNWRITTEN[len(image.getbands())], last)
    mark = unwritten.crop(last).tobytes()
    if in_order:
        image.im = unwritten.im
    image.load()
    if (not in_order or image.crop(last).tobytes() == mark) and png_files.lacks_pixels(data):
        raise ValueError("the pixel data of the PNG end early")


def _turn_upright(image: Image.Image) -> Image.Image:
    """Turned by the EXIF tag; a broken tag counts as none. Pillow's `exif_transpose` copies upright pictures too
    and fails where it cannot write the tag back."""
    try:
        orientation: object = image.getexif().get(_ORIENTATION)
    except _DECODER_ERRORS:
        return image
    turn = _TURNS.get(orientation) if isinstance(orientation, int) else None
    return image if turn is None else image.transpose(turn)


def _to_rgb(image: Image.Image) -> Image.Image:
    if image.mode.startswith(("I", "F")):
        image = _eight_bit(image)
    if image.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in image.info:
        layer = image.convert("RGBA")
        white = Image.new("RGB", layer.size, (255, 255, 255))
        white.paste(layer, mask=layer.getchannel("A"))
        return white
    return image if image.mode == "RGB" else image.convert("RGB")


def _eight_bit(image: Image.Image) -> Image.Image:
    """16-bit and float pictures scaled to 0..255: Pillow's own conversion cuts everything above 255."""
    values: NDArray[Any] = np.nan_to_num(np.asarray(image, dtype=np.float64))
    top = 65535.0 if values.max(initial=0) > 255 else 255.0
    return Image.fromarray(np.clip(values * (255.0 / top), 0, 255).astype(np.uint8))
