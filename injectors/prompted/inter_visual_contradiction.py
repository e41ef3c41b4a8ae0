"""Inter-visual contradiction by models (M-12): one writes how the only picture is to be edited, another edits it.
Original and edited picture are shown together, and the text names both."""

import numpy as np

from core.calls import Answer, Proposal, Role
from core.pictures import PictureError, decode_rgb, encode_mask_png, encode_png, read_picture
from core.records import Blob, Flaw, FlawedSample, PictureAddition, Sample
from core.taxonomy import DEFINITIONS, Subtype
from injectors.base import Injection, PromptContext, Rejection, RejectionReason
from injectors.inter_visual_contradiction import name_copy, refuse
from injectors.picture_edits import difference
from injectors.prompted.examples import draw_examples
from injectors.prompted.layout import LANGUAGE_NAMES, Asking, make_proposal, show_examples, show_question
from injectors.prompted.picture_difference import check_change, fit
from injectors.prompted.replies import Box, PictureEditReply
from injectors.prompted.text_flaws import explain, made_by
from injectors.rewriting import MadeBy

_ASK_WRITER = Asking(Subtype.INTER_VISUAL_CONTRADICTION, 1, Role.GENERATOR, PictureEditReply)
_ASK_EDITOR = Asking(f"{Subtype.INTER_VISUAL_CONTRADICTION}_edit", 1, Role.IMAGE_EDITOR, None)
_MAX_BOX_AREA = 0.5


class InterVisualContradiction:
    """Step 1 is answered with a `PictureEditReply`, step 2 with a picture. After a picture that cannot be used the
    editor is asked again, not the writer."""

    subtype = Subtype.INTER_VISUAL_CONTRADICTION
    version = 2

    def propose(self, sample: Sample, context: PromptContext) -> Proposal | Rejection:
        refusal = refuse(sample)
        if refusal is not None:
            return refusal
        examples = draw_examples(self.subtype, PictureEditReply, sample, context)
        return make_proposal(
            _ASK_WRITER,
            {"definition": DEFINITIONS[self.subtype].definition, "language": LANGUAGE_NAMES[sample.language]},
            {"examples": show_examples(examples), "question": show_question(sample)},
        )

    def accept(
        self, sample: Sample, answers: tuple[Answer, ...], context: PromptContext
    ) -> Injection | Rejection | Proposal:
        reply = next((answer.value for answer in reversed(answers) if answer.value is not None), None)
        if not isinstance(reply, PictureEditReply):
            return Rejection(RejectionReason.REPLY_UNPARSABLE, f"the reply is no {PictureEditReply.__name__}")
        fault = _check_instruction(reply)
        if fault is not None:
            return fault
        if answers[-1].value is not None:
            return _ask_for_picture(sample, reply)
        if not answers[-1].pictures:
            return Rejection(RejectionReason.REPLY_EMPTY, "the reply holds no picture: return the edited picture")
        return self._use_picture(sample, reply, answers, context)

    def _use_picture(
        self, sample: Sample, reply: PictureEditReply, answers: tuple[Answer, ...], context: PromptContext
    ) -> Injection | Rejection:
        original = sample.pictures[0]
        data = answers[-1].pictures[0].data
        fitted = fit(original, data)
        if isinstance(fitted, Rejection):
            return fitted
        try:
            pixels = decode_rgb(context.read_picture(original))
        except PictureError as error:
            return Rejection(RejectionReason.UNDECODABLE_PICTURE, f"the picture of the question: {error}")
        fault = check_change(pixels, fitted.pixels, reply.box)
        if fault is not None:
            return fault
        copy = read_picture(data) if fitted.scaled_from is None else encode_png(fitted.pixels)
        mask = encode_mask_png(np.asarray(difference(pixels, fitted.pixels) > 0, np.bool_))
        addition = PictureAddition(
            index=1, of=0, after=copy.picture, mask=mask.picture, change=_say_change(reply, fitted.scaled_from)
        )
        flaw = self._record(sample, reply, addition, _made_by_all(sample, answers))
        return Injection(_put_together(sample, flaw, copy), (copy, mask))

    def _record(self, sample: Sample, reply: PictureEditReply, addition: PictureAddition, author: MadeBy) -> Flaw:
        context_text, query = name_copy(sample)
        return Flaw(
            subtype=self.subtype,
            generator=author.generator,
            injector_version=self.version,
            edits=(*context_text.edits, *query.edits, addition),
            explanation=explain(reply.premise, reply.why_unanswerable),
            families=author.families,
        )


def _made_by_all(sample: Sample, answers: tuple[Answer, ...]) -> MadeBy:
    """Writer and editor: both made the flaw."""
    models = dict.fromkeys(answer.model for answer in answers)
    return made_by(sample, answers)._replace(generator="+".join(models))


def _put_together(sample: Sample, flaw: Flaw, copy: Blob) -> FlawedSample:
    context_text, query = name_copy(sample)
    return FlawedSample(
        parent=sample.id,
        context=None if sample.context is None else context_text.text,
        query=None if sample.query is None else query.text,
        options=sample.options,
        pictures=(*sample.pictures, copy.picture),
        flaws=(flaw,),
    )


def _check_instruction(reply: PictureEditReply) -> Rejection | None:
    if not reply.possible:
        return Rejection(RejectionReason.MODEL_DECLINED, reply.why_unanswerable or "the model declined")
    texts = (reply.premise, reply.instruction, reply.changes_from, reply.changes_to, reply.why_unanswerable)
    if not all(text.strip() for text in texts):
        return Rejection(RejectionReason.TOO_WEAK, "a field is empty: fill all of them")
    if reply.changes_from.strip().casefold() == reply.changes_to.strip().casefold():
        return Rejection(RejectionReason.NOTHING_CHANGED, "`changes_to` is `changes_from`: it must be something else")
    width, height = reply.box.right - reply.box.left, reply.box.bottom - reply.box.top
    if width <= 0 or height <= 0:
        return Rejection(RejectionReason.OUT_OF_RANGE, "`box` is empty: `left` < `right` and `top` < `bottom`")
    if width * height > _MAX_BOX_AREA:
        detail = f"`box` covers {width * height:.0%} of the picture: frame the one thing that changes"
        return Rejection(RejectionReason.OUT_OF_RANGE, detail)
    return None


def _ask_for_picture(sample: Sample, reply: PictureEditReply) -> Proposal:
    return make_proposal(
        _ASK_EDITOR,
        {},
        {
            "instruction": (reply.instruction.strip(),),
            "changes_from": (reply.changes_from.strip(),),
            "changes_to": (reply.changes_to.strip(),),
            "picture": (sample.pictures[0],),
            **{side: (f"{100 * share:.0f}",) for side, share in _sides(reply.box).items()},
        },
    )


def _sides(box: Box) -> dict[str, float]:
    return {"left": box.left, "right": box.right, "top": box.top, "bottom": box.bottom}


def _say_change(reply: PictureEditReply, scaled_from: tuple[int, int] | None) -> str:
    scaled = "" if scaled_from is None else f" (scaled from {scaled_from[0]}x{scaled_from[1]})"
    return f"{reply.changes_from.strip()} became {reply.changes_to.strip()}{scaled}"


INTER_VISUAL_CONTRADICTION = InterVisualContradiction()
