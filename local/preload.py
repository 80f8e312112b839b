"""Imports the packages that lull's parts need. A fork server imports this module before it forks parts
(`local/forks.py`).

lull's own modules are not imported here, so that a restarted part runs their current code.
"""

import gc
from collections.abc import Iterable
from importlib import import_module

#: top-level modules of the packages that parts import. None of these starts a thread, since threads do not survive a
#: fork
PACKAGES = (
    "functions_framework.aio",
    "functions_framework._http.gunicorn",
    "google.auth.transport.requests",
    "google.cloud.firestore_v1.async_client",
    "google.cloud.storage",
    "google.cloud.tasks_v2",
    "google.genai",
    "httpx",
    "starlette.routing",
    "telegram",
    "uvicorn",
    "yaml",
)


def import_all(names: Iterable[str]) -> None:
    """Import modules, and exempt their objects from garbage collection: a collection in a fork would write to these
    objects, so that each fork would need a copy of their memory.
    """
    gc.disable()
    for name in names:
        import_module(name)
    gc.collect()
    gc.freeze()
    gc.enable()


import_all(PACKAGES)
