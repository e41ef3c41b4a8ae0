"""Saliency by the input gradient of a picture classifier. It finds the object of a photo, where edges find its texture;
on charts and drawings it finds nothing, so it is an option and not the default (docs/degradation.md)."""

import pickle
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from core.errors import ConfigurationError
from core.identity import bytes_hash
from core.pictures import Pixels

if TYPE_CHECKING:
    import torch

_VERSION = 1
_SHORT_SIDE = 224
_LONG_SIDE = 672
_DRAWS = 8
_NOISE = 0.15
_SEED = 0
_MEAN = (0.485, 0.456, 0.406)
_DEVIATION = (0.229, 0.224, 0.225)
_UNFIT = (OSError, EOFError, RuntimeError, TypeError, ValueError, AttributeError, LookupError, pickle.UnpicklingError)


class Classifier(NamedTuple):
    """`name` holds the architecture and the first digits of the hash of the weights file."""

    name: str
    network: "torch.nn.Module"


@cache
def load_classifier(architecture: str, weights: Path) -> Classifier:
    """A torchvision model with weights of a local file, loaded once in a process; code in the file is not run.

    Raises ConfigurationError when torchvision has no such model or the file cannot be read or does not fit it."""
    import torch
    from torchvision.models import get_model  # pyright: ignore[reportUnknownVariableType]

    try:
        network = get_model(architecture, weights=None)
    except ValueError as error:
        raise ConfigurationError(
            f"torchvision has no model {architecture!r}.",
            "Set `degradation.classifier` to a classification model of torchvision such as resnet18.",
        ) from error
    try:
        data = weights.read_bytes()
        network.load_state_dict(torch.load(weights, map_location="cpu", weights_only=True))
    except _UNFIT as error:
        cause = (str(error) or type(error).__name__).splitlines()[0]
        raise ConfigurationError(
            f"The weights {weights} cannot be used for {architecture}: {cause}",
            f"Set `degradation.classifier_weights` to a file of torchvision weights of {architecture}.",
        ) from error
    return Classifier(f"classifier:{architecture}@{_VERSION}:{bytes_hash(data)[:12]}", network.eval())


def compute_classifier_gradient(classifier: Classifier, pixels: Pixels) -> NDArray[np.float32]:
    """Height x width, >= 0: mean absolute gradient of the strongest class over draws of a noisy picture (SmoothGrad),
    taken at a short side of 224 and scaled back. The noise has a fixed seed."""
    import torch

    height, width = pixels.shape[:2]
    scale = min(_SHORT_SIDE / min(height, width), _LONG_SIDE / max(height, width))
    size = (max(32, round(width * scale)), max(32, round(height * scale)))
    small = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), dtype=np.float32) / 255
    picture = torch.from_numpy((small - _MEAN) / _DEVIATION).to(torch.float32).permute(2, 0, 1)[None]
    noise = torch.Generator().manual_seed(_SEED)
    spread = _NOISE * float(picture.max() - picture.min())
    with torch.no_grad():
        strongest = int(classifier.network(picture).argmax())
    total = torch.zeros(picture.shape[-2:])
    for _ in range(_DRAWS):
        noisy = picture + spread * torch.randn(picture.shape, generator=noise)
        noisy.requires_grad_()
        (gradient,) = torch.autograd.grad(classifier.network(noisy)[0, strongest], noisy)
        total += gradient[0].abs().sum(dim=0)
    return np.asarray(cv2.resize(total.numpy(), (width, height), interpolation=cv2.INTER_LINEAR), dtype=np.float32)
