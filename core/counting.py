"""A number and what it counts, in words."""


def counted(number: int, one: str, many: str = "") -> str:
    """`many` where it is not `one` with an s."""
    return f"{number:,} {one}" if number == 1 else f"{number:,} {many or one + 's'}"
