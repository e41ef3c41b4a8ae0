"""Light, medium and severe missing visual premise: the pictures stay, and a stated share of what matters in them
becomes unreadable (M-13). Texts and options are not touched."""

from core.pictures import PictureError
from core.recipe import DegradationRecipe, ShareRange
from core.records import Blob, Flaw, FlawedSample, PictureDegradation, Sample
from core.taxonomy import Subtype
from injectors.base import RULES, Injection, InjectionContext, Rejection, RejectionReason, RuleInjector
from injectors.degraded_region import degrade_picture, draw_order
from injectors.saliency import choose_saliency

_VERSION = 3
_DONE = {
    "blur": "blurred",
    "pixelate": "pixelated",
    "warp": "warped",
    "occlusion": "covered",
    "noise": "drowned in noise",
}


class VisualDegradation:
    """All pictures are degraded, or one drawn from them (A5). A sample is refused as a whole when a picture that was to
    be degraded cannot be: with one picture left whole it might still be answered. The detail names the picture."""

    version = _VERSION

    def __init__(self, subtype: Subtype, level: str) -> None:
        self.subtype = subtype
        self._level = level

    def apply(self, sample: Sample, context: InjectionContext) -> Injection | Rejection:
        """M-13, A1 to A5."""
        if not sample.pictures:
            return Rejection(RejectionReason.NO_PICTURE, "the sample has no picture")
        edits: list[PictureDegradation] = []
        blobs: list[Blob] = []
        for index in _choose_pictures(sample, context):
            degraded = self._degrade(sample, index, context)
            if isinstance(degraded, Rejection):
                return Rejection(degraded.reason, f"picture {index + 1}: {degraded.detail}")
            edit, new = degraded
            edits.append(edit)
            blobs.extend(new)
        return Injection(self._describe(sample, edits), tuple(blobs))

    def _degrade(
        self, sample: Sample, index: int, context: InjectionContext
    ) -> tuple[PictureDegradation, tuple[Blob, Blob]] | Rejection:
        recipe = context.degradation
        before = sample.pictures[index]
        order = draw_order(context.stream, _share_range(recipe, self.subtype), recipe.operations)
        try:
            pixels = context.read_pixels(before)
        except PictureError as error:
            return Rejection(RejectionReason.UNDECODABLE_PICTURE, str(error))
        done = degrade_picture(pixels, choose_saliency(recipe), order)
        if isinstance(done, Rejection):
            return done
        edit = PictureDegradation(
            index=index,
            before=before,
            after=done.picture.picture,
            mask=done.mask.picture,
            measure=done.measure,
        )
        return edit, (done.picture, done.mask)

    def _describe(self, sample: Sample, edits: list[PictureDegradation]) -> FlawedSample:
        pictures = list(sample.pictures)
        for edit in edits:
            pictures[edit.index] = edit.after
        flaw = Flaw(
            subtype=self.subtype,
            generator=RULES,
            injector_version=self.version,
            edits=tuple(edits),
            explanation=_explain(self._level, edits),
        )
        return FlawedSample(
            parent=sample.id,
            context=sample.context,
            query=sample.query,
            options=sample.options,
            pictures=tuple(pictures),
            flaws=(flaw,),
        )


VISUAL_DEGRADATION: dict[Subtype, RuleInjector] = {
    subtype: VisualDegradation(subtype, level)
    for subtype, level in (
        (Subtype.LIGHT_MISSING_VISUAL_PREMISE, "light"),
        (Subtype.MEDIUM_MISSING_VISUAL_PREMISE, "medium"),
        (Subtype.SEVERE_MISSING_VISUAL_PREMISE, "severe"),
    )
}


def _choose_pictures(sample: Sample, context: InjectionContext) -> range:
    number = len(sample.pictures)
    if context.degradation.pictures == "all":
        return range(number)
    index = context.stream.randrange(number)
    return range(index, index + 1)


def _share_range(recipe: DegradationRecipe, subtype: Subtype) -> ShareRange:
    return {
        Subtype.LIGHT_MISSING_VISUAL_PREMISE: recipe.light,
        Subtype.MEDIUM_MISSING_VISUAL_PREMISE: recipe.medium,
        Subtype.SEVERE_MISSING_VISUAL_PREMISE: recipe.severe,
    }[subtype]


def _explain(level: str, edits: list[PictureDegradation]) -> str:
    parts = [
        f"In picture {edit.index + 1}, {edit.measure.share:.1%} of the salient region was "
        f"{_DONE[edit.measure.operation]} until it could not be read ({level}, {edit.measure.operation})."
        for edit in edits
    ]
    return " ".join([*parts, "What stood there is lost to whoever answers."])
