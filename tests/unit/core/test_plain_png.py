"""The fast way to decode PNGs: the same pixels as the other way, and never a file that the other way would refuse."""

import io
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from core.pictures import Pixels, decode_plain_png, encode_mask_png, encode_png

SIZE = (48, 32)


def _encode(image: Image.Image) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def _decode_by_pillow(data: bytes) -> Pixels:
    with Image.open(io.BytesIO(data)) as image:
        return np.asarray(image.convert("RGB"))


def _draw_noise(seed: int, height: int, width: int) -> Pixels:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def _png_of(
    stream: bytes, *before: bytes, header: tuple[int, ...] = (8, 2, 0, 0, 0), size: tuple[int, int] = SIZE
) -> bytes:
    start = _chunk(b"IHDR", struct.pack(">IIBBBBB", *size, *header))
    return b"\x89PNG\r\n\x1a\n" + b"".join([start, *before, _chunk(b"IDAT", stream), _chunk(b"IEND", b"")])


@given(st.integers(1, 60), st.integers(1, 60), st.integers(0, 99))
def test_a_mask_decodes_to_black_and_white_and_takes_one_bit_a_pixel(height: int, width: int, seed: int) -> None:
    mask = _draw_noise(seed, height, width)[..., 0] > 127
    blob = encode_mask_png(mask)
    with Image.open(io.BytesIO(blob.data)) as image:
        assert (image.mode, image.size) == ("1", (width, height))
        assert np.array_equal(np.asarray(image), mask)
    assert (blob.picture.width, blob.picture.height) == (width, height)
    plain = decode_plain_png(blob.data)
    assert plain is not None
    assert np.array_equal(plain, _decode_by_pillow(blob.data))
    assert set(np.unique(plain)) <= {0, 255}


@pytest.mark.parametrize("grey", [False, True], ids=["rgb", "grey"])
def test_a_plain_png_decodes_to_what_pillow_decodes(grey: bool) -> None:
    pixels = _draw_noise(1, 40, 70)
    data = encode_png(pixels[..., 0] if grey else pixels).data
    plain = decode_plain_png(data)
    assert plain is not None
    assert np.array_equal(plain, _decode_by_pillow(data))


def test_every_cut_and_every_changed_byte_of_a_plain_png_is_left_to_pillow() -> None:
    data = encode_png(_draw_noise(2, 16, 17)).data
    for place in range(len(data)):
        assert decode_plain_png(data[:place]) is None
        assert decode_plain_png(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]) is None
    assert decode_plain_png(data + b"more") is None


def test_sound_chunks_with_an_unsound_stream_are_not_a_plain_png() -> None:
    rows = b"".join(b"\0" + row.tobytes() for row in _draw_noise(3, SIZE[1], SIZE[0]))
    packed = zlib.compress(rows)
    assert decode_plain_png(_png_of(packed)) is not None
    assert decode_plain_png(_png_of(zlib.compress(rows[:-9]))) is None
    assert decode_plain_png(_png_of(packed[:-40])) is None
    assert decode_plain_png(_png_of(packed[:-2] + b"??")) is None
    assert decode_plain_png(_png_of(zlib.compress(b"\x09" + rows[1:]))) is None


def test_pngs_that_need_more_than_their_pixels_are_left_to_pillow() -> None:
    rows = zlib.compress(b"".join(b"\0" + row.tobytes() for row in _draw_noise(3, SIZE[1], SIZE[0])))
    assert decode_plain_png(_png_of(rows, _chunk(b"tRNS", bytes(6)))) is None
    assert decode_plain_png(_png_of(rows, header=(8, 2, 0, 0, 1))) is None
    for mode in ("RGBA", "P", "LA", "I;16"):
        shape = np.zeros(SIZE[::-1], np.uint16) if mode == "I;16" else None
        image = Image.new("RGB", SIZE).convert(mode) if shape is None else Image.fromarray(shape)
        assert decode_plain_png(_encode(image)) is None
    assert decode_plain_png(_png_of(rows, size=(20_000, 20_000))) is None
