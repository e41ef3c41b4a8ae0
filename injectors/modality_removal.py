"""Missing Image and Missing Instruction: a whole modality is taken away and nothing is put in its place (M-14). What is
checked before (A7) is that something of the question is then really missing, and that something is left to show."""

from core.image_tokens import TOKEN
from core.records import Flaw, FlawedSample, PictureRemoval, Sample, TextEdit, TextPart, TextRemoval
from core.taxonomy import Subtype
from injectors.base import RULES, Injection, InjectionContext, Rejection, RejectionReason
from injectors.picture_reliance import relies_on_pictures
from injectors.token_edits import EditedText, is_only_tokens, take_tokens_out


class MissingImage:
    """All pictures go; their tokens leave the text without a trace, or become words where they are part of a sentence.

    Options that are nothing but a token would become empty, so such samples are refused."""

    subtype = Subtype.MISSING_IMAGE
    version = 2

    def apply(self, sample: Sample, context: InjectionContext) -> Injection | Rejection:
        """M-14, A7."""
        refusal = _refuse_without(sample)
        if refusal is not None:
            return refusal
        if not relies_on_pictures(sample):
            return Rejection(
                RejectionReason.TEXT_DOES_NOT_NEED_PICTURE, "no word, token or option of the text points to a picture"
            )
        options = [_plain(option, sample, TextPart.OPTIONS, index) for index, option in enumerate(sample.options)]
        texts = [edited.text.strip() for edited in options]
        is_token = any(is_only_tokens(option) for option in sample.options)
        if is_token or "" in texts or len(set(texts)) < len(set(sample.options)):
            return Rejection(
                RejectionReason.OPTION_IS_PICTURE, "without its pictures an option is empty or equal to another"
            )
        context_text = _plain(sample.context, sample, TextPart.CONTEXT)
        query = _plain(sample.query, sample, TextPart.QUERY)
        edits = [edit for edited in (context_text, query, *options) for edit in edited.edits]
        return Injection(
            FlawedSample(
                parent=sample.id,
                context=None if sample.context is None else context_text.text,
                query=None if sample.query is None else query.text,
                options=tuple(edited.text for edited in options),
                flaws=(self._describe(sample, edits),),
            )
        )

    def _describe(self, sample: Sample, edits: list[TextEdit]) -> Flaw:
        count = len(sample.pictures)
        given = "The picture that the text relies on is" if count == 1 else f"The {count} pictures of the question are"
        return Flaw(
            subtype=self.subtype,
            generator=RULES,
            injector_version=self.version,
            edits=(*edits, PictureRemoval(before=sample.pictures)),
            explanation=f"{given} not given, so what the question asks about cannot be seen.",
        )


class MissingInstruction:
    """The text that asks goes and the pictures stay. `all_text` also drops the context (M-14); `query_only` keeps
    it (A6) and needs a context that does not ask anything itself."""

    subtype = Subtype.MISSING_INSTRUCTION
    version = 1

    def apply(self, sample: Sample, context: InjectionContext) -> Injection | Rejection:
        """M-14, A6, A7."""
        refusal = _refuse_without(sample)
        if refusal is not None:
            return refusal
        keep_context = context.missing_instruction.mode == "query_only"
        if keep_context:
            refusal = _refuse_context(sample)
            if refusal is not None:
                return refusal
        edits = _removals(sample, keep_context=keep_context)
        left = "the pictures and the context are" if keep_context else "the pictures are"
        flaw = Flaw(
            subtype=self.subtype,
            generator=RULES,
            injector_version=self.version,
            edits=edits,
            explanation=f"Only {left} given: no question or task says what is to be found.",
        )
        kept = sample.context if keep_context else None
        candidate = FlawedSample(parent=sample.id, context=kept, query=None, pictures=sample.pictures, flaws=(flaw,))
        return Injection(candidate)


def _refuse_without(sample: Sample) -> Rejection | None:
    """Both need pictures, and a text that is apart from them."""
    if not sample.pictures:
        return Rejection(RejectionReason.NO_PICTURE, "the sample has no picture")
    if sample.question_in_picture:
        return Rejection(RejectionReason.QUESTION_IN_PICTURE, "the question itself stands in the picture")
    if not (sample.query or "").strip() and not (sample.context or "").strip():
        return Rejection(RejectionReason.NO_TEXT, "the sample has neither a context nor a query")
    return None


def _refuse_context(sample: Sample) -> Rejection | None:
    if not (sample.query or "").strip():
        return Rejection(RejectionReason.NO_TEXT, "there is no query to drop")
    text = TOKEN.sub("", sample.context or "").strip()
    if not text:
        return Rejection(RejectionReason.NO_CONTEXT, "there is no context that could stay")
    if "?" in text or "？" in text:
        return Rejection(RejectionReason.NO_CONTEXT, "the context asks a question itself")
    return None


def _plain(text: str | None, sample: Sample, part: TextPart, option: int | None = None) -> EditedText:
    return EditedText("", ()) if text is None else take_tokens_out(text, sample, part, option)


def _removals(sample: Sample, *, keep_context: bool) -> tuple[TextRemoval, ...]:
    parts = [(TextPart.CONTEXT, sample.context), (TextPart.QUERY, sample.query), (TextPart.OPTIONS, sample.options)]
    return tuple(
        TextRemoval(part=part)
        for part, value in parts
        if value not in (None, ()) and not (keep_context and part is TextPart.CONTEXT)
    )


MISSING_IMAGE = MissingImage()
MISSING_INSTRUCTION = MissingInstruction()
