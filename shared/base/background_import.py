"""Imports slow modules in a thread, while a function waits for something else.

A new instance starts after idle time, and a person waits for its first answer. The package for calling a model is
therefore imported while the chat is read, or while the tick waits for people to stop writing.
"""

import asyncio
from collections.abc import Awaitable
from concurrent.futures import Future
from importlib import import_module
from threading import Thread
from typing import Final

#: the import of each module, still running or done
_STARTED: Final[dict[str, Future[None]]] = {}


def start_import(module: str) -> None:
    """Start to import a module in a thread. A repeated call for the same module does nothing."""
    if module not in _STARTED:
        done = _STARTED[module] = Future[None]()
        Thread(target=_import, args=(module, done), name=f"import {module}", daemon=True).start()


async def finish_import(module: str) -> None:
    """Wait until a module is imported. Raises the error of its import."""
    start_import(module)
    await asyncio.wrap_future(_STARTED[module])


def finish_imports() -> Awaitable[object]:
    """Wait for all started imports. Errors of these imports are not raised here, but by `finish_import`."""
    return asyncio.gather(*map(asyncio.wrap_future, _STARTED.values()), return_exceptions=True)


def _import(module: str, done: Future[None]) -> None:
    try:
        import_module(module)
    except BaseException as error:
        done.set_exception(error)
    else:
        done.set_result(None)
