"""Half of a surrogate pair stands in texts that were read as JSON or from a command line; no file and no table takes
it."""


def is_text(value: str) -> bool:
    """Whether it can be written as UTF-8."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
