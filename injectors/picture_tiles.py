"""Square tiles of a picture, taken out and put back in one step. The pixels of a degradation lie in few tiles; going
over the whole picture costs several times as much as working on these alone, and looking up each pixel even more."""

from typing import NamedTuple, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Value = TypeVar("Value", np.uint8, np.uint16)
Indices = NDArray[np.intp]


class Tiles(NamedTuple):
    """n tiles of `side` x `side` pixels, by row and column of the grid that begins at the upper left corner. `marks`
    are the pixels that count, the tiles side by side: side x n·side, 1 or 0."""

    side: int
    rows: Indices
    columns: Indices
    marks: Bytes


def take_tiles(picture: NDArray[Value], side: int, rows: Indices, columns: Indices) -> NDArray[Value]:
    """Side by side: side x n·side (x 3). Beyond the edges of the picture all is 0."""
    tiles = _view_rows(_pad(picture, side), side)[:, rows, columns]
    return np.ascontiguousarray(tiles).view(picture.dtype).reshape(side, len(rows) * side, *picture.shape[2:])


def put_tiles(picture: Bytes, tiles: Tiles, content: Bytes) -> Bytes:
    """A copy of the picture with this content, shaped as `take_tiles` gives it. What lies beyond the edges is left
    out."""
    height, width = picture.shape[:2]
    padded = _pad(picture, tiles.side)
    copy = padded.copy() if padded is picture else padded
    rows = _view_rows(copy, tiles.side)
    rows[:, tiles.rows, tiles.columns] = content.reshape(tiles.side, len(tiles.rows), -1).view(rows.dtype)[..., 0]
    return copy[:height, :width]


def find_tiles(picture: Bytes, side: int) -> tuple[Indices, Indices]:
    """Rows and columns of the tiles in which anything is not 0."""
    padded = _pad(picture, side)
    down, across = padded.shape[0] // side, padded.shape[1] // side
    seen = np.bitwise_or.reduce(padded.reshape(down, side, -1), axis=1)
    rows, columns = np.nonzero(seen.reshape(down, across, -1).any(axis=2))
    return rows, columns


def sum_tiles(content: Bytes, side: int) -> NDArray[np.float64]:
    """n (x 3): the sum of each tile of what `take_tiles` gives, by channel. Exact."""
    sums = np.asarray(cv2.reduce(content, 0, cv2.REDUCE_SUM, dtype=cv2.CV_64F), dtype=np.float64)
    return sums.reshape(-1, side, *content.shape[2:]).sum(axis=1)


def _pad(picture: NDArray[Value], side: int) -> NDArray[Value]:
    height, width = picture.shape[:2]
    if height % side == 0 and width % side == 0:
        return picture
    padded = cv2.copyMakeBorder(picture, 0, -height % side, 0, -width % side, cv2.BORDER_CONSTANT)
    return np.asarray(padded, dtype=picture.dtype)


def _view_rows(picture: NDArray[Value], side: int) -> NDArray[np.void]:
    """Side x tiles down x tiles across: the rows of pixels of each tile, each as one value."""
    height, width = picture.shape[:2]
    rows = np.ascontiguousarray(picture).reshape(height // side, side, width // side, -1)
    return rows.view(f"V{rows.shape[-1] * rows.itemsize}")[..., 0].transpose(1, 0, 2)
