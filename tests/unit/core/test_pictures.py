"""Odd pictures: every one is either read right or refused with its reason, and never ends anything."""

import io
import random
import struct
import warnings
import zlib
from collections.abc import Callable

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from core import pictures
from core.identity import bytes_hash
from core.pictures import PictureError, PictureFault, decode_rgb, perceptual_hash, read_picture, read_with_hash

SIZE = (48, 32)


def _encode(image: Image.Image, form: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, form, **options)  # pyright: ignore[reportArgumentType]
    return buffer.getvalue()


def _two_halves(left: str, right: str) -> Image.Image:
    """The left half in one colour, the right half in another."""
    image = Image.new("RGB", SIZE, left)
    image.paste(right, (SIZE[0] // 2, 0, *SIZE))
    return image


@pytest.mark.parametrize(
    ("form", "media_type"),
    [
        ("PNG", "image/png"),
        ("JPEG", "image/jpeg"),
        ("GIF", "image/gif"),
        ("WEBP", "image/webp"),
        ("BMP", "image/bmp"),
        ("TIFF", "image/tiff"),
    ],
)
def test_the_media_type_comes_from_the_bytes_and_the_bytes_stay_as_they_are(form: str, media_type: str) -> None:
    data = _encode(_two_halves("red", "blue"), form)
    blob = read_picture(data)
    assert blob.data == data
    assert (blob.picture.media_type, blob.picture.width, blob.picture.height) == (media_type, *SIZE)
    assert blob.picture.sha256 == bytes_hash(data)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_every_mode_of_a_png_decodes_to_rgb(mode: str) -> None:
    white = Image.fromarray(np.full((32, 48), 255, np.uint8))
    white_of_16_bits = Image.fromarray(np.full((32, 48), 65535, np.uint16))
    pixels = decode_rgb(_encode(white_of_16_bits if mode == "I;16" else white.convert(mode), "PNG"))
    assert pixels.shape == (32, 48, 3)
    assert pixels.dtype == np.uint8
    assert pixels.min() == 255


def test_a_sixteen_bit_picture_keeps_its_grey_levels() -> None:
    ramp = np.tile(np.linspace(0, 65535, 48).astype(np.uint16), (32, 1))
    pixels = decode_rgb(_encode(Image.fromarray(ramp), "PNG"))
    assert np.abs(pixels[0, :, 0].astype(int) - ramp[0] / 257).max() <= 1


def test_a_float_picture_with_holes_decodes_without_a_warning() -> None:
    values = np.full((32, 48), 128, np.float32)
    values[0, 0] = np.nan
    assert decode_rgb(_encode(Image.fromarray(values), "TIFF"))[5, 5].tolist() == [128, 128, 128]


@pytest.mark.parametrize(
    ("transparent", "expected"),
    [((0, 0, 0, 0), [255, 255, 255]), ((200, 0, 0, 255), [200, 0, 0]), ((0, 0, 0, 128), [127, 127, 127])],
    ids=["clear", "opaque", "half"],
)
def test_transparency_is_laid_over_white(transparent: tuple[int, ...], expected: list[int]) -> None:
    assert decode_rgb(_encode(Image.new("RGBA", SIZE, transparent), "PNG"))[3, 3].tolist() == expected


def test_the_transparent_colour_of_a_palette_picture_becomes_white() -> None:
    image = _two_halves("red", "blue").convert("P", palette=Image.Palette.ADAPTIVE, colors=2)
    data = _encode(image, "PNG", transparency=image.getpixel((0, 0)))
    pixels = decode_rgb(data)
    assert pixels[3, 3].tolist() == [255, 255, 255]
    assert pixels[3, 40].tolist() == [0, 0, 255]


def test_a_cmyk_jpeg_of_adobe_is_not_inverted() -> None:
    """By an independent way: OpenCV's decoder, which knows the Adobe marker too."""
    data = _encode(_two_halves("red", "white").convert("CMYK"), "JPEG", quality=95)
    assert b"Adobe" in data
    pixels = decode_rgb(data)
    assert pixels[5, 5, 0] > 200
    assert pixels[5, 5, 1] < 60
    assert pixels[5, 40].min() > 240
    by_opencv = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert by_opencv is not None
    assert np.abs(pixels[:, :, ::-1].astype(int) - by_opencv.astype(int)).mean() < 8


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("form", ["JPEG", "PNG"])
def test_the_exif_rotation_is_applied_once(form: str, orientation: int) -> None:
    """By an independent way: OpenCV's decoder applies the tag of a JPEG; PNG is compared with that."""
    image = Image.new("RGB", SIZE, "white")
    image.paste("black", (0, 0, 12, 8))
    exif = Image.Exif()
    exif[0x0112] = orientation
    turned = cv2.imdecode(np.frombuffer(_encode(image, "JPEG", quality=100, exif=exif), np.uint8), cv2.IMREAD_COLOR)
    data = _encode(image, form, exif=exif)
    assert turned is not None
    assert np.abs(decode_rgb(data).astype(int) - turned[:, :, ::-1]).max() < 40
    picture = read_picture(data).picture
    assert (picture.height, picture.width) == turned.shape[:2]


def test_broken_exif_counts_as_none() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    data = bytearray(_encode(_two_halves("red", "blue"), "JPEG", exif=exif))
    start = data.index(b"Exif\0\0") + 6
    data[start : start + 8] = b"\xff" * 8
    assert read_picture(bytes(data)).picture.width == SIZE[0]


def test_a_photo_with_a_second_picture_inside_is_read_as_its_first() -> None:
    first, second = _two_halves("red", "blue"), Image.new("RGB", (20, 20), "green")
    data = _encode(first, "MPO", save_all=True, append_images=[second])
    assert read_picture(data).picture.media_type == "image/jpeg"
    assert decode_rgb(data).shape == (32, 48, 3)


def test_an_animated_gif_is_read_as_its_first_frame() -> None:
    frames = [Image.new("RGB", SIZE, colour) for colour in ("red", "green", "blue")]
    data = _encode(frames[0], "GIF", save_all=True, append_images=frames[1:])
    assert decode_rgb(data)[3, 3].tolist() == [255, 0, 0]


def _png_that_claims(width: int, height: int) -> bytes:
    """A small PNG with another size in its header: the size must be refused before any pixel is read."""
    data = _encode(Image.new("1", SIZE), "PNG")
    header = b"IHDR" + struct.pack(">II", width, height) + data[24:29]
    return data[:12] + header + struct.pack(">I", zlib.crc32(header)) + data[33:]


def _cut(form: str) -> Callable[[], bytes]:
    def make() -> bytes:
        noise = np.random.default_rng(0).integers(0, 256, (64, 64, 3), np.uint8)
        data = _encode(Image.fromarray(noise), form)
        return data[: len(data) * 2 // 3]

    return make


@pytest.mark.parametrize(
    ("make", "fault"),
    [
        (lambda: _png_that_claims(20_000, 20_000), PictureFault.TOO_LARGE),
        (lambda: _png_that_claims(10_000, 8_001), PictureFault.TOO_LARGE),
        (_cut("PNG"), PictureFault.UNDECODABLE),
        (_cut("JPEG"), PictureFault.UNDECODABLE),
        (lambda: _encode(Image.new("RGB", (1, 1)), "PNG"), PictureFault.TOO_SMALL),
        (lambda: _encode(Image.new("RGB", (400, 15)), "PNG"), PictureFault.TOO_SMALL),
        (lambda: b"", PictureFault.NOT_A_PICTURE),
        (lambda: b"<svg xmlns='http://www.w3.org/2000/svg'/>", PictureFault.NOT_A_PICTURE),
        (lambda: b"\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X" + bytes(200), PictureFault.NOT_A_PICTURE),
        (lambda: _encode(Image.new("RGB", SIZE), "PPM"), PictureFault.NOT_A_PICTURE),
    ],
    ids=["bomb", "large", "cut png", "cut jpeg", "one pixel", "flat", "empty", "svg", "macOS side file", "ppm"],
)
def test_what_cannot_be_used_is_refused_with_its_reason(make: Callable[[], bytes], fault: PictureFault) -> None:
    with pytest.raises(PictureError) as raised:
        read_picture(make())
    assert raised.value.fault is fault


@pytest.mark.parametrize("mode", ["LAB", "CMYK", "YCbCr"])
def test_modes_that_only_tiff_has_decode_to_rgb(mode: str) -> None:
    assert decode_rgb(_encode(_two_halves("white", "black").convert(mode), "TIFF"))[3, 3].min() >= 250


@given(st.integers(0, 10_000))
def test_changed_bytes_raise_nothing_but_a_picture_error(seed: int) -> None:
    chance = random.Random(seed)
    exif = Image.Exif()
    exif[0x0112] = 6
    form = chance.choice(["JPEG", "PNG", "GIF", "WEBP", "BMP"])
    data = bytearray(_encode(_two_halves("red", "blue"), form, **({"exif": exif} if form in ("JPEG", "PNG") else {})))
    for _ in range(chance.choice([1, 2, 10])):
        data[chance.randrange(len(data))] = chance.randrange(256)
    try:
        read_with_hash(bytes(data))
    except PictureError as error:
        assert error.fault in PictureFault


def test_pillow_warnings_do_not_come_through() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_picture(_encode(Image.new("1", (9_990, 8_000)), "PNG"))


def test_one_decoding_gives_the_same_as_two() -> None:
    data = _encode(_two_halves("red", "blue").resize((700, 500)), "PNG")
    assert read_with_hash(data) == (read_picture(data), perceptual_hash(data))


def test_the_perceptual_hash_survives_another_size_and_format() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (12, 16, 3), np.uint8)
    image = Image.fromarray(noise).resize((800, 600), Image.Resampling.BICUBIC)
    large = perceptual_hash(_encode(image, "PNG"))
    small = perceptual_hash(_encode(image.resize((400, 300)), "JPEG", quality=80))
    other = perceptual_hash(_encode(image.transpose(Image.Transpose.ROTATE_180), "PNG"))
    assert (large ^ small).bit_count() <= 6
    assert (large ^ other).bit_count() > 16


@given(st.integers(1, 40), st.integers(1, 40), st.booleans(), st.integers(0, 1000))
def test_encoding_and_decoding_gives_the_same_pixels(height: int, width: int, grey: bool, seed: int) -> None:
    shape = (height, width) if grey else (height, width, 3)
    pixels = np.random.default_rng(seed).integers(0, 256, shape, np.uint8)
    blob = pictures.encode_png(pixels)
    decoded = decode_rgb(blob.data)
    assert np.array_equal(decoded[..., 0] if grey else decoded, pixels)
    assert (blob.picture.width, blob.picture.height) == (width, height)
