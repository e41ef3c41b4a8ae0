"""Which addresses of an object store are taken: those at which processes write for one another. No error repeats one,
since people put keys and passwords into it."""

from core.errors import ConfigurationError

_AZURE = frozenset({"az", "abfs"})
_BUCKETS = frozenset({"s3", "gs"}) | _AZURE


def require_store(variable: str, address: str) -> None:
    """`address` is a folder or an URL. fsspec knows places that are lost with the process, that cannot be written or
    that lie behind one another; the first thing that another process looks for would be missing, far from the cause.

    Raises ConfigurationError that names the variable."""
    fault = _find_fault(address)
    if fault:
        raise ConfigurationError(
            f"{variable} is no usable place: it {fault}.",
            "Set it to a folder or to a bucket such as s3://NAME/FOLDER, whose keys stand in variables of their own "
            "such as AWS_SECRET_ACCESS_KEY.",
        )


def _find_fault(address: str) -> str | None:
    if "::" in address:
        return "holds `::`, which puts one store behind another"
    scheme, is_url, rest = address.partition("://")
    if not is_url or scheme == "file":
        return None
    if scheme not in _BUCKETS:
        return "begins with none of s3://, gs://, az://, abfs:// and file://"
    bucket = rest.split("/")[0]
    if ":" in bucket or ("@" in bucket and scheme not in _AZURE):  # there as CONTAINER@ACCOUNT
        return "holds a key or a password"
    if "?" in rest or "#" in rest:
        return "holds a `?` or `#`"
    return None if bucket else "names no bucket"
