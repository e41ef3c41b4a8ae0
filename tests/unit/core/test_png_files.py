"""PNGs whose pixel data are not what their header says: Pillow would fill them up, OpenCV would unpack them all."""

import struct
import zlib

import numpy as np
import pytest

from core.pictures import PictureError, PictureFault, decode_plain_png, decode_rgb, read_picture, read_with_hash

SIDE = 16
KINDS = {  # bits, colour type and bytes of a row with that of its filter
    "black and white": (1, 0, 3),
    "grey": (8, 0, 17),
    "grey of 16 bits": (16, 0, 33),
    "rgb": (8, 2, 49),
    "rgb of 16 bits": (16, 2, 97),
    "palette of 4 bits": (4, 3, 9),
    "palette": (8, 3, 17),
    "grey with alpha": (8, 4, 33),
    "rgb with alpha": (8, 6, 65),
}
INTERLACED_RGB_BYTES = 798
PALETTE = bytes(range(256)) * 3


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def _png(bits: int, colour: int, rows: bytes, *, interlaced: bool = False, palette: bool = True) -> bytes:
    header = struct.pack(">IIBBBBB", SIDE, SIDE, bits, colour, 0, 0, interlaced)
    colours = _chunk(b"PLTE", PALETTE[: 3 << bits]) if colour == 3 and palette else b""
    pixels = _chunk(b"IDAT", zlib.compress(rows))
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + colours + pixels + _chunk(b"IEND", b"")


@pytest.mark.parametrize(("bits", "colour", "row"), KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("fill", [0x00, 0x5B, 0xFF])
def test_a_png_is_read_with_all_of_its_pixel_data_and_refused_with_less(
    bits: int, colour: int, row: int, fill: int
) -> None:
    rows = (b"\0" + bytes([fill]) * (row - 1)) * SIDE
    assert read_picture(_png(bits, colour, rows)).picture.height == SIDE
    for cut in (rows[:-1], rows[:-row], rows[:row], b""):
        for read in (read_picture, read_with_hash, decode_rgb):
            with pytest.raises(PictureError) as caught:
                read(_png(bits, colour, cut))
            assert caught.value.fault is PictureFault.UNDECODABLE


def test_an_interlaced_png_is_read_with_all_of_its_pixel_data_and_refused_with_less() -> None:
    rows = bytes(INTERLACED_RGB_BYTES)
    assert read_picture(_png(8, 2, rows, interlaced=True)).picture.width == SIDE
    with pytest.raises(PictureError, match="end early"):
        read_picture(_png(8, 2, rows[:-49], interlaced=True))  # the last row of the last pass


def test_rows_of_any_one_colour_up_to_the_last_are_no_sign_of_a_cut() -> None:
    for colour in ((91, 91, 91), (91, 92, 93)):
        rows = (b"\0" + bytes(colour) * SIDE) * SIDE
        assert (decode_rgb(_png(8, 2, rows)) == np.array(colour)).all()
        read_picture(_png(8, 2, rows))


def test_a_palette_that_is_not_there_is_no_palette_of_greys() -> None:
    rows = (b"\0" + bytes(SIDE)) * SIDE
    read_picture(_png(8, 3, rows))
    with pytest.raises(PictureError, match="palette") as caught:
        read_picture(_png(8, 3, rows, palette=False))
    assert caught.value.fault is PictureFault.UNDECODABLE


def test_pixel_data_above_what_the_header_says_are_not_unpacked() -> None:
    rows = (b"\0" + bytes(3 * SIDE)) * SIDE
    data = _png(8, 2, rows + bytes(5_000_000))
    assert decode_plain_png(_png(8, 2, rows)) is not None
    assert decode_plain_png(data) is None
    assert decode_rgb(data).shape == (SIDE, SIDE, 3)
