"""What a PNG says of itself without its pixels being decoded: Pillow fills up pixel data that end early, and OpenCV
unpacks all that follows the last row."""

import struct
import zlib
from collections.abc import Iterator
from typing import NamedTuple

MAX_PIXELS = 80_000_000
MAX_SIDE = 1_000_000  # libpng writes no wider picture
HEADER = struct.Struct(">IIBBBBB")
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_PLAIN_KINDS = ((8, 2), (8, 0), (1, 0))  # bits and colour type: RGB, grey and black and white
_SAMPLES = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}  # of one pixel, by colour type
_PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
"""First column and row and the steps between them, of the passes of an interlaced PNG."""
_BLOCK = 1 << 20
_FRAME = 1024  # more than the parts of a packed stream that are no data of its pixels


class _Header(NamedTuple):
    width: int
    height: int
    depth: int
    colour: int
    compression: int
    filtering: int
    interlacing: int


def is_plain(data: bytes) -> bool:
    """Header, pixels and end and nothing else, each with its right checksum, of a size that may be decoded, and pixels
    that take no more bytes than packing could make of them at worst."""
    chunks = _sound_chunks(data)
    names = [name for name, _ in chunks]
    if len(names) < 3 or set(names[1:-1]) != {b"IDAT"} or (names[0], names[-1]) != (b"IHDR", b"IEND"):
        return False
    if len(chunks[0][1]) != HEADER.size:
        return False
    header = _Header(*HEADER.unpack(chunks[0][1]))
    fits = max(header.width, header.height) <= MAX_SIDE and 0 < header.width * header.height <= MAX_PIXELS
    if (header.depth, header.colour) not in _PLAIN_KINDS or any(header[4:]) or not fits:
        return False
    size = _unpacked_size(header)
    return sum(len(content) for _, content in chunks[1:-1]) <= size + size // 8 + _FRAME


def lacks_pixels(data: bytes) -> bool:
    """Whether the pixel data of a PNG, which may be damaged elsewhere, unpack to less than its header says."""
    chunks = _chunks(data)
    size = _unpacked_size(_Header(*HEADER.unpack_from(next(chunks)[1])))
    unpacker, count = zlib.decompressobj(), 0
    try:
        for packed in (content for name, content in chunks if name == b"IDAT"):
            rest: bytes | memoryview = packed
            while rest and count < size:
                count += len(unpacker.decompress(rest, min(_BLOCK, size - count)))
                rest = unpacker.unconsumed_tail
    except zlib.error:
        return True
    return count < size


def _unpacked_size(header: _Header) -> int:
    """In bytes; each row has one more for its filter."""
    bits = header.depth * _SAMPLES[header.colour]
    passes = _PASSES if header.interlacing else ((0, 0, 1, 1),)
    size = 0
    for left, top, across, down in passes:
        columns = max(0, -(-(header.width - left) // across))
        rows = max(0, -(-(header.height - top) // down))
        size += rows * (1 + -(-columns * bits // 8)) if columns else 0
    return size


def _sound_chunks(data: bytes) -> list[tuple[bytes, memoryview]]:
    """Names and contents; none where the file is cut, too long or has a wrong checksum."""
    chunks: list[tuple[bytes, memoryview]] = []
    place = len(_SIGNATURE)
    for name, content in _chunks(data):
        place += 12 + len(content)
        if place > len(data) or zlib.crc32(content, zlib.crc32(name)) != int.from_bytes(data[place - 4 : place]):
            return []
        chunks.append((name, content))
    return chunks


def _chunks(data: bytes) -> Iterator[tuple[bytes, memoryview]]:
    """Names and contents; the last may be cut."""
    view, place = memoryview(data), len(_SIGNATURE)
    while data.startswith(_SIGNATURE) and place < len(data):
        end = place + 8 + int.from_bytes(view[place : place + 4])
        yield bytes(view[place + 4 : place + 8]), view[place + 8 : end]
        place = end + 4
