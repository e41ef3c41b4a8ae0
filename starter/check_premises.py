"""`python -m starter.check_premises`: every premise on file passes the checks that a model's questions pass, in both
languages."""

import sys
from collections import Counter
from itertools import product

from core.errors import FlawbenchError
from core.records import Language, Sample, Subject
from injectors.premise.entries import Entry, load_entries, load_picture
from injectors.premise.rules import make_questions


def sample_of(entry: Entry, language: Language) -> Sample:
    assert entry.picture
    return Sample(
        source="starter",
        source_id=entry.picture,
        context=None,
        query=None,
        pictures=(load_picture(entry.picture).picture,),
        subject=Subject.ART_DESIGN,
        language=language,
        licence="CC0-1.0",
        attribution="flawbench",
    )


def find_faults() -> list[str]:
    faults: list[str] = []
    for entry, language in product(load_entries(), Language):
        try:
            make_questions(sample_of(entry, language), entry)
        except FlawbenchError as error:
            faults.append(error.message)
    return faults


def main() -> int:
    faults = find_faults()
    counts = Counter(entry.subtype for entry in load_entries())
    for subtype, count in sorted(counts.items()):
        sys.stdout.write(f"{subtype}: {count}\n")
    sys.stdout.write("".join(f"{fault}\n" for fault in faults) or "all premises pass\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
