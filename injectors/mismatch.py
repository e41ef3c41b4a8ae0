"""Mismatch: all pictures are replaced by as many from another subject (M-15). Who gives pictures to whom is planned
for a whole build at once, because only then can every donor be used before any is used again."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from heapq import heappop, heappush

from core.records import Flaw, FlawedSample, PictureReplacement, Sample, Subject
from core.seeding import ordered
from core.taxonomy import Subtype
from injectors.base import RULES, Injection, InjectionContext, Rejection, RejectionReason
from injectors.picture_reliance import relies_on_pictures

MIN_HASH_DISTANCE = 16
"""Bits of 64 by which every donor picture must differ from every picture of the sample: below about 10 pictures are
copies of each other, unrelated ones differ in about 32."""


class Mismatch:
    """Tokens stay: they now name the donor's pictures. Options that are tokens stay too; they then show the donor's
    pictures, none of which can be the right option."""

    subtype = Subtype.MISMATCH
    version = 1

    def apply(self, sample: Sample, context: InjectionContext) -> Injection | Rejection:
        """M-15, A7. Takes the pictures of `context.donor`, which `assign_donors` has chosen."""
        refusal = _refuse_sample(sample)
        if refusal is not None:
            return refusal
        donor = context.donor
        if donor is None:
            return Rejection(RejectionReason.NO_DONOR, "no sample of another subject has unrelated pictures to give")
        if not _may_give(donor, sample):
            return Rejection(
                RejectionReason.NO_DONOR,
                f"{donor.id} ({donor.subject}, {len(donor.pictures)} pictures) cannot give pictures to {sample.id}",
            )
        edits = tuple(
            PictureReplacement(index=index, before=before, after=after, donor=donor.id)
            for index, (before, after) in enumerate(zip(sample.pictures, donor.pictures, strict=True))
        )
        flaw = Flaw(
            subtype=self.subtype,
            generator=RULES,
            injector_version=self.version,
            edits=edits,
            explanation=(
                f"The text is about {_name(sample.subject)}, but what is shown belongs to a question about "
                f"{_name(donor.subject)}: nothing that the question needs can be seen."
            ),
        )
        return Injection(
            FlawedSample(
                parent=sample.id,
                context=sample.context,
                query=sample.query,
                options=sample.options,
                pictures=donor.pictures,
                flaws=(flaw,),
            )
        )


def assign_donors(
    samples: Iterable[Sample],
    pool: Iterable[Sample],
    perceptual_hashes: Mapping[str, int],
    seed: int,
    purpose: str = Subtype.MISMATCH,
) -> dict[str, Sample]:
    """Sample id -> donor: another subject, the same number of pictures, no picture alike (M-15).

    A donor is the one whose pictures were used least among all that fit the sample, so none is used again before
    all that fit were used. `purpose` is that of the seeded order in which a build takes the samples: what it takes is
    mostly a beginning of that order, and every beginning is balanced. Depends on the seed and on what the samples are,
    never on their order. Samples that `Mismatch` refuses, or that nobody fits, are absent. `perceptual_hashes` maps
    sha256 of each picture to 64 bits (KeyError if one is absent)."""
    donors = _Donors(pool, perceptual_hashes, seed)
    takers = {sample.id: sample for sample in samples if _refuse_sample(sample) is None}
    chosen: dict[str, Sample] = {}
    for taker in ordered(takers.values(), seed, purpose, lambda sample: sample.id):
        donor = donors.draw(taker)
        if donor is not None:
            chosen[taker.id] = donor
    return chosen


class _Donors:
    """One heap per (number of pictures, subject), least used first and then in seeded order. An entry whose count
    is out of date (its picture was used through another sample) is put back when it is met."""

    def __init__(self, pool: Iterable[Sample], hashes: Mapping[str, int], seed: int) -> None:
        self._hashes = hashes
        self._uses: dict[str, int] = defaultdict(int)
        self._heaps: dict[tuple[int, Subject], list[tuple[int, int, Sample]]] = defaultdict(list)
        givers = {sample.id: sample for sample in pool if sample.pictures and not sample.question_in_picture}
        for rank, giver in enumerate(ordered(givers.values(), seed, "mismatch donors", lambda sample: sample.id)):
            self._heaps[len(giver.pictures), giver.subject].append((0, rank, giver))

    def draw(self, taker: Sample) -> Sample | None:
        """The least used donor that fits, now used once more."""
        heads = [
            head
            for (count, subject), heap in self._heaps.items()
            if count == len(taker.pictures) and subject is not taker.subject
            for head in self._first_fit(heap, taker)
        ]
        if not heads:
            return None
        _, _, giver = min(heads, key=lambda head: head[:2])
        for sha256 in {picture.sha256 for picture in giver.pictures}:
            self._uses[sha256] += 1
        return giver

    def _first_fit(self, heap: list[tuple[int, int, Sample]], taker: Sample) -> list[tuple[int, int, Sample]]:
        passed: list[tuple[int, int, Sample]] = []
        found: list[tuple[int, int, Sample]] = []
        while heap and not found:
            uses, rank, giver = heappop(heap)
            now = max(self._uses[picture.sha256] for picture in giver.pictures)
            if now > uses:
                heappush(heap, (now, rank, giver))
                continue
            passed.append((uses, rank, giver))
            if _may_give(giver, taker) and self._unrelated(giver, taker):
                found.append(passed[-1])
        for entry in passed:
            heappush(heap, entry)
        return found

    def _unrelated(self, giver: Sample, taker: Sample) -> bool:
        return all(
            (self._hashes[given.sha256] ^ self._hashes[own.sha256]).bit_count() >= MIN_HASH_DISTANCE
            for given in giver.pictures
            for own in taker.pictures
        )


def _refuse_sample(sample: Sample) -> Rejection | None:
    if not sample.pictures:
        return Rejection(RejectionReason.NO_PICTURE, "the sample has no picture to replace")
    if sample.question_in_picture:
        return Rejection(RejectionReason.QUESTION_IN_PICTURE, "the question itself stands in the picture")
    if not (sample.query or "").strip() and not (sample.context or "").strip():
        return Rejection(RejectionReason.NO_TEXT, "there is no text that the pictures could fail to fit")
    if not relies_on_pictures(sample):
        return Rejection(RejectionReason.TEXT_DOES_NOT_NEED_PICTURE, "nothing in the text points to a picture")
    return None


def _may_give(giver: Sample, taker: Sample) -> bool:
    return (
        giver.subject is not taker.subject
        and not giver.question_in_picture
        and len(giver.pictures) == len(taker.pictures)
        and not {picture.sha256 for picture in giver.pictures} & {picture.sha256 for picture in taker.pictures}
    )


def _name(subject: Subject) -> str:
    return subject.value.replace("_", " ")


MISMATCH = Mismatch()
