"""Saliency on torch, whose import takes seconds: the Sobel map is that of OpenCV, and a classifier, here a small
torchvision model with random weights in a temporary file, gives another."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from core.errors import ConfigurationError
from core.identity import bytes_hash
from core.pictures import Pixels
from core.recipe import DegradationRecipe
from core.seeding import stream
from injectors.degraded_region import DegradedPicture, degrade_picture, draw_order
from injectors.saliency import choose_saliency, compute_sobel, compute_sobel_torch, find_cuda_device
from injectors.saliency_classifier import load_classifier
from injectors.salient_region import find_region, quantise

pytestmark = pytest.mark.integration

ARCHITECTURE = "squeezenet1_1"


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import torch
    from torchvision.models import get_model

    torch.manual_seed(3)
    path = tmp_path_factory.mktemp("weights") / "random.pth"
    torch.save(get_model(ARCHITECTURE, weights=None).state_dict(), path)
    return path


@pytest.fixture(scope="module")
def pixels() -> Pixels:
    picture = np.full((90, 120, 3), 255, np.uint8)
    cv2.circle(picture, (60, 45), 30, (200, 30, 30), -1)
    cv2.putText(picture, "42", (40, 60), cv2.FONT_HERSHEY_SIMPLEX, 1, (0, 0, 90), 2)
    return picture


def test_torch_gives_the_same_sobel_map_and_the_same_region(noise: Pixels) -> None:
    ours, torchs = compute_sobel(noise), compute_sobel_torch(noise, "cpu")
    assert np.array_equal(ours, torchs)
    first, second = find_region(quantise(ours)), find_region(quantise(torchs))
    assert (first & second).sum() > 0.99 * (first | second).sum()


@pytest.mark.gpu
def test_a_cuda_device_gives_the_same_sobel_map(noise: Pixels) -> None:
    if find_cuda_device() is None:
        pytest.skip("no CUDA device")
    assert np.array_equal(compute_sobel(noise), compute_sobel_torch(noise, "cuda"))


def recipe_with(weights: Path, architecture: str = ARCHITECTURE) -> DegradationRecipe:
    return DegradationRecipe(saliency="classifier", classifier=architecture, classifier_weights=str(weights))


def test_the_map_has_the_size_of_the_picture_and_is_the_same_each_time(weights: Path, pixels: Pixels) -> None:
    saliency = choose_saliency(recipe_with(weights))
    first, second = saliency.compute(pixels), saliency.compute(pixels)
    assert (first.shape, first.dtype) == ((90, 120), np.float32)
    assert first.max() > 0
    assert np.array_equal(first, second)


def test_the_name_holds_the_architecture_and_the_hash_of_the_file(weights: Path) -> None:
    name = choose_saliency(recipe_with(weights)).name
    assert name == f"classifier:{ARCHITECTURE}@1:{bytes_hash(weights.read_bytes())[:12]}"


def test_the_model_is_loaded_once(weights: Path) -> None:
    assert load_classifier(ARCHITECTURE, weights) is load_classifier(ARCHITECTURE, weights)


def test_a_picture_is_degraded_by_it_within_the_range(weights: Path, pixels: Pixels) -> None:
    order = draw_order(stream(1, "a"), (0.4, 0.5), ("occlusion",))
    done = degrade_picture(pixels, choose_saliency(recipe_with(weights)), order)
    assert isinstance(done, DegradedPicture)
    assert 0.4 <= done.measure.share <= 0.5
    assert done.measure.leak == 0
    assert done.measure.saliency.startswith("classifier:")


def test_a_missing_file_names_the_key(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"none\.pth.*degradation\.classifier_weights"):
        choose_saliency(recipe_with(tmp_path / "none.pth"))


def test_weights_of_another_model_name_the_key(weights: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"resnet18.*degradation\.classifier_weights"):
        choose_saliency(recipe_with(weights, "resnet18"))


@pytest.mark.parametrize("content", [b"", b"no weights", b"\x80\x02]."], ids=["empty", "text", "a list"])
def test_a_file_that_holds_no_weights_names_the_key(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.pth"
    path.write_bytes(content)
    with pytest.raises(ConfigurationError, match=r"degradation\.classifier_weights"):
        choose_saliency(recipe_with(path))


def test_code_in_the_file_is_not_run(tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    path = tmp_path / "bad.pth"
    path.write_bytes(f"cpathlib\nPath.touch\n(cpathlib\nPath\n(S'{marker}'\ntRtR.".encode())
    with pytest.raises(ConfigurationError, match=r"degradation\.classifier_weights"):
        choose_saliency(recipe_with(path))
    assert not marker.exists()


def test_an_unknown_model_names_the_key(weights: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"no_such_model.*degradation\.classifier"):
        choose_saliency(recipe_with(weights, "no_such_model"))
