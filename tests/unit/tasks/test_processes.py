import os
import signal

import pytest

from core.errors import OrchestrationError, StorageError
from tasks.processes import cpu_processes


def test_work_runs_in_another_process_and_its_result_comes_back() -> None:
    with cpu_processes(1) as processes:
        assert processes.call(os.getpid) != os.getpid()


def test_a_killed_worker_is_an_error_that_says_to_run_again() -> None:
    with cpu_processes(1) as processes, pytest.raises(OrchestrationError, match="Run the same command again"):
        processes.call(os.kill, processes.call(os.getpid), signal.SIGKILL)


def test_errors_of_the_project_cross_the_border_with_message_and_fix() -> None:
    with cpu_processes(1) as processes, pytest.raises(StorageError) as caught:
        processes.call(_raise_storage_error)
    assert (caught.value.message, caught.value.fix) == ("The disk is full.", "Free space.")


def _raise_storage_error() -> None:
    raise StorageError("The disk is full.", "Free space.")
