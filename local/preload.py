"""Imports the packages that lull's parts need. A fork server imports this module before it forks parts
(`local/forks.py`).

lull's own modules are not imported here, so that a restarted part runs the current code.
"""

import gc
from collections.abc import Iterable
from importlib import import_module

#: top modules of the packages that parts import; none of them starts a thread
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
    """Import modules permanently. Their objects are exempt from garbage collection, since a collection would copy their
    memory into each fork.
    """
    gc.disable()
    for name in names:
        import_module(name)
    gc.collect()
    gc.freeze()
    gc.enable()


import_all(PACKAGES)
