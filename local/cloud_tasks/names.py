"""Resource names: checks their format, and finds the queue in a task's name.

The rules are those of `Queue.name` and `Task.name` in the published message definitions of the real service.
"""

import re
import secrets

from local.cloud_tasks.errors import bad_queue_name, bad_resource, bad_task_id, bad_task_name, invalid

_LOCATION = re.compile(r"projects/[A-Za-z0-9:.\-]+/locations/[A-Za-z0-9\-]+")
_QUEUE = re.compile(_LOCATION.pattern + r"/queues/[A-Za-z0-9\-]{1,100}")
_TASK_ID = re.compile(r"[A-Za-z0-9_\-]{1,500}")


def checked_location(name: str) -> str:
    """Return the name if it has the form `projects/P/locations/L`. Raises INVALID_ARGUMENT otherwise."""
    if not _LOCATION.fullmatch(name):
        raise bad_resource()
    return name


def checked_queue(name: str) -> str:
    """Return the name if it has the form of a queue's name. Raises INVALID_ARGUMENT otherwise."""
    if not _QUEUE.fullmatch(name):
        raise bad_queue_name()
    return name


def checked_task(name: str) -> str:
    """Return the name if it has the form of a task's name. Raises INVALID_ARGUMENT otherwise."""
    queue, found, task_id = name.partition("/tasks/")
    if not found or not _QUEUE.fullmatch(queue):
        raise bad_task_name()
    if not _TASK_ID.fullmatch(task_id):
        raise bad_task_id(task_id)
    return name


def queue_of(task_name: str) -> str:
    """Return the full name of the queue of a task."""
    return task_name.partition("/tasks/")[0]


def short_id(name: str) -> str:
    """Return the last segment of a name. The X-CloudTasks headers contain names in this short form."""
    return name.rpartition("/")[2]


def name_for_new_task(wanted: str, queue: str) -> str:
    """Return the name `wanted`, or if it is empty, a name with a random number, as the real service does. Raises
    INVALID_ARGUMENT if `wanted` is malformed or not in `queue`.
    """
    if not wanted:
        return f"{queue}/tasks/{secrets.randbits(63):019d}"
    checked_task(wanted)
    if queue_of(wanted) != queue:
        raise invalid(
            f"The queue name from request ('{queue}') must be the same as "
            f"the queue name in the named task ('{queue_of(wanted)}')."
        )
    return wanted
