"""Where a picture carries what a reader needs. The region that a degradation destroys must be found in the same way on
every machine, so the default map is made of whole numbers only: OpenCV and torch give the same map to the last bit."""

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from core.pictures import Pixels
from core.recipe import DegradationRecipe
from injectors.saliency_classifier import Classifier, compute_classifier_gradient, load_classifier

if TYPE_CHECKING:
    import torch

Saliency = NDArray[np.float32]

SOBEL = "sobel@1"
_MIN_WINDOW = 15
_WINDOWS_PER_SIDE = 24
# Roots below a whole number are at least 0.00034 below it (the greatest is 1442), so that the whole part does not
# depend on how OpenCV rounds them.
_ROOT_MARGIN = np.float32(0.00015)
_GPU_DEVICES = (Path("/dev/nvidia0"), Path("/dev/dxg"))


class SaliencyMap(NamedTuple):
    """`compute` takes height x width x 3 RGB pixels and gives height x width of any scale, none below zero; all zero
    for a picture without salient parts. `name` says method, version and weights."""

    name: str
    compute: Callable[[Pixels], Saliency]


def choose_saliency(recipe: DegradationRecipe) -> SaliencyMap:
    """The map that the recipe asks for (A4). Raises ConfigurationError when its weights cannot be used."""
    if recipe.saliency == "classifier" and recipe.classifier_weights is not None:
        model = load_classifier(recipe.classifier, Path(recipe.classifier_weights))
        return SaliencyMap(model.name, partial(compute_spread_gradient, classifier=model))
    device = find_cuda_device()
    return SaliencyMap(SOBEL, compute_sobel if device is None else partial(compute_sobel_torch, device=device))


def compute_spread_gradient(pixels: Pixels, classifier: Classifier) -> Saliency:
    """The classifier's gradient over the same window, so that a region holds whole parts and not their outlines."""
    return _sum_window(compute_classifier_gradient(classifier, pixels))


def compute_sobel(pixels: Pixels) -> Saliency:
    """Sum of the Sobel magnitudes of the grey picture over a window of 1/24 of the short side, on OpenCV."""
    across, down = (gradient.astype(np.float32) for gradient in cv2.spatialGradient(_to_grey(pixels)))
    magnitude = np.asarray(cv2.magnitude(across, down, across), dtype=np.float32)
    magnitude += _ROOT_MARGIN
    return _sum_window(magnitude.astype(np.uint16))


def compute_sobel_torch(pixels: Pixels, device: str) -> Saliency:
    """The same map as `compute_sobel`, to the last bit, on a device of torch."""
    import torch

    grey = torch.from_numpy(_to_grey(pixels)).to(device, torch.float32)
    padded = torch.nn.functional.pad(grey[None, None], (1, 1, 1, 1), mode="reflect")[0, 0]
    down = _smooth(padded[2:] - padded[:-2], axis=1)
    across = _smooth(padded[:, 2:] - padded[:, :-2], axis=0)
    magnitude = (across * across + down * down).sqrt().to(torch.int64)
    reach = window_side(pixels) // 2
    total = _sum_along(_sum_along(magnitude, reach, axis=0), reach, axis=1)
    return total.to(torch.float32).cpu().numpy()


def window_side(pixels: NDArray[np.generic]) -> int:
    """1/24 of the short side, an odd number of pixels, at least 15."""
    return max(_MIN_WINDOW, min(pixels.shape[:2]) // _WINDOWS_PER_SIDE) | 1


@cache
def find_cuda_device() -> str | None:
    """torch is imported only where there is a driver: the import costs seconds."""
    if not any(path.exists() for path in _GPU_DEVICES):
        return None
    import torch

    return "cuda" if torch.cuda.is_available() else None


def _to_grey(pixels: Pixels) -> Pixels:
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), dtype=np.uint8)


def _sum_window(values: NDArray[np.uint16] | Saliency) -> Saliency:
    """OpenCV adds whole numbers up as such and rounds the sums, each once."""
    side = window_side(values)
    sums = cv2.boxFilter(values, cv2.CV_32F, (side, side), normalize=False, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(sums, dtype=np.float32)


def _smooth(values: "torch.Tensor", axis: int) -> "torch.Tensor":
    length = values.shape[axis] - 2
    first, middle, last = (values.narrow(axis, start, length) for start in range(3))
    return first + 2 * middle + last


def _sum_along(values: "torch.Tensor", reach: int, axis: int) -> "torch.Tensor":
    import torch

    length = values.shape[axis]
    running = torch.nn.functional.pad(values.cumsum(axis), (1, 0) if axis == 1 else (0, 0, 1, 0))
    places = torch.arange(length, device=values.device)
    ends = (places + reach + 1).clamp(max=length)
    starts = (places - reach).clamp(min=0)
    return running.index_select(axis, ends) - running.index_select(axis, starts)
