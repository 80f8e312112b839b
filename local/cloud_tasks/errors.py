"""The errors of this server, with the texts of the real service where these are known.

    TasksError
    ├── CloudTasksError  returned to a client: a gRPC status code and a sentence
    ├── DataInUse        another server uses the data directory; this server does not start
    └── AddressTaken     the port cannot be listened on; this server does not start

The texts were recorded from the real service by the conformance runs of the Go project
aertje/cloud-tasks-emulator (2026). A comment marks each text that was not recorded.
"""

from pathlib import Path

import grpc

_QUEUE_FORMAT = "projects/<PROJECT_ID>/locations/<LOCATION_ID>/queues/<QUEUE_ID>"


class TasksError(Exception):
    """Base of all errors of this server. The text is safe to log."""


class CloudTasksError(TasksError):
    """The error that a refused call of the API returns to its client."""

    def __init__(self, code: grpc.StatusCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class DataInUse(TasksError):
    """Another server uses the same data directory. If both ran, both would dispatch the tasks in it."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} is in use by another Cloud Tasks server: stop that server, or choose another directory"
        )


class AddressTaken(TasksError):
    """Another program listens on this address, or the host is not an address of this machine."""

    def __init__(self, address: str) -> None:
        super().__init__(f"{address} is not available: stop the program that uses it, or choose another port")


def invalid(message: str) -> CloudTasksError:
    """Return an INVALID_ARGUMENT error: the request would fail again if it were repeated."""
    return CloudTasksError(grpc.StatusCode.INVALID_ARGUMENT, message)


def not_served(what: str) -> CloudTasksError:
    """Return an UNIMPLEMENTED error: the real service supports this, but this server does not."""
    return CloudTasksError(grpc.StatusCode.UNIMPLEMENTED, f"lull's local Cloud Tasks does not support {what}")


def bad_resource() -> CloudTasksError:
    """Return the error for a parent that is not a location or queue."""
    return invalid("Invalid resource field value in the request.")


def bad_queue_name() -> CloudTasksError:
    """Return the error for a malformed queue name."""
    return invalid(f'Queue name must be formatted: "{_QUEUE_FORMAT}".')


def bad_task_name() -> CloudTasksError:
    """Return the error for a malformed task name."""
    return invalid(f'Task name must be formatted: "{_QUEUE_FORMAT}/tasks/<TASK_ID>"')


def bad_task_id(task_id: str) -> CloudTasksError:
    """Return the error for a task id with invalid characters or of the wrong length."""
    return invalid(
        f'Task ID "{task_id}" can contain only letters ([A-Za-z]), numbers ([0-9]), hyphens (-), or underscores (_). '
        "Task ID must between 1 and 500 characters."
    )


def queue_missing() -> CloudTasksError:
    """Return a NOT_FOUND error, both for a queue that never existed and for a queue that was deleted recently."""
    return CloudTasksError(
        grpc.StatusCode.NOT_FOUND,
        "Queue does not exist. If you just created the queue, wait at least a minute for the queue to initialize.",
    )


def entity_missing() -> CloudTasksError:
    """Return the NOT_FOUND error for a task that never existed. DeleteQueue also returns this error if there is no such
    queue.
    """
    return CloudTasksError(grpc.StatusCode.NOT_FOUND, "Requested entity was not found.")


def task_gone() -> CloudTasksError:
    """Return the NOT_FOUND error for a finished task whose name is still remembered."""
    return CloudTasksError(
        grpc.StatusCode.NOT_FOUND,
        "The task no longer exists, though a task with this name existed recently. "
        "The task either successfully completed or was deleted.",
    )


def task_exists() -> CloudTasksError:
    """Return an ALREADY_EXISTS error: a task with that name waits or runs."""
    return CloudTasksError(grpc.StatusCode.ALREADY_EXISTS, "Requested entity already exists")


def task_existed() -> CloudTasksError:
    """Return an ALREADY_EXISTS error: a task with that name was executed or deleted recently."""
    return CloudTasksError(
        grpc.StatusCode.ALREADY_EXISTS,
        "The task cannot be created because a task with this name existed too recently.",
    )


def queue_exists() -> CloudTasksError:
    """Return an ALREADY_EXISTS error: CreateQueue was called with the name of an existing queue."""
    return CloudTasksError(grpc.StatusCode.ALREADY_EXISTS, "Queue already exists")


def queue_existed() -> CloudTasksError:
    """Return a FAILED_PRECONDITION error: CreateQueue was called with the name of a queue that was deleted recently."""
    return CloudTasksError(
        grpc.StatusCode.FAILED_PRECONDITION,
        "The queue cannot be created because a queue with this name existed too recently.",
    )
