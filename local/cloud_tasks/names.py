"""Resource names: what the ids may hold, and which queue a task is in.

The rules are those of `Queue.name` and `Task.name` in the service's published messages.
"""

import re
import secrets

from local.cloud_tasks.errors import bad_queue_name, bad_resource, bad_task_id, bad_task_name, invalid

_LOCATION = re.compile(r"projects/[A-Za-z0-9:.\-]+/locations/[A-Za-z0-9\-]+")
_QUEUE = re.compile(_LOCATION.pattern + r"/queues/[A-Za-z0-9\-]{1,100}")
_TASK_ID = re.compile(r"[A-Za-z0-9_\-]{1,500}")


def checked_location(name: str) -> str:
    """The name itself, if it is `projects/P/locations/L`; else INVALID_ARGUMENT."""
    if not _LOCATION.fullmatch(name):
        raise bad_resource()
    return name


def checked_queue(name: str) -> str:
    """The name itself, if it is that of a queue; else INVALID_ARGUMENT."""
    if not _QUEUE.fullmatch(name):
        raise bad_queue_name()
    return name


def checked_task(name: str) -> str:
    """The name itself, if it is that of a task; else INVALID_ARGUMENT."""
    queue, found, task_id = name.partition("/tasks/")
    if not found or not _QUEUE.fullmatch(queue):
        raise bad_task_name()
    if not _TASK_ID.fullmatch(task_id):
        raise bad_task_id(task_id)
    return name


def queue_of(task_name: str) -> str:
    """The full name of the queue that a task is in."""
    return task_name.partition("/tasks/")[0]


def short_id(name: str) -> str:
    """The last segment of a name, as the X-CloudTasks headers carry it."""
    return name.rpartition("/")[2]


def name_for_new_task(wanted: str, queue: str) -> str:
    """The name asked for, checked to lie in `queue`; a random one, of digits like the real ones, if none was."""
    if not wanted:
        return f"{queue}/tasks/{secrets.randbits(63):019d}"
    checked_task(wanted)
    if queue_of(wanted) != queue:
        raise invalid(
            f"The queue name from request ('{queue}') must be the same as "
            f"the queue name in the named task ('{queue_of(wanted)}')."
        )
    return wanted
