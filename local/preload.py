"""Imports the packages that lull's parts need; a fork server imports this module before it forks them
(`local/forks.py`).

Nothing of lull is imported here, so that a restarted part runs the current code.
"""

import gc
from collections.abc import Iterable
from importlib import import_module

#: what parts import, by the modules that import the rest; none of them starts a thread
PACKAGES = (
    "functions_framework.aio",
    "functions_framework._http.gunicorn",
    "google.auth.transport.requests",
    "google.cloud.firestore_v1.async_client",
    "google.cloud.storage",
    "google.cloud.tasks_v2",
    "httpx",
    "starlette.routing",
    "telegram",
    "uvicorn",
    "yaml",
)


def import_all(names: Iterable[str]) -> None:
    """Import modules for good: what they made is never garbage, and looking at it would copy it into each fork."""
    gc.disable()
    for name in names:
        import_module(name)
    gc.collect()
    gc.freeze()
    gc.enable()


import_all(PACKAGES)
