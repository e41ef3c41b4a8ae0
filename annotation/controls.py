"""Items whose verdicts are known before anybody sees them: they tell whether an annotator still reads. Good ones have a
flaw that holds by construction; bad ones say that a question has a flaw, and nothing but a phrase without meaning was
added to it."""

from collections.abc import Sequence

from core.records import Flaw, FlawedSample, Language, Sample, TextEdit, TextPart
from core.review import Control, Judged
from core.seeding import ordered, stream
from core.taxonomy import Subtype

GOOD_SUBTYPES = (Subtype.MISSING_IMAGE, Subtype.MISSING_INSTRUCTION)
"""What a rule makes of any question that needs its pictures: certain without a judge."""
BAD_CLAIMS = (
    Subtype.AMBIGUITY,
    Subtype.INTRA_TEXTUAL_CONTRADICTION,
    Subtype.CROSS_MODAL_CONTRADICTION,
    Subtype.UNCLEAR_INTENT,
    Subtype.BEYOND_CAPABILITY,
)
_MADE_BY = "control"
_VERSION = 1
EMPTY_PHRASES = {
    Language.ENGLISH: (
        "Consider the following. ",
        "Here is a question. ",
        "Read this with care. ",
        "This is the next task. ",
        "Please work through the following. ",
        "Take a look at this. ",
        "Now to something else. ",
        "Let us go on with this one. ",
        "The following is to be worked on. ",
        "Below is what is asked. ",
    ),
    Language.CHINESE: (
        "请看下面的题目。",
        "这里有一道题。",
        "请认真读题。",
        "下面是下一题。",
        "请完成以下内容。",
        "来看这道题。",
        "我们继续做题。",
        "以下是题目内容。",
        "请先阅读下文。",
        "现在看这一题。",
    ),
}
"""Without meaning before any question: several, so that nobody learns what marks a control item."""


def good_control(candidate: FlawedSample, parent: Sample) -> Control:
    """Under an id of its own: the same candidate may be an item of the build as well."""
    flaws = tuple(flaw.model_copy(update={"generator": _MADE_BY}) for flaw in candidate.flaws)
    marked = candidate.model_copy(update={"flaws": flaws})
    return Control(candidate=marked, parent=parent, type_compliance=Judged.PASS, unanswerability=Judged.PASS)


def bad_control(sample: Sample, claim: Subtype, seed: int) -> Control:
    """`seed` draws the phrase. Raises ValueError for a sample without text."""
    part, text = (TextPart.CONTEXT, sample.context) if sample.context else (TextPart.QUERY, sample.query)
    if not text:
        raise ValueError(f"{sample.id} has no text")
    phrase = stream(seed, "phrase", sample.id).choice(EMPTY_PHRASES[sample.language])
    flaw = Flaw(
        subtype=claim,
        generator=_MADE_BY,
        injector_version=_VERSION,
        edits=(TextEdit(part=part, start=0, before="", after=phrase),),
        explanation="None: a control item that is as answerable as its source.",
    )
    candidate = FlawedSample(
        parent=sample.id,
        context=phrase + text if part is TextPart.CONTEXT else sample.context,
        query=phrase + text if part is TextPart.QUERY else sample.query,
        options=sample.options,
        pictures=sample.pictures,
        flaws=(flaw,),
    )
    return Control(candidate=candidate, parent=sample, type_compliance=Judged.FAIL, unanswerability=Judged.FAIL)


def choose_controls(good: Sequence[Control], bad: Sequence[Control], seed: int) -> list[Control]:
    """Good and bad in turn, no question twice: an annotator who meets one again would remember it."""
    queues = [ordered(found, seed, "controls", lambda control: control.candidate.id) for found in (good, bad)]
    used: set[str] = set()
    chosen: list[Control] = []
    while all(queues):
        for queue in queues:
            found = next((control for control in queue if control.parent.id not in used), None)
            if found is None:
                return chosen
            queue.remove(found)
            used.add(found.parent.id)
            chosen.append(found)
    return chosen
