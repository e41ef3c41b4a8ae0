"""A number and what it counts, in words."""


def counted(number: int, one: str) -> str:
    """`one` is a noun whose plural has an s."""
    return f"{number:,} {one}{'' if number == 1 else 's'}"
