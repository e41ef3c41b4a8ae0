"""Square tiles of a picture, taken out and put back in one step. The pixels of a degradation lie in few tiles; going
over the whole picture costs several times as much as working on these alone, and looking up each pixel even more."""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Indices = NDArray[np.intp]


class Tiles(NamedTuple):
    """n tiles of `side` x `side` pixels, by row and column of the grid that begins at the upper left corner. `marks`
    are the pixels that count, one tile below the other: n·side x side, 1 or 0."""

    side: int
    rows: Indices
    columns: Indices
    marks: Bytes


def take_tiles(picture: Bytes, side: int, rows: Indices, columns: Indices) -> Bytes:
    """One tile below the other: n·side x side (x 3). Beyond the edges of the picture all is 0."""
    tiles = _view_rows(_pad(picture, side), side)[rows, :, columns]
    return tiles.view(np.uint8).reshape(len(rows) * side, side, *picture.shape[2:])


def put_tiles(picture: Bytes, tiles: Tiles, content: Bytes) -> Bytes:
    """A copy of the picture with this content, shaped as `take_tiles` gives it. What lies beyond the edges is left
    out."""
    height, width = picture.shape[:2]
    padded = _pad(picture, tiles.side)
    copy = padded.copy() if padded is picture else padded
    rows = _view_rows(copy, tiles.side)
    rows[tiles.rows, :, tiles.columns] = content.reshape(len(tiles.rows), tiles.side, -1).view(rows.dtype)[..., 0]
    return copy[:height, :width]


def _pad(picture: Bytes, side: int) -> Bytes:
    height, width = picture.shape[:2]
    if height % side == 0 and width % side == 0:
        return picture
    padded = cv2.copyMakeBorder(picture, 0, -height % side, 0, -width % side, cv2.BORDER_CONSTANT)
    return np.asarray(padded, dtype=np.uint8)


def _view_rows(picture: Bytes, side: int) -> NDArray[np.void]:
    """Tiles down x side x tiles across: the rows of pixels of each tile, each as one value."""
    height, width = picture.shape[:2]
    rows = np.ascontiguousarray(picture).reshape(height // side, side, width // side, -1)
    return rows.view(f"V{rows.shape[-1]}")[..., 0]
