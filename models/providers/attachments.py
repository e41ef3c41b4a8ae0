"""Pictures on their way into a request. The same picture goes to a generator and to two validators: it is read and
encoded once in a process. What a provider would refuse is refused here, before the request is paid for."""

import asyncio
import base64
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

import cv2
import numpy as np

from core.pictures import PNG_MEDIA_TYPE, PictureError, decode_rgb, encode_png
from core.records import Picture
from models.base import CallError, FailureKind, ModelRequest, ReadPicture

JPEG_MEDIA_TYPE = "image/jpeg"
_WEBP_MEDIA_TYPE = "image/webp"
_GIF_MEDIA_TYPE = "image/gif"
_UNIVERSAL_TYPES = frozenset({PNG_MEDIA_TYPE, JPEG_MEDIA_TYPE, _WEBP_MEDIA_TYPE})
_JPEG_QUALITY = 90
_CACHE_BYTES = 64 * 2**20


class PictureLimits(NamedTuple):
    """What a provider takes: media types, bytes of a file, pixels on a side (None: any)."""

    types: frozenset[str]
    bytes: int
    side: int | None


# From the providers' pages on vision, November 2026. Anthropic counts 5 MiB of base64; Gemini 20 MB of a whole request.
_LIMITS = {
    "openai": PictureLimits(_UNIVERSAL_TYPES | {_GIF_MEDIA_TYPE}, 20_000_000, None),
    "gemini": PictureLimits(_UNIVERSAL_TYPES, 14_000_000, None),
    "anthropic": PictureLimits(_UNIVERSAL_TYPES | {_GIF_MEDIA_TYPE}, 3_900_000, 8000),
}
_SMALLEST_BYTES = min(limits.bytes for limits in _LIMITS.values())


class Attachment(NamedTuple):
    """As it is sent; `side` is the longest one in pixels."""

    media_type: str
    side: int
    base64: str


def check_pictures(
    provider: str,
    pictures: Iterable[Picture],
    scale_pictures_to: int | None,
    count_bytes: Callable[[Picture], int | None] | None = None,
) -> str | None:
    """What is wrong with the first picture that `provider` would refuse, None when it takes them all. `count_bytes`:
    the size of the file where it is known. Scaling makes every picture fit, whatever its type and size."""
    limits = _LIMITS.get(provider)
    if limits is None or scale_pictures_to is not None:
        return None
    for picture in pictures:
        size = count_bytes(picture) if count_bytes else None
        fault = _find_fault(picture.media_type, max(picture.width, picture.height), size, limits)
        if fault:
            return f"Picture {picture.sha256[:12]} {fault}, which {provider} refuses."
    return None


async def encode_pictures(request: ModelRequest, read_picture: ReadPicture) -> Mapping[str, Attachment]:
    """The attachments of the request by the SHA-256 of the picture as it is stored.

    Raises CallError (unfit) for one that the provider would refuse, StorageError for one that cannot be read."""
    attachments: dict[str, Attachment] = {}
    for picture in _pictures(request):
        found = _CACHE.find((picture.sha256, request.scale_pictures_to))
        if found is None:
            found = await asyncio.to_thread(_CACHE.encode, picture, request.scale_pictures_to, read_picture)
        _refuse_unfit(request.provider, picture, found)
        attachments[picture.sha256] = found
    return attachments


def _pictures(request: ModelRequest) -> Iterator[Picture]:
    for message in request.messages:
        for part in message.parts:
            if part.kind == "picture":
                yield part.picture


class _Attachments:
    """Encoded pictures, the least used ones dropped above a number of bytes. Used by threads: two that want the same
    picture at once encode it once."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._held: OrderedDict[tuple[str, int | None], Attachment] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()
        self._encoding = tuple(threading.Lock() for _ in range(64))

    def find(self, name: tuple[str, int | None]) -> Attachment | None:
        with self._lock:
            found = self._held.get(name)
            if found is not None:
                self._held.move_to_end(name)
            return found

    def encode(self, picture: Picture, scale_to: int | None, read_picture: ReadPicture) -> Attachment:
        name = (picture.sha256, scale_to)
        with self._encoding[int(picture.sha256[:4], 16) % len(self._encoding)]:
            found = self.find(name)
            if found is None:
                found = _encode(picture, read_picture(picture), scale_to)
                self._hold(name, found)
            return found

    def _hold(self, name: tuple[str, int | None], attachment: Attachment) -> None:
        with self._lock:
            self._held[name] = attachment
            self._bytes += len(attachment.base64)
            while self._bytes > self._max_bytes:
                self._bytes -= len(self._held.popitem(last=False)[1].base64)


_CACHE = _Attachments(_CACHE_BYTES)


def _encode(picture: Picture, data: bytes, scale_to: int | None) -> Attachment:
    media_type, side = picture.media_type, max(picture.width, picture.height)
    if scale_to is not None and not _passes_unscaled(picture, len(data), scale_to):
        try:
            media_type, data = _scale(picture, data, scale_to)
        except PictureError as error:
            message = f"Picture {picture.sha256[:12]} cannot be scaled: {error}"
            raise CallError(FailureKind.UNFIT, message) from error
        side = min(side, scale_to)
    return Attachment(media_type, side, base64.b64encode(data).decode("ascii"))


def _passes_unscaled(picture: Picture, size: int, scale_to: int) -> bool:
    fits = max(picture.width, picture.height) <= scale_to and size <= _SMALLEST_BYTES
    return fits and picture.media_type in _UNIVERSAL_TYPES


def _scale(picture: Picture, data: bytes, scale_to: int) -> tuple[str, bytes]:
    """The same form for all providers: PNG, but JPEG for what was JPEG and for what would be too many bytes."""
    pixels = decode_rgb(data)
    height, width = pixels.shape[:2]
    factor = scale_to / max(height, width)
    if factor < 1:
        size = (max(1, round(width * factor)), max(1, round(height * factor)))
        pixels = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    if picture.media_type != JPEG_MEDIA_TYPE:
        png = encode_png(pixels).data
        if len(png) <= _SMALLEST_BYTES:
            return PNG_MEDIA_TYPE, png
    bgr = cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR)
    return JPEG_MEDIA_TYPE, cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])[1].tobytes()


def _refuse_unfit(provider: str, picture: Picture, attachment: Attachment) -> None:
    limits = _LIMITS.get(provider)
    if limits is None:
        return
    fault = _find_fault(attachment.media_type, attachment.side, len(attachment.base64) * 3 // 4, limits)
    if fault:
        message = f"Picture {picture.sha256[:12]} {fault}, which {provider} refuses. Set `scale_pictures_to`."
        raise CallError(FailureKind.UNFIT, message)


def _find_fault(media_type: str, side: int, size: int | None, limits: PictureLimits) -> str | None:
    if media_type not in limits.types:
        return f"is {media_type}"
    if limits.side is not None and side > limits.side:
        return f"has {side} pixels on a side (at most {limits.side})"
    if size is not None and size > limits.bytes:
        return f"has {size} bytes (at most {limits.bytes})"
    return None
