"""Checks of the new pictures from their stored bytes (M-13, A2): they decode, differ from the original where the mask
says so and nowhere else, and the changed pixels, counted anew, are as many as the range of the subtype wants of a
salient region of the recorded size. Where that region lies is not found again: that nothing outside it changed rests on
what the injector measured."""

from collections.abc import Iterator

import cv2
import numpy as np

from core.pictures import PictureError, Pixels, ReadPixels
from core.recipe import DegradationRecipe
from core.records import FlawedSample, Picture, PictureAddition, PictureDegradation, PictureReplacement, Sample
from core.taxonomy import Subtype
from filters.base import DropReason, Fault

_SHARE_TOLERANCE = 0.002


class _UnusableError(Exception):
    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.evidence)
        self.fault = fault


def check_pictures(
    candidate: FlawedSample, parent: Sample, read_pixels: ReadPixels, degradation: DegradationRecipe
) -> Fault | None:
    """The first fault of a new picture or mask: UNDECODABLE_PICTURE, NOTHING_CHANGED, OTHER_CHANGE,
    SHARE_OUT_OF_RANGE."""
    try:
        faults = (fault for fault in _walk(candidate, parent, read_pixels, degradation) if fault is not None)
        return next(faults, None)
    except _UnusableError as unusable:
        return unusable.fault


def _walk(
    candidate: FlawedSample, parent: Sample, read_pixels: ReadPixels, degradation: DegradationRecipe
) -> Iterator[Fault | None]:
    for flaw in candidate.flaws:
        for edit in flaw.edits:
            match edit:
                case PictureReplacement():
                    _decode(edit.after, read_pixels)
                    yield _check_replacement(edit, parent)
                case PictureDegradation():
                    yield _check_degradation(edit, flaw.subtype, read_pixels, degradation)
                case PictureAddition():
                    yield _check_addition(edit, parent.pictures[edit.of], read_pixels)
                case _:
                    continue


def _check_replacement(edit: PictureReplacement, parent: Sample) -> Fault | None:
    if edit.after.sha256 in {picture.sha256 for picture in parent.pictures}:
        return Fault(DropReason.OTHER_CHANGE, f"picture {edit.index} was replaced by a picture of the question itself")
    if edit.donor == parent.id:
        return Fault(DropReason.OTHER_CHANGE, f"picture {edit.index} names its own question as donor")
    return None


def _check_degradation(
    edit: PictureDegradation, subtype: Subtype, read_pixels: ReadPixels, degradation: DegradationRecipe
) -> Fault | None:
    difference, mask = _difference(edit.before, edit.after, edit.mask, read_pixels)
    outside = _check_outside(difference, mask, edit.index)
    if outside is not None:
        return outside
    changed = int(np.count_nonzero(difference > edit.measure.threshold))
    region = round(edit.measure.region_share * difference.size)
    share = changed / max(region, 1)
    low, high = _range_of(subtype, degradation)
    slack = 1 / max(region, 1)
    if not low - slack <= share <= high + slack:
        return Fault(
            DropReason.SHARE_OUT_OF_RANGE,
            f"picture {edit.index}: {share:.3f} of the salient region changed, outside {low} to {high}",
        )
    if abs(share - edit.measure.share) > _SHARE_TOLERANCE:
        return Fault(
            DropReason.OTHER_CHANGE,
            f"picture {edit.index}: {share:.3f} of the salient region changed, recorded {edit.measure.share:.3f}",
        )
    return None


def _check_addition(edit: PictureAddition, original: Picture, read_pixels: ReadPixels) -> Fault | None:
    difference, mask = _difference(original, edit.after, edit.mask, read_pixels)
    return _check_outside(difference, mask, edit.index)


def _check_outside(difference: Pixels, mask: Pixels, index: int) -> Fault | None:
    if not cv2.countNonZero(difference):
        return Fault(DropReason.NOTHING_CHANGED, f"picture {index} has the pixels of the original")
    outside = cv2.countNonZero(cv2.copyTo(difference, (mask == 0).view(np.uint8)))
    if outside:
        return Fault(DropReason.OTHER_CHANGE, f"picture {index}: {outside} pixels changed outside the mask")
    return None


def _difference(before: Picture, after: Picture, mask: Picture, read_pixels: ReadPixels) -> tuple[Pixels, Pixels]:
    """Height x width: the largest difference of a channel, 0..255; and the mask, 0 or 255."""
    old, new, marked = (_decode(picture, read_pixels) for picture in (before, after, mask))
    if not old.shape == new.shape == marked.shape:
        sizes = " / ".join(f"{pixels.shape[1]}x{pixels.shape[0]}" for pixels in (old, new, marked))
        raise _UnusableError(Fault(DropReason.OTHER_CHANGE, f"original / new / mask differ in size: {sizes}"))
    red, green, blue = cv2.split(cv2.absdiff(old, new))
    return np.asarray(cv2.max(cv2.max(red, green), blue), np.uint8), np.asarray(cv2.extractChannel(marked, 0), np.uint8)


def _decode(picture: Picture, read_pixels: ReadPixels) -> Pixels:
    try:
        return read_pixels(picture)
    except PictureError as error:
        fault = Fault(DropReason.UNDECODABLE_PICTURE, f"{picture.sha256[:12]}: {error}")
        raise _UnusableError(fault) from error


def _range_of(subtype: Subtype, degradation: DegradationRecipe) -> tuple[float, float]:
    match subtype:
        case Subtype.LIGHT_MISSING_VISUAL_PREMISE:
            return degradation.light
        case Subtype.MEDIUM_MISSING_VISUAL_PREMISE:
            return degradation.medium
        case _:
            return degradation.severe
