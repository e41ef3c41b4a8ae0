"""JSON in which a key stands twice: of its two values nobody knows which one was meant."""

_MOST_SHOWN = 80


def refuse_double_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """For `object_pairs_hook` of `json`. Raises ValueError that names the key."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice[:_MOST_SHOWN]!r} stands twice in one object")
    return found
