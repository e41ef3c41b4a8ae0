"""What ends a run, in words: each says that nothing is lost and what to change."""

from core.errors import ModelCallError, StorageError
from models.base import CallError, FailureKind
from models.lines import Line

_AGAIN = "then run the same command again: what was paid for is kept."


def stop_for(line: Line, failure: CallError) -> ModelCallError:
    """A key that is refused, or an account without credit."""
    said = f"{line.spec.id} (`{line.name}`) was refused: {failure.message}"
    if failure.kind is FailureKind.BROKE:
        return ModelCallError(said, f"Add credit to that account, {_AGAIN}")
    variable = line.spec.key_variable
    if variable is None:
        return ModelCallError(said, f"Set `models.{line.name}.key_variable` in {line.file} and that variable, {_AGAIN}")
    return ModelCallError(said, f"Set {variable} to a key that may use this model, {_AGAIN}")


def refuses_all(line: Line, failure: CallError, since: str) -> ModelCallError:
    """A model that refuses everything: no row is to blame."""
    return ModelCallError(
        f"{line.spec.id} (`{line.name}`) refuses every request {since}, at last with: {failure.message}",
        f"Correct `models.{line.name}` (name, base_url, parameters, structured) in {line.file} or that "
        f"account, {_AGAIN}",
    )


def unreachable(line: Line, failure: CallError) -> ModelCallError:
    """Nothing answers, from the first call on, or something else than this model."""
    where = line.spec.base_url or f"the servers of {line.spec.provider}"
    moved = failure.kind is FailureKind.MOVED
    return ModelCallError(
        f"{line.spec.id} (`{line.name}`) {'is not what answers' if moved else 'cannot be reached'} at {where}: "
        f"{failure.message}",
        f"Start that server or correct its address (`models.{line.name}.base_url` in {line.file}, FLAWBENCH_BASE_URL)"
        f"{f' or `models.{line.name}.name`' if moved else ''}, {_AGAIN}",
    )


def out_of_attempts(line: Line, failure: CallError) -> ModelCallError:
    cure = (
        f"lower `models.{line.name}.limits`"
        if failure.kind is FailureKind.RATE
        else f"raise `models.{line.name}.timeout_seconds` or lower `limits.concurrency`"
    )
    return ModelCallError(
        f"{line.spec.id} (`{line.name}`) failed {line.spec.attempts} times in a row, at last with: {failure.message}",
        f"Run the same command again later: what was paid for is kept. If it goes on, {cure} in {line.file}.",
    )


def not_kept(line: Line, error: StorageError) -> StorageError:
    """A full disk, for one: what else is paid would be lost too."""
    return StorageError(
        f"A reply of {line.spec.id} could not be kept, so nothing more is sent: {error.message}", error.fix
    )
