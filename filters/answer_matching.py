"""Whether a short answer is the right one: option letter or option text, numbers with units, LaTeX, English and
Chinese. In doubt it is not: an unequal spelling costs a vote of the panel, a wrong match costs a good candidate."""

from core.records import Sample


def matches(given: str, parent: Sample) -> bool | None:
    """None when the source withholds the answer."""
    return None if parent.answer is None else given == parent.answer
