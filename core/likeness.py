"""Which pictures look alike, by their perceptual hashes of 64 bits, and how such are found without comparing all."""

MAX_BITS = 4
"""By which the hash of one picture may differ between two encodings: JPEG again gives 0 to 2, and no two different
pictures of the six real samples come below 8."""
_BANDS = MAX_BITS + 1
_BAND_BITS = 64 // _BANDS + 1

Band = tuple[int, int]


def look_alike(one: int, other: int) -> bool:
    return (one ^ other).bit_count() <= MAX_BITS


def bands(value: int) -> list[Band]:
    """Slices of a hash, each with its number: two hashes that differ in at most MAX_BITS are equal in at least one."""
    return [(band, value >> (band * _BAND_BITS) & ((1 << _BAND_BITS) - 1)) for band in range(_BANDS)]
