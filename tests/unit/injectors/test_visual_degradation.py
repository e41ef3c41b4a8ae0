"""The injector as a whole: what it claims is found again with plain numpy from the two pictures alone."""

import hashlib
import io
import re
from collections.abc import Iterator
from typing import Literal

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

from core.pictures import Pixels, decode_rgb, encode_png, read_picture
from core.recipe import DegradationRecipe, Operation
from core.records import Blob, Language, Picture, PictureDegradation, Sample, Subject
from core.seeding import stream
from core.taxonomy import Subtype
from injectors.base import Injection, InjectionContext, Rejection, RejectionReason
from injectors.degraded_region import DegradedPicture, degrade_picture, draw_order
from injectors.saliency import choose_saliency
from injectors.visual_degradation import VISUAL_DEGRADATION

LIGHT = Subtype.LIGHT_MISSING_VISUAL_PREMISE
MEDIUM = Subtype.MEDIUM_MISSING_VISUAL_PREMISE
SEVERE = Subtype.SEVERE_MISSING_VISUAL_PREMISE
RANGES = {LIGHT: (0.20, 0.30), MEDIUM: (0.40, 0.50), SEVERE: (0.70, 0.80)}
ALL_OPERATIONS = DegradationRecipe(operations=("blur", "pixelate", "warp", "occlusion", "noise"))
WEAK = (RejectionReason.TOO_WEAK, RejectionReason.OUT_OF_RANGE)
subtypes = st.sampled_from(sorted(RANGES))


