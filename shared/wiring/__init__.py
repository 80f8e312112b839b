"""Wiring: builds the objects of each function from its settings. Each function has a module of its own here.

Clients are made on the first request, inside the running loop: functions-framework imports a function in one process
and serves it in another, and a client made at import would belong to the wrong loop.
"""

import logging
import sys
from datetime import UTC, datetime
from types import TracebackType
from typing import TypeVar

from shared.base.errors import InvalidPersona, InvalidSettings
from shared.base.logs import configure_logs, log
from shared.wiring.settings import Settings

SettingsT = TypeVar("SettingsT", bound=Settings)


def now() -> datetime:
    return datetime.now(UTC)


def begin(kind: type[SettingsT]) -> SettingsT:
    """Read a function's settings, set up its logs, and warn about misspelt settings. Raises InvalidSettings."""
    settings = kind.from_environment()
    configure_logs(settings.log_format, settings.project)
    for told in kind.find_misspelt():
        log(told, logging.WARNING)
    return settings


def _print_failure(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Print the error that ends a process: a configuration error without a traceback, any other error with one."""
    if isinstance(error, InvalidSettings | InvalidPersona):
        print(f"lull cannot start.\n{error}", file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)


sys.excepthook = _print_failure
