"""Wiring: puts the parts of each function together, and alone knows them all. A function's module imports only its own.

Clients are made on the first request, inside the running loop: functions-framework imports a function in one process
and serves it in another, and a client made at import belongs to the wrong loop.
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
    """The moment, in UTC."""
    return datetime.now(UTC)


def begin(kind: type[SettingsT]) -> SettingsT:
    """Read a function's settings and set up its logs. A setting that looks misspelt is told there.

    Raises InvalidSettings.
    """
    settings = kind.from_environment()
    configure_logs(settings.log_format, settings.project)
    for told in kind.find_misspelt():
        log(told, logging.WARNING)
    return settings


def _tell_end(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Print what ends a process: a mistake of whoever set it up in words alone, anything else with its traceback."""
    if isinstance(error, InvalidSettings | InvalidPersona):
        print(f"lull cannot start.\n{error}", file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)


sys.excepthook = _tell_end
