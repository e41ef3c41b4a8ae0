"""Numbers of a picture that tell nothing of what it shows, but of what was done to it: the control of the blind
baseline for degraded and edited pictures."""

import cv2
import numpy as np

from core.pictures import decode_rgb

_SIDE = 256  # pixels of the longer side: decoding costs more than all that follows


def describe_picture(data: bytes) -> tuple[float, ...]:
    """Log of width and of height; of a small copy brightness and its spread, saturation, log of the mean sharpness
    (Laplacian) and of its spread, share of edges. Nothing of the file: how it was encoded is not to be seen. Raises
    core.pictures.PictureError."""
    pixels = decode_rgb(data)
    height, width = pixels.shape[:2]
    scale = min(1.0, _SIDE / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY)
    saturation = cv2.cvtColor(small, cv2.COLOR_RGB2HSV)[:, :, 1]
    sharpness = np.abs(cv2.Laplacian(grey, cv2.CV_32F))
    edges = cv2.Canny(grey, 100, 200)
    return (
        float(np.log(width)),
        float(np.log(height)),
        float(grey.mean()),
        float(grey.std()),
        float(saturation.mean()),
        float(np.log1p(sharpness.mean())),
        float(np.log1p(sharpness.std())),
        float((edges > 0).mean()),
    )