def draw_figure(seed: int, height: int = 200, width: int = 260) -> Pixels:
    """Bars, a circle and words on paper: a small chart, another one for each seed."""
    random = np.random.default_rng(seed)
    figure = np.full((height, width, 3), 250, np.uint8)
    for left in range(width // 8, width - width // 8, max(8, width // 6)):
        top = int(random.integers(height // 5, height - 4))
        colour = tuple(int(value) for value in random.integers(0, 200, 3))
        cv2.rectangle(figure, (left, top), (left + max(3, width // 12), height - 3), colour, -1)
    cv2.circle(figure, (width // 2, height // 3), max(3, min(height, width) // 5), (0, 0, 120), 2)
    cv2.putText(figure, f"n = {seed % 997}", (4, height // 4), cv2.FONT_HERSHEY_SIMPLEX, height / 250, (0, 0, 0), 1)
    return figure


def draw_photo(seed: int, height: int, width: int) -> Pixels:
    small = np.random.default_rng(seed).integers(0, 256, (height // 4 + 1, width // 4 + 1, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), dtype=np.uint8)


def make_sample(blobs: list[Blob]) -> Sample:
    return Sample(
        source="test",
        source_id="1",
        context="See " + " ".join(f"<image {number + 1}>" for number in range(len(blobs))),
        query="How many bars are there?",
        options=("3", "4"),
        pictures=tuple(blob.picture for blob in blobs),
        answer="4",
        correct_options=(1,),
        subject=Subject.MATHEMATICS,
        language=Language.ENGLISH,
        licence="CC0-1.0",
        attribution="test",
    )


def inject(
    blobs: list[Blob], subtype: Subtype, seed: int = 0, recipe: DegradationRecipe | None = None
) -> tuple[Sample, Injection | Rejection]:
    sample = make_sample(blobs)
    stored = {blob.picture.sha256: blob.data for blob in blobs}
    context = InjectionContext(
        stream=stream(seed, sample.id, subtype),
        read_pixels=lambda picture: decode_rgb(stored[picture.sha256]),
        degradation=recipe or DegradationRecipe(),
    )
    return sample, VISUAL_DEGRADATION[subtype].apply(sample, context)


def edits_of(outcome: Injection | Rejection) -> list[PictureDegradation]:
    assert isinstance(outcome, Injection), outcome
    (flaw,) = outcome.candidate.flaws
    return [edit for edit in flaw.edits if isinstance(edit, PictureDegradation)]


def data_of(outcome: Injection | Rejection, picture: Picture) -> bytes:
    assert isinstance(outcome, Injection)
    return next(blob.data for blob in outcome.blobs if blob.picture == picture)


def find_region_by_definition(pixels: Pixels) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Levels and region: docs/degradation.md, steps 1 and 2, with plain numpy."""
    red, green, blue = (pixels[..., channel].astype(np.int64) for channel in range(3))
    grey = np.pad((red * 9798 + green * 19235 + blue * 3735 + 16384) >> 15, 1, mode="reflect")
    across = grey[:, 2:] - grey[:, :-2]
    across = across[:-2] + 2 * across[1:-1] + across[2:]
    down = grey[2:] - grey[:-2]
    down = down[:, :-2] + 2 * down[:, 1:-1] + down[:, 2:]
    side = max(15, min(pixels.shape[:2]) // 24) | 1
    table = np.pad(np.sqrt(across**2 + down**2).astype(np.int64), side // 2).cumsum(0).cumsum(1)
    table = np.pad(table, ((1, 0), (1, 0)))
    total = table[side:, side:] - table[:-side, side:] - table[side:, :-side] + table[:-side, :-side]
    values = total.astype(np.float32)
    levels = (values * np.float32(65535 / float(values.max()))).clip(0, 65535).astype(np.int64).ravel()
    order = np.argsort(-levels, kind="stable")
    size = int(np.argmax(levels[order].cumsum() * 100 >= levels.sum() * 80)) + 1
    region = np.zeros(levels.size, bool)
    region[order[: min(size, levels.size * 40 // 100)]] = True
    return levels.reshape(total.shape), region.reshape(total.shape)


def check_claims(original: bytes, outcome: Injection | Rejection, edit: PictureDegradation, subtype: Subtype) -> None:
    """The measure against both pictures decoded by Pillow."""
    before = np.asarray(decode_rgb(original)).astype(int)
    with Image.open(io.BytesIO(data_of(outcome, edit.after))) as image:
        assert (image.format, image.mode) == ("PNG", "RGB")
        after = np.asarray(image).astype(int)
    with Image.open(io.BytesIO(data_of(outcome, edit.mask))) as image:
        mask = np.asarray(image.convert("L"))
    changed = np.abs(after - before).max(axis=2) > 8
    levels, region = find_region_by_definition(before.astype(np.uint8))
    low, high = RANGES[subtype]
    share = (changed & region).sum() / region.sum()
    assert low <= share <= high
    assert not (changed & ~region).any()
    assert np.array_equal(after[~changed], before[~changed])
    assert np.array_equal(mask, np.where(changed, 255, 0))
    measure = edit.measure
    assert (measure.share, measure.leak) == (pytest.approx(share), 0)
    assert measure.image_share == pytest.approx(changed.mean())
    assert measure.region_share == pytest.approx(region.mean())
    assert measure.mean_change == pytest.approx(np.abs(after - before)[changed].mean())
    assert measure.mean_change >= 16
    assert measure.pushed_share <= 0.1
    assert low < measure.target < high
    shares = np.arange(region.sum() + 1) / region.sum()
    possible = shares[(shares >= low) & (shares <= high)]  # a small region may have its nearest count outside
    assert abs(measure.target - share) <= np.abs(possible - measure.target).min() + 1e-9
    assert measure.mass_share == pytest.approx(levels[changed].sum() / levels[region].sum())


@settings(max_examples=25)
@given(st.integers(0, 999), st.integers(16, 180), st.integers(16, 180), subtypes, st.booleans())
def test_the_claim_holds_in_the_stored_picture_at_any_size(
    seed: int, height: int, width: int, subtype: Subtype, photo: bool
) -> None:
    blob = encode_png(draw_photo(seed, height, width) if photo else draw_figure(seed, height, width))
    _, outcome = inject([blob], subtype, seed, ALL_OPERATIONS)
    if isinstance(outcome, Rejection):
        assert outcome.reason in WEAK
        return
    (edit,) = edits_of(outcome)
    check_claims(blob.data, outcome, edit, subtype)


def encode(image: Image.Image, kind: str) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind)
    return buffer.getvalue()


def picture_modes() -> Iterator[tuple[str, str]]:
    for mode in ("RGB", "RGBA", "L", "LA", "P", "1", "I;16"):
        yield mode, "PNG"
    yield "CMYK", "JPEG"
    yield "L", "JPEG"
    yield "F", "TIFF"


def make_picture(stored: tuple[str, str], seed: int, height: int = 200, width: int = 260) -> bytes:
    """A figure in a mode and a file format of Pillow."""
    mode, kind = stored
    figure = Image.fromarray(draw_figure(seed, height, width))
    if mode == "I;16":
        return encode(Image.fromarray(np.asarray(figure.convert("L")).astype(np.uint16) * 257), kind)
    return encode(figure.convert(mode), kind)


@pytest.mark.parametrize(("mode", "kind"), list(picture_modes()), ids=lambda value: str(value).replace(";", "_"))
def test_every_picture_mode_is_degraded(mode: str, kind: str) -> None:
    data = make_picture((mode, kind), seed=4)
    _, outcome = inject([read_picture(data)], MEDIUM)
    (edit,) = edits_of(outcome)
    check_claims(data, outcome, edit, MEDIUM)


@pytest.mark.parametrize("subtype", sorted(RANGES))
@pytest.mark.parametrize("operation", ["blur", "pixelate", "warp", "occlusion", "noise"])
def test_each_operation_meets_each_range(operation: str, subtype: Subtype) -> None:
    recipe = DegradationRecipe.model_validate({"operations": (operation,)})
    blob = encode_png(draw_photo(2, 150, 170))
    _, outcome = inject([blob], subtype, recipe=recipe)
    (edit,) = edits_of(outcome)
    assert edit.measure.operation == operation
    check_claims(blob.data, outcome, edit, subtype)


def test_a_configured_range_is_kept() -> None:
    recipe = DegradationRecipe(light=(0.05, 0.06))
    for seed in range(5):
        _, outcome = inject([encode_png(draw_figure(seed))], LIGHT, seed, recipe)
        (edit,) = edits_of(outcome)
        assert 0.05 <= edit.measure.share <= 0.06


def test_targets_fill_the_range_and_operations_are_mixed() -> None:
    measures = [
        edits_of(inject([encode_png(draw_photo(seed, 60, 70))], LIGHT, seed)[1])[0].measure for seed in range(60)
    ]
    targets = [measure.target for measure in measures]
    assert min(targets) < 0.22
    assert max(targets) > 0.28
    counts = [sum(measure.operation == name for measure in measures) for name in ("blur", "pixelate", "warp")]
    assert sum(counts) == 60
    assert min(counts) >= 8


pictures = st.builds(
    make_picture,
    st.sampled_from(list(picture_modes())),
    seed=st.integers(0, 999),
    height=st.integers(16, 60),
    width=st.integers(16, 60),
)


@given(st.lists(pictures, max_size=9), subtypes, st.sampled_from(["all", "one"]), st.integers(0, 99))
def test_the_claims_hold_for_any_number_of_pictures_of_any_mode(
    files: list[bytes], subtype: Subtype, which: Literal["all", "one"], seed: int
) -> None:
    recipe = DegradationRecipe(pictures=which, operations=ALL_OPERATIONS.operations)
    sample, outcome = inject([read_picture(data) for data in files], subtype, seed, recipe)
    if isinstance(outcome, Rejection):
        assert outcome.reason in WEAK or (not files and outcome.reason is RejectionReason.NO_PICTURE)
        return
    edits = edits_of(outcome)
    touched = [edit.index for edit in edits]
    assert touched == list(range(len(files))) if which == "all" else len(touched) == 1
    for edit in edits:
        check_claims(files[edit.index], outcome, edit, subtype)
    for index, picture in enumerate(outcome.candidate.pictures):
        assert (picture == sample.pictures[index]) is (index not in touched)


@pytest.mark.parametrize("count", [1, 9])
def test_all_pictures_are_degraded_and_texts_stay(count: int) -> None:
    blobs = [encode_png(draw_figure(number)) for number in range(count)]
    sample, outcome = inject(blobs, SEVERE)
    edits = edits_of(outcome)
    assert isinstance(outcome, Injection)
    candidate = outcome.candidate
    assert [edit.index for edit in edits] == list(range(count))
    assert [edit.before for edit in edits] == list(sample.pictures)
    assert [edit.after for edit in edits] == list(candidate.pictures)
    assert not set(candidate.pictures) & set(sample.pictures)
    assert (candidate.context, candidate.query, candidate.options) == (sample.context, sample.query, sample.options)
    assert {blob.picture for blob in outcome.blobs} == {edit.after for edit in edits} | {edit.mask for edit in edits}


def test_one_picture_is_degraded_when_the_recipe_says_one() -> None:
    blobs = [encode_png(draw_figure(number)) for number in range(4)]
    touched = set()
    for seed in range(12):
        sample, outcome = inject(blobs, LIGHT, seed, DegradationRecipe(pictures="one"))
        (edit,) = edits_of(outcome)
        assert isinstance(outcome, Injection)
        others = [index for index in range(4) if index != edit.index]
        assert [outcome.candidate.pictures[index] for index in others] == [sample.pictures[index] for index in others]
        touched.add(edit.index)
    assert len(touched) >= 3


@settings(max_examples=10)
@given(st.integers(0, 999), subtypes)
def test_the_same_stream_gives_the_same_bytes_and_the_sample_stays(seed: int, subtype: Subtype) -> None:
    blobs = [encode_png(draw_figure(seed)), encode_png(draw_photo(seed, 90, 110))]
    before = make_sample(blobs).model_dump_json()
    sample, first = inject(blobs, subtype, seed)
    _, second = inject(blobs, subtype, seed)
    assert first == second
    assert sample.model_dump_json() == before


def draw_without_libraries() -> Pixels:
    rows, columns = np.mgrid[:120, :160]
    waves = ((rows // 3) ** 2 * 5 + (columns // 4) ** 2 * 3 + rows * columns // 40) % 251
    return np.stack([waves, 250 - waves, waves // 2 + 60], axis=-1).astype(np.uint8)


@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        ("blur", "1e41dadcbd60"),
        ("pixelate", "d379f55b88b9"),
        ("warp", "2fe46800d961"),
        ("occlusion", "ed98caef0be5"),
        ("noise", "f9b2d503afac"),
    ],
)
def test_the_same_pixels_come_out_on_every_machine(operation: Operation, expected: str) -> None:
    """When this fails on purpose, raise the version of the injector and put the new hashes here."""
    order = draw_order(stream(1, "fixed"), (0.4, 0.5), (operation,))
    done = degrade_picture(draw_without_libraries(), choose_saliency(DegradationRecipe()), order)
    assert isinstance(done, DegradedPicture), done
    pixels = decode_rgb(done.picture.data).tobytes() + decode_rgb(done.mask.data).tobytes()
    assert hashlib.sha256(pixels).hexdigest()[:12] == expected


def test_the_explanation_names_level_operation_and_share() -> None:
    _, outcome = inject([encode_png(draw_figure(1)), encode_png(draw_figure(2))], SEVERE)
    edits = edits_of(outcome)
    assert isinstance(outcome, Injection)
    explanation = outcome.candidate.flaws[0].explanation
    for edit in edits:
        assert f"picture {edit.index + 1}, {edit.measure.share:.1%}" in explanation
        assert edit.measure.operation in explanation
    assert len(re.findall("severe", explanation)) == 2


def test_a_sample_without_pictures_is_refused() -> None:
    _, outcome = inject([], LIGHT)
    assert isinstance(outcome, Rejection)
    assert outcome.reason is RejectionReason.NO_PICTURE


@pytest.mark.parametrize("shade", [0, 130, 255])
def test_a_flat_picture_is_refused(shade: int) -> None:
    _, outcome = inject([encode_png(np.full((50, 60, 3), shade, np.uint8))], LIGHT)
    assert isinstance(outcome, Rejection)
    assert outcome.reason is RejectionReason.FLAT_PICTURE


def test_one_flat_picture_among_others_refuses_the_sample_and_is_named() -> None:
    blobs = [encode_png(draw_figure(1)), encode_png(np.full((50, 60, 3), 9, np.uint8))]
    _, outcome = inject(blobs, LIGHT)
    assert isinstance(outcome, Rejection)
    assert outcome.reason is RejectionReason.FLAT_PICTURE
    assert "picture 2" in outcome.detail


def test_a_faint_gradient_is_too_weak_and_every_operation_is_named() -> None:
    ramp = np.tile((100 + np.arange(300) / 6).astype(np.uint8)[None, :, None], (200, 1, 3))
    _, outcome = inject([encode_png(ramp)], SEVERE)
    assert isinstance(outcome, Rejection)
    assert outcome.reason is RejectionReason.TOO_WEAK
    assert all(name in outcome.detail for name in ("blur", "pixelate", "warp"))


def test_another_operation_is_taken_where_the_first_is_too_weak() -> None:
    ramp = np.tile((100 + np.arange(300) / 6).astype(np.uint8)[None, :, None], (200, 1, 3))
    recipe = DegradationRecipe(operations=("blur", "pixelate", "warp", "occlusion"))
    for seed in range(4):
        (edit,) = edits_of(inject([encode_png(ramp)], SEVERE, seed, recipe)[1])
        assert edit.measure.operation == "occlusion"


def test_a_range_that_no_number_of_pixels_meets_is_refused() -> None:
    figure = np.full((16, 16, 3), 255, np.uint8)
    figure[6:9, 6:9] = 0
    _, outcome = inject([encode_png(figure)], LIGHT, recipe=DegradationRecipe(light=(0.2, 0.2001)))
    assert isinstance(outcome, Rejection)
    assert outcome.reason is RejectionReason.OUT_OF_RANGE


def test_a_picture_that_cannot_be_decoded_is_refused() -> None:
    blob = encode_png(draw_figure(1))
    _, outcome = inject([Blob(blob.picture, blob.data[: len(blob.data) // 2])], LIGHT)
    assert isinstance(outcome, Rejection)
    assert outcome.reason is RejectionReason.UNDECODABLE_PICTURE
    assert "picture 1" in outcome.detail


def test_there_is_one_injector_for_each_level() -> None:
    assert {subtype: injector.subtype for subtype, injector in VISUAL_DEGRADATION.items()} == {
        subtype: subtype for subtype in RANGES
    }
