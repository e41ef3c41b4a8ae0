"""Inter-visual contradiction by rules: a copy of the only picture, with one premise that the text leans on shown
otherwise, is added behind it (M-12). Which edit fits is read from text and picture; where none clearly does, the
sample is refused."""

import random

import numpy as np

from core.image_tokens import TOKEN, token
from core.pictures import PictureError, Pixels, encode_png
from core.records import Flaw, FlawedSample, PictureAddition, Sample, TextPart
from core.taxonomy import Subtype
from injectors.bar_edits import change_bars
from injectors.base import RULES, Injection, InjectionContext, Rejection, RejectionReason
from injectors.colour_edits import move_shading, recolour_asked, swap_named
from injectors.drawing import read_drawing
from injectors.label_edits import exchange_labels
from injectors.object_edits import remove_one_of_many
from injectors.picture_edits import Edited, difference, measure_visibility
from injectors.token_edits import EditedText, follow_token

_MAX_SIDE_PIXELS = 20_000_000


class InterVisualContradiction:
    """The text stays as it is, except that the first `<image 1>` is followed by `<image 2>`: nothing hints at the
    flaw."""

    subtype = Subtype.INTER_VISUAL_CONTRADICTION
    version = 1

    def apply(self, sample: Sample, context: InjectionContext) -> Injection | Rejection:
        """M-12. The mask is 255 where the copy differs from the original."""
        refusal = refuse(sample)
        if refusal is not None:
            return refusal
        try:
            pixels = context.read_pixels(sample.pictures[0])
        except PictureError as error:
            return Rejection(RejectionReason.UNDECODABLE_PICTURE, str(error))
        edited = _edit(pixels, sample, context.stream)
        if edited is None:
            return Rejection(RejectionReason.NOTHING_TO_CHANGE, "no rule finds what the text leans on in the picture")
        visibility = measure_visibility(pixels, edited.pixels)
        if not visibility.enough:
            return Rejection(
                RejectionReason.TOO_WEAK, f"only {visibility.pixels} pixels ({visibility.share:.3%}) differ"
            )
        return self._build(sample, pixels, edited)

    def _build(self, sample: Sample, pixels: Pixels, edited: Edited) -> Injection:
        copy = encode_png(edited.pixels)
        mask = encode_png(np.where(difference(pixels, edited.pixels) > 0, 255, 0).astype(np.uint8))
        addition = PictureAddition(index=1, of=0, after=copy.picture, mask=mask.picture, change=edited.change)
        context_text, query = name_copy(sample)
        flaw = Flaw(
            subtype=self.subtype,
            generator=RULES,
            injector_version=self.version,
            edits=(*context_text.edits, *query.edits, addition),
            explanation=(
                f"The second picture is a copy of the first in which {edited.change}. Both are given for the same "
                "question, they cannot both be right, and nothing says which one holds."
            ),
        )
        candidate = FlawedSample(
            parent=sample.id,
            context=None if sample.context is None else context_text.text,
            query=None if sample.query is None else query.text,
            options=sample.options,
            pictures=(*sample.pictures, copy.picture),
            flaws=(flaw,),
        )
        return Injection(candidate, (copy, mask))


def refuse(sample: Sample) -> Rejection | None:
    """Why no second picture can stand beside the one of this sample, whoever makes it."""
    count = len(sample.pictures)
    if count != 1:
        reason = RejectionReason.NOT_ONE_PICTURE if count else RejectionReason.NO_PICTURE
        return Rejection(reason, f"the sample has {count} pictures, one is needed")
    if sample.question_in_picture:
        return Rejection(RejectionReason.QUESTION_IN_PICTURE, "the question itself stands in the picture")
    if not (sample.query or "").strip() and not (sample.context or "").strip():
        return Rejection(RejectionReason.NO_TEXT, "no text names what the picture must show")
    if any(TOKEN.search(option) for option in sample.options):
        return Rejection(RejectionReason.OPTION_IS_PICTURE, "an option is the picture itself")
    if sample.pictures[0].width * sample.pictures[0].height > _MAX_SIDE_PIXELS:
        return Rejection(RejectionReason.OUT_OF_RANGE, f"more than {_MAX_SIDE_PIXELS} pixels")
    return None


def _edit(pixels: Pixels, sample: Sample, stream: random.Random) -> Edited | None:
    """The first edit that fits, from the one that the text names most plainly to the least."""
    drawing = read_drawing(pixels)
    if drawing is None:
        return swap_named(pixels, None, sample) or recolour_asked(pixels, None, sample, stream)
    return (
        change_bars(drawing, sample)
        or move_shading(drawing, sample, stream)
        or exchange_labels(drawing, sample, stream)
        or swap_named(pixels, drawing, sample)
        or recolour_asked(pixels, drawing, sample, stream)
        or remove_one_of_many(drawing, sample, stream)
    )


def name_copy(sample: Sample) -> tuple[EditedText, EditedText]:
    """`<image 2>` behind the first `<image 1>`, in the context or else in the query; no token, no change."""
    context_text = follow_token(sample.context or "", 1, f" {token(2)}", TextPart.CONTEXT)
    query = EditedText(sample.query or "", ())
    if not context_text.edits:
        query = follow_token(query.text, 1, f" {token(2)}", TextPart.QUERY)
    return context_text, query


INTER_VISUAL_CONTRADICTION = InterVisualContradiction()
