"""One picture degraded to one share: region, pixels, operation, push, stored picture and its measure. An operation that
does too little is passed over for the next one, so that a share in range always means unreadable content."""

import random
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import cv2
import numpy as np

from core.pictures import Pixels, decode_rgb, encode_mask_png, encode_png
from core.recipe import Operation
from core.records import Blob, DegradationMeasure
from injectors.base import Rejection, RejectionReason
from injectors.degradation_measure import measure_change
from injectors.degradations import (
    CHANGE_THRESHOLD,
    OPERATIONS,
    Chosen,
    Colours,
    find_unchanged,
    gather_chosen,
)
from injectors.picture_tiles import put_tiles
from injectors.saliency import SaliencyMap
from injectors.salient_region import choose_pixels, count_for_share, find_region, quantise

MAX_PUSHED_SHARE = 0.10
MIN_MEAN_CHANGE = 16.0
_LARGE_BLOCK = 31 << 20  # bytes: below the 32 MiB up to which the C library adapts
_VALUES = np.arange(256)
_PUSHED = (_VALUES + np.where(_VALUES < 128, 1, -1) * (CHANGE_THRESHOLD + 1)).astype(np.uint8)


class DegradedPicture(NamedTuple):
    """`mask` is 255 where the picture was changed."""

    picture: Blob
    mask: Blob
    measure: DegradationMeasure


class Order(NamedTuple):
    """What is wanted of one picture: `target` lies in `share_range`; `operations` are tried in this order."""

    target: float
    share_range: tuple[float, float]
    operations: tuple[Operation, ...]
    seed: int


class _Attempt(NamedTuple):
    operation: Operation
    colours: Colours
    pushed_share: float
    mean_change: float


def draw_order(stream: random.Random, share_range: tuple[float, float], operations: Sequence[Operation]) -> Order:
    """A target drawn evenly from the range without its outer 2 % on either side, and operations in a drawn order."""
    low, high = share_range
    margin = 0.02 * (high - low)
    target = stream.uniform(low + margin, high - margin)
    shuffled = tuple(stream.sample(operations, len(operations)))
    return Order(target, share_range, shuffled, stream.getrandbits(64))


def degrade_picture(pixels: Pixels, saliency: SaliencyMap, order: Order) -> DegradedPicture | Rejection:
    """Height x width x 3 RGB pixels in, the stored picture with its measure out (M-13). The pixels are not changed.

    Rejects a flat picture, one whose region holds no number of pixels in the range, and one that no operation changes
    strongly enough."""
    _keep_freed_memory()
    levels = quantise(saliency.compute(pixels))
    region = find_region(levels)
    size = int(np.count_nonzero(region))
    if size == 0:
        return Rejection(RejectionReason.FLAT_PICTURE, "nothing in it is salient")
    count = count_for_share(order.target, order.share_range, size)
    if count is None:
        low, high = order.share_range
        return Rejection(
            RejectionReason.OUT_OF_RANGE, f"no count of its {size} salient pixels is {low:.0%} to {high:.0%}"
        )
    chosen = gather_chosen(pixels, choose_pixels(levels, region, count), order.seed)
    attempt = _apply_strong_operation(chosen, order.operations)
    if isinstance(attempt, Rejection):
        return attempt
    picture = encode_png(put_tiles(pixels, chosen.tiles, attempt.colours))
    found = measure_change(pixels, decode_rgb(picture.data), levels, region)
    low, high = order.share_range
    if found.leak > 0 or not low <= found.share <= high:
        return Rejection(RejectionReason.OUT_OF_RANGE, f"measured share {found.share:.4f}, leak {found.leak:.6f}")
    measure = DegradationMeasure(
        operation=attempt.operation,
        saliency=saliency.name,
        target=order.target,
        share=found.share,
        mass_share=found.mass_share,
        image_share=found.image_share,
        region_share=found.region_share,
        leak=found.leak,
        pushed_share=attempt.pushed_share,
        mean_change=found.mean_change,
        threshold=CHANGE_THRESHOLD,
    )
    return DegradedPicture(picture, encode_mask_png(found.changed), measure)


@cache
def _keep_freed_memory() -> None:
    """Once in a process. The C library of Linux gives freed memory back to the system above twice the size of the
    largest block freed so far; without one the arrays of every picture are paged in anew, a third of the whole time."""
    np.empty(_LARGE_BLOCK, np.uint8)


def _apply_strong_operation(chosen: Chosen, operations: Sequence[Operation]) -> _Attempt | Rejection:
    weak: list[str] = []
    for operation in operations:
        attempt = _apply(chosen, operation)
        if attempt.pushed_share <= MAX_PUSHED_SHARE and attempt.mean_change >= MIN_MEAN_CHANGE:
            return attempt
        weak.append(f"{operation} leaves {attempt.pushed_share:.0%} and changes by {attempt.mean_change:.0f}")
    return Rejection(RejectionReason.TOO_WEAK, "; ".join(weak))


def _apply(chosen: Chosen, operation: Operation) -> _Attempt:
    new, marks = OPERATIONS[operation](chosen), chosen.tiles.marks
    colours = np.asarray(cv2.copyTo(new, marks, chosen.colours.copy()), dtype=np.uint8)
    unchanged = np.flatnonzero(find_unchanged(chosen, colours))
    colours.reshape(-1, 3)[unchanged] = _PUSHED[chosen.colours.reshape(-1, 3)[unchanged]]
    change = np.sum(cv2.sumElems(cv2.absdiff(chosen.colours, colours)))
    return _Attempt(operation, colours, len(unchanged) / chosen.count, float(change) / (3 * chosen.count))
