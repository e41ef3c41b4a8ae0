"""Two flaws in one sample (M-47): the second injector sees the sample as the first left it, and both are recorded
against the source. Which pairs there are stands in `core.taxonomy.DUAL_KINDS`."""

from collections.abc import Callable

from core.records import Edit, FlawedSample, Sample, TextEdit, TextRemoval
from injectors.base import Injection, Rejection, RejectionReason


def combine(
    sample: Sample, first: Injection, apply_second: Callable[[Sample], Injection | Rejection]
) -> Injection | Rejection:
    """`apply_second` gets the sample as `first` left it. For an injector that asks a model, ask it about
    `left_by(sample, first)` and give both to `join`."""
    second = apply_second(left_by(sample, first))
    return second if isinstance(second, Rejection) else join(sample, first, second)


def left_by(sample: Sample, injection: Injection) -> Sample:
    """The flawed input as a sample of its own, for the injector that comes next."""
    candidate = injection.candidate
    families = dict.fromkeys((*sample.families, *(name for flaw in candidate.flaws for name in flaw.families)))
    return sample.model_copy(
        update={
            "context": candidate.context,
            "query": candidate.query,
            "options": candidate.options,
            "correct_options": sample.correct_options if candidate.options else (),
            "pictures": candidate.pictures,
            "families": tuple(families),
        }
    )


def join(sample: Sample, first: Injection, second: Injection) -> Injection | Rejection:
    """One candidate with both flaws. Offsets of both count in the final text, and taking back the second flaw and then
    the first gives the source; OTHER_PART_CHANGED where the second is in the way of that."""
    earlier, later = first.candidate.flaws[0], second.candidate.flaws[0]
    clash = next((edit for edit in earlier.edits if any(_disturbs(other, edit) for other in later.edits)), None)
    if clash is not None:
        return Rejection(RejectionReason.OTHER_PART_CHANGED, f"the second flaw changes what the first one did: {clash}")
    made = second.candidate
    candidate = FlawedSample(
        parent=sample.id,
        context=made.context,
        query=made.query,
        options=made.options,
        pictures=made.pictures,
        flaws=(earlier, later),
    )
    return Injection(candidate, (*first.blobs, *second.blobs))


def _disturbs(later: Edit, earlier: Edit) -> bool:
    """A later change of the text must stand behind the earlier one: in front of it, one offset would be wrong either in
    the final text or in the text that is left when the later one is taken back."""
    match earlier, later:
        case TextEdit(), TextEdit():
            same = (earlier.part, earlier.option) == (later.part, later.option)
            return same and later.start < earlier.start + len(earlier.after)
        case ((TextEdit() | TextRemoval()), (TextEdit() | TextRemoval())):
            return earlier.part is later.part
        case _:
            is_text = isinstance(earlier, TextEdit | TextRemoval), isinstance(later, TextEdit | TextRemoval)
            return not any(is_text)
