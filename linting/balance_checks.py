"""Whether labels are as frequent as each other in each subtype, and words as frequent in both labels."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from scipy.stats import binom

from filters.blind_rows import bare_words
from linting.blind_checks import tell_rows
from linting.findings import (
    ANYWHERE,
    FIRST,
    Finding,
    Hit,
    ImbalanceFinding,
    Kind,
    OneSidedWord,
    Severity,
    SubtypeCount,
    WordFinding,
    examples_of,
    ids_of,
)
from linting.rows import LintRow
from sources.text_keys import normalise

_MOST = 0.6
"""Share of the more frequent label in a subtype: 27 to 48 is out of balance, 79 to 84 is not."""
_LEAST_ROWS = 20
_ONE_SIDE = 0.85
"""Share of a word's rows on its more frequent side, as if labels were equally frequent."""
_LEAST_WORD_ROWS = 10
_CHANCE = 0.01  # that any word of the data looks like this by luck


def check_balance(split: str, rows: Sequence[LintRow]) -> list[Finding]:
    labelled = [row for row in rows if row.label is not None]
    if not labelled:
        return []
    return [*_find_imbalance(split, labelled), *_find_words(split, tell_rows(labelled))]


def _find_imbalance(split: str, rows: Sequence[LintRow]) -> list[Finding]:
    members: dict[str, list[LintRow]] = defaultdict(list)
    twins: dict[str | None, list[LintRow]] = defaultdict(list)
    for row in rows:
        if row.subtype is None:
            twins[row.pair].append(row)
        else:
            members[row.subtype].append(row)
    counted = [] if twins and members else [("all", rows)]  # one twin may stand for several flaws
    for subtype, own in sorted(members.items()):
        pairs = {row.pair for row in own if row.pair is not None}
        counted.append((subtype, [*own, *(twin for pair in pairs for twin in twins.get(pair, ()))]))
    found = [_count(subtype, counted_rows) for subtype, counted_rows in counted]
    one_sided = tuple(count for count in found if _is_imbalanced(count))
    if not one_sided:
        return []
    named = ", ".join(f"{count.subtype} {count.flawed} flawed to {count.sound} sound" for count in one_sided)
    return [
        ImbalanceFinding(
            kind=Kind.LABEL_IMBALANCE,
            severity=Severity.WARNING,
            split=split,
            count=len(one_sided),
            message=f"subtypes out of balance: {named}",
            subtypes=one_sided,
        )
    ]


def _count(subtype: str, rows: Sequence[LintRow]) -> SubtypeCount:
    sound = sum(row.label is True for row in rows)
    return SubtypeCount(subtype=subtype, sound=sound, flawed=len(rows) - sound)


def _is_imbalanced(count: SubtypeCount) -> bool:
    rows = count.sound + count.flawed
    return rows >= _LEAST_ROWS and max(count.sound, count.flawed) / rows > _MOST


def _find_words(split: str, rows: Sequence[LintRow]) -> list[Finding]:
    seen: dict[tuple[str, str], list[int]] = defaultdict(list)
    for position, row in enumerate(rows):
        words = normalise(bare_words(row.question)).split()
        for word in dict.fromkeys(words):
            seen[ANYWHERE, word].append(position)
        if words:
            seen[FIRST, words[0]].append(position)
    totals = Counter(row.label for row in rows)
    if not totals[True] or not totals[False]:
        return []
    found = list(_one_sided(seen, rows, totals))
    if not found:
        return []
    hits = [Hit(rows[at], word.name) for word, at in _rows_of(found, seen, rows)]
    named = ", ".join(f"{word.name} ({word.flawed} flawed, {word.sound} sound)" for word in found[:5])
    return [
        WordFinding(
            kind=Kind.ONE_SIDED_WORD,
            severity=Severity.WARNING,
            split=split,
            count=len(found),
            message=f"words stand almost only in questions of one label: {named}",
            ids=ids_of(hits),
            examples=examples_of(hits),
            words=tuple(found),
        )
    ]


def _one_sided(
    seen: dict[tuple[str, str], list[int]], rows: Sequence[LintRow], totals: Counter[bool | None]
) -> Iterator[OneSidedWord]:
    tests = max(1, sum(len(positions) >= _LEAST_WORD_ROWS for positions in seen.values()))
    words: list[OneSidedWord] = []
    for (place, word), positions in seen.items():
        sound = sum(rows[at].label is True for at in positions)
        flawed = len(positions) - sound
        rates = sorted((sound / totals[True], flawed / totals[False]))
        if len(positions) < _LEAST_WORD_ROWS or rates[1] / sum(rates) < _ONE_SIDE:
            continue
        label_of_more = sound / totals[True] == rates[1]
        more, share = (sound, totals[True]) if label_of_more else (flawed, totals[False])
        if binom.sf(more - 1, len(positions), share / len(rows)) * tests < _CHANCE:
            words.append(OneSidedWord(word=word, place=place, sound=sound, flawed=flawed))
    yield from sorted(words, key=lambda word: (-(word.sound + word.flawed), word.place, word.word))


def _rows_of(
    found: Sequence[OneSidedWord], seen: dict[tuple[str, str], list[int]], rows: Sequence[LintRow]
) -> Iterator[tuple[OneSidedWord, int]]:
    """On the side where the word is frequent."""
    for word in found:
        usual = word.sound > word.flawed
        for at in seen[word.place, word.word]:
            if rows[at].label is usual:
                yield word, at
