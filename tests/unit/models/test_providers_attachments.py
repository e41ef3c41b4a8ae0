import asyncio
import base64
import io
import threading
from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image

from core.model_specs import Parameters
from core.pictures import decode_rgb, encode_png, read_picture
from core.records import Blob, Picture
from models.base import CallError, FailureKind, Message, ModelRequest, PicturePart
from models.providers.attachments import check_pictures, encode_pictures


def png(width: int, height: int, seed: int = 0) -> Blob:
    values = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    return encode_png(values)


def named(media_type: str, width: int = 100, height: int = 100) -> Picture:
    return Picture(sha256="b" * 64, media_type=media_type, width=width, height=height)


def request(provider: str, *pictures: Picture, scale: int | None = None) -> ModelRequest:
    parts = tuple(PicturePart(picture=picture) for picture in pictures)
    return ModelRequest(
        provider=provider,
        model="m",
        base_url=None,
        system="",
        messages=(Message(role="user", parts=parts),),
        parameters=Parameters(),
        scale_pictures_to=scale,
    )


def reading(*blobs: Blob) -> tuple[Callable[[Picture], bytes], list[str]]:
    """A reader of these pictures, and a list of what it was asked for."""
    held, asked = {blob.picture.sha256: blob.data for blob in blobs}, list[str]()

    def read(picture: Picture) -> bytes:
        asked.append(picture.sha256)
        return held[picture.sha256]

    return read, asked


@pytest.mark.parametrize("provider", ["openai", "gemini", "anthropic"])
def test_a_picture_within_the_limits_is_sent_unchanged(provider: str) -> None:
    blob = png(40, 30, seed=1)
    read, _ = reading(blob)
    sent = asyncio.run(encode_pictures(request(provider, blob.picture), read))[blob.picture.sha256]
    assert sent.media_type == "image/png"
    assert base64.b64decode(sent.base64) == blob.data


def test_a_picture_is_read_once_however_often_it_is_sent() -> None:
    blob = png(41, 30, seed=2)
    read, asked = reading(blob)

    async def send_often() -> None:
        await asyncio.gather(*(encode_pictures(request(p, blob.picture), read) for p in ("openai", "gemini") * 20))

    asyncio.run(send_often())
    asyncio.run(send_often())
    assert asked == [blob.picture.sha256]


def test_no_more_is_held_than_fits() -> None:
    first = png(42, 30, seed=3)
    read, asked = reading(first)
    asyncio.run(encode_pictures(request("openai", first.picture), read))
    large = bytes(19_000_000)

    async def fill() -> None:
        for number in range(3):
            picture = named("image/png").model_copy(update={"sha256": f"{number:064x}"})
            await encode_pictures(request("openai", picture), lambda _: large)

    asyncio.run(fill())
    asyncio.run(encode_pictures(request("openai", first.picture), read))
    assert len(asked) == 2


def test_the_loop_is_not_held_up_by_a_slow_disk() -> None:
    blob, at_disk, go_on = png(43, 30, seed=4), threading.Event(), threading.Event()

    def read(_: Picture) -> bytes:
        at_disk.set()
        assert go_on.wait(10)
        return blob.data

    async def other_work() -> None:
        task = asyncio.create_task(encode_pictures(request("openai", blob.picture), read))
        while not at_disk.is_set():
            await asyncio.sleep(0.001)
        go_on.set()
        await task

    asyncio.run(asyncio.wait_for(other_work(), 20))


def test_a_large_picture_is_scaled_only_when_that_is_allowed() -> None:
    blob = png(300, 120, seed=5)
    read, _ = reading(blob)
    plain = asyncio.run(encode_pictures(request("openai", blob.picture), read))[blob.picture.sha256]
    scaled = asyncio.run(encode_pictures(request("openai", blob.picture, scale=100), read))[blob.picture.sha256]
    assert base64.b64decode(plain.base64) == blob.data
    assert decode_rgb(base64.b64decode(scaled.base64)).shape == (40, 100, 3)
    assert (scaled.media_type, scaled.side) == ("image/png", 100)


def test_a_picture_that_fits_is_not_touched_by_scaling() -> None:
    blob = png(90, 60, seed=6)
    read, _ = reading(blob)
    sent = asyncio.run(encode_pictures(request("gemini", blob.picture, scale=90), read))[blob.picture.sha256]
    assert base64.b64decode(sent.base64) == blob.data


def test_scaling_turns_what_a_provider_does_not_take_into_png() -> None:
    data = io.BytesIO()
    Image.new("RGB", (64, 48), (200, 10, 10)).save(data, "BMP")
    blob = read_picture(data.getvalue())
    assert blob.picture.media_type == "image/bmp"
    read, _ = reading(blob)
    with pytest.raises(CallError, match="is image/bmp, which gemini refuses") as refused:
        asyncio.run(encode_pictures(request("gemini", blob.picture), read))
    assert refused.value.kind is FailureKind.UNFIT
    sent = asyncio.run(encode_pictures(request("gemini", blob.picture, scale=2000), read))[blob.picture.sha256]
    assert sent.media_type == "image/png"
    assert (decode_rgb(base64.b64decode(sent.base64)) == (200, 10, 10)).all()


def test_a_file_of_too_many_bytes_is_refused_before_the_call() -> None:
    picture = named("image/png").model_copy(update={"sha256": "c" * 64})
    with pytest.raises(CallError, match="3900003 bytes") as refused:
        asyncio.run(encode_pictures(request("anthropic", picture), lambda _: bytes(3_900_003)))
    assert refused.value.kind is FailureKind.UNFIT


@pytest.mark.parametrize(
    ("provider", "picture", "fault"),
    [
        ("openai", named("image/gif"), None),
        ("gemini", named("image/gif"), "is image/gif"),
        ("anthropic", named("image/gif"), None),
        ("openai", named("image/tiff"), "is image/tiff"),
        ("anthropic", named("image/png", 8001, 10), "has 8001 pixels on a side"),
        ("anthropic", named("image/png", 10, 8000), None),
        ("gemini", named("image/webp", 9000, 9000), None),
        ("scripted", named("image/tiff", 9000, 9000), None),
    ],
    ids=str,
)
def test_the_limits_of_a_provider_are_checked_without_the_bytes(
    provider: str, picture: Picture, fault: str | None
) -> None:
    found = check_pictures(provider, [named("image/png"), picture], None)
    assert (found is None) == (fault is None)
    if fault:
        assert found is not None
        assert fault in found


def test_the_size_of_a_file_counts_where_it_is_known() -> None:
    assert check_pictures("anthropic", [named("image/png")], None, lambda _: 4_000_000) is not None
    assert check_pictures("openai", [named("image/png")], None, lambda _: 4_000_000) is None
    assert check_pictures("anthropic", [named("image/png")], None, lambda _: None) is None


def test_whatever_is_scaled_fits() -> None:
    assert check_pictures("anthropic", [named("image/tiff", 9000, 9000)], 1568, lambda _: 10**9) is None
