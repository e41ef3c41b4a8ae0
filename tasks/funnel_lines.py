"""The funnel of a build as lines of the data set card."""

from collections import Counter

from export.facts import FunnelLine
from storage.funnel import Funnel


def flaw_lines(funnel: Funnel) -> tuple[FunnelLine, ...]:
    """Rows of each source, all questions together, then three lines for each subtype, or four with a panel."""
    unsampled = sum((Counter(source.unsampled) for source in funnel.sources), Counter[str]())
    sampled = sum(source.sampled for source in funnel.sources)
    lines = _source_lines(funnel)
    lines.append(FunnelLine("questions", sampled + unsampled.total(), sampled, tuple(unsampled.items())))
    for row in funnel.subtypes:
        lines.append(FunnelLine(f"{row.subtype}: injection", row.attempted, row.injected, tuple(row.rejected.items())))
        lines.append(FunnelLine(f"{row.subtype}: filters", row.injected, row.kept, tuple(row.dropped.items())))
        if row.judged:
            passed = row.judged - sum(row.unpassed.values())
            lines.append(FunnelLine(f"{row.subtype}: panel", row.judged, passed, tuple(row.unpassed.items())))
        lines.append(FunnelLine(f"{row.subtype}: selection", row.passed, row.selected, tuple(row.unselected.items())))
    return tuple(lines)


def premise_lines(funnel: Funnel) -> tuple[FunnelLine, ...]:
    """Rows of each source, then two lines for each subtype, or three with verification, in pictures and then in
    pairs or single questions."""
    lines = _source_lines(funnel)
    for row in funnel.premises:
        left = {**({"no_premise": row.absent} if row.absent else {}), **row.refused}
        shown = row.asked - sum(left.values())
        lines.append(FunnelLine(f"{row.subtype}: pictures", row.asked, shown, tuple(left.items())))
        if row.unverified:
            seen = row.made - sum(row.unverified.values())
            lines.append(FunnelLine(f"{row.subtype}: verification", row.made, seen, tuple(row.unverified.items())))
        entered = row.taken + sum(row.untaken.values())
        lines.append(FunnelLine(f"{row.subtype}: selection", entered, row.taken, tuple(row.untaken.items())))
    return tuple(lines)


def _source_lines(funnel: Funnel) -> list[FunnelLine]:
    return [
        FunnelLine(
            f"rows of {source.source}",
            source.read,
            source.read - sum(source.quarantined.values()),
            tuple(source.quarantined.items()),
        )
        for source in funnel.sources
    ]
