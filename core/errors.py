"""Errors that a user can act on. Each says what failed and what to do; the command line prints both without a traceback
and ends with status 2. Anything else keeps its traceback.

FlawbenchError
├── ConfigurationError   a recipe, a setting or a parameter
├── SourceError          a data set that cannot be opened at all (single bad rows are quarantined instead)
├── ModelCallError       a provider
├── ParseError           a reply that cannot be used
├── StorageError         the object store, the parts or the lineage file
├── OrchestrationError   the Prefect server, its deployments or a worker
├── AnnotationError      Label Studio
└── ExportError          a release
"""


class FlawbenchError(Exception):
    """What failed, on which item, with the value seen; `fix` is the command, key or field to use."""

    retryable = False

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(f"{message} {fix}")
        self.message = message
        self.fix = fix

    def __reduce__(self) -> tuple[type["FlawbenchError"], tuple[str, str]]:
        return type(self), (self.message, self.fix)


class ConfigurationError(FlawbenchError):
    """The recipe, a setting or a parameter cannot be used."""


class SourceError(FlawbenchError):
    """A data set cannot be opened."""


class ModelCallError(FlawbenchError):
    """A provider cannot be called."""


class ParseError(FlawbenchError):
    """A reply cannot be used."""


class StorageError(FlawbenchError):
    """The object store, a part or the lineage file cannot be read or written."""


class OrchestrationError(FlawbenchError):
    """The Prefect server, a deployment or a worker does not answer."""


class AnnotationError(FlawbenchError):
    """Label Studio cannot be used."""


class ExportError(FlawbenchError):
    """A release cannot be written."""
