"""Logs: one JSON object per line for Cloud Logging, or readable text locally.

The context (trace, chat, update, plan, agent) is bound to the running task and added to every line. Message texts,
tokens and keys are never logged: lull's lines contain only ids and lull's own text. Some libraries would log URLs with
bot tokens: only their warnings and errors are logged. Of an uncaught error only the type and the place in the code are
logged.
"""

import json
import logging
import re
import secrets
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any, Literal

from shared.base.errors import LullError

#: the fields of the current request
_about: ContextVar[Mapping[str, str | int]] = ContextVar("about", default=MappingProxyType({}))

#: version, trace id, span id, flags (w3.org/TR/trace-context)
TRACEPARENT = re.compile(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")

LOGGER = logging.getLogger("lull")
#: the line that Python writes between an error and its cause
_CAUSED = "\n\nThe above exception was the direct cause of the following exception:\n\n"
QUIET_LOGGERS = ("httpx", "httpx2", "httpcore", "httpcore2", "openai", "telegram", "google", "urllib3", "asyncio")


@contextmanager
def about(**fields: str | int) -> Iterator[None]:
    """Add these fields to every line that is logged inside the block."""
    token = _about.set({**_about.get(), **fields})
    try:
        yield
    finally:
        _about.reset(token)


def current_trace() -> str:
    """Return the W3C trace id of the current request; "" outside of a request."""
    return str(_about.get().get("trace", ""))


class SafeRecord(logging.LogRecord):
    """A log record without error texts, and with only the first line of other libraries' messages.

    The record is therefore safe in any handler, including the handlers of frameworks and servers.
    """

    def __init__(self, name: str, level: int, *rest: Any, **more: Any) -> None:
        """Make a record. If another library logs an error without an exception, the one now being handled is added."""
        super().__init__(name, level, *rest, **more)
        if name != LOGGER.name and level >= logging.ERROR and not self.exc_info and sys.exception():
            self.exc_info = sys.exc_info()
        if self.exc_info and self.exc_info[1]:
            self.exc_text = stack_of(self.exc_info[1])  # formatters print this text as the traceback

    def getMessage(self) -> str:
        """Return the message.

        Of other libraries' messages only the first line is kept, since further lines may quote errors.
        """
        text = super().getMessage()
        return text if self.name == LOGGER.name else (text.splitlines() or [""])[0]


class CloudFormatter(logging.Formatter):
    """Formats a record as one line with a JSON object (cloud.google.com/logging/docs/structured-logging)."""

    def __init__(self, project: str) -> None:
        """`project` is written into trace ids, so that Cloud Logging groups the lines of a request."""
        super().__init__()
        self.project = project

    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, object] = {**_fields(record), "severity": record.levelname, "message": record.getMessage()}
        trace = fields.pop("trace", "")
        if trace:
            fields["logging.googleapis.com/trace"] = f"projects/{self.project}/traces/{trace}"
        if record.exc_info and record.exc_info[1]:
            # the field that Error Reporting reads first:
            # cloud.google.com/error-reporting/docs/formatting-error-messages
            fields["stack_trace"] = stack_of(record.exc_info[1])
        return json.dumps(fields, ensure_ascii=False, default=str)


class TextFormatter(logging.Formatter):
    """Formats a record as a readable line: level, message and context."""

    def format(self, record: logging.LogRecord) -> str:
        fields = {k: v for k, v in _fields(record).items() if k != "trace"}
        what = " ".join(f"{name}={value}" for name, value in fields.items())
        mark = "" if record.levelno < logging.WARNING else f"{record.levelname}: "
        stack = f"\n{stack_of(record.exc_info[1])}" if record.exc_info and record.exc_info[1] else ""
        return f"{mark}{record.getMessage()}  [{what}]{stack}" if what else f"{mark}{record.getMessage()}{stack}"


def _fields(record: logging.LogRecord) -> dict[str, object]:
    given = getattr(record, "fields", {})
    return {**_about.get(), **given}


def stack_of(error: BaseException) -> str:
    """Return an error in the form of Python's traceback, its cause first, with files, lines and types.

    Error Reporting needs this form to group errors. Texts of other libraries' errors are left out, since they may
    contain URLs or people's text.
    """
    frames = "".join(
        f'  File "{f.filename}", line {f.lineno}, in {f.name}\n' for f in traceback.extract_tb(error.__traceback__)
    )
    kind, text = type(error), f": {error}" if isinstance(error, LullError) else ""
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    cause = f"{stack_of(error.__cause__)}{_CAUSED}" if error.__cause__ is not None else ""
    return f"{cause}Traceback (most recent call last):\n{frames}{name}{text}"


def log(
    text: str, severity: int = logging.INFO, error: BaseException | None = None, **fields: str | float | None
) -> None:
    """Log one line of lull's own. Fields that are None are left out."""
    given = {name: value for name, value in fields.items() if value is not None}
    LOGGER.disabled = False  # functions-framework disables all existing loggers (see configure_logs)
    LOGGER.log(severity, text, exc_info=error, extra={"fields": given})


def log_failure(error: LullError) -> None:
    """Log one of lull's own errors with the place in the code where it was raised."""
    log(str(error), logging.ERROR, error)


def configure_logs(log_format: Literal["json", "text"], project: str) -> None:
    """Send lull's lines to standard output. Call it once when a function starts.

    If LOG_EXECUTION_ID is true, which Cloud Functions sets, functions-framework configures logging after it has loaded
    the function: it disables all loggers and adds a handler to the root logger. Therefore lull's logger has its own
    handler, and records are made safe before they reach any handler.
    """
    logging.setLogRecordFactory(SafeRecord)
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(CloudFormatter(project) if log_format == "json" else TextFormatter())
    LOGGER.handlers[:] = [handler]
    LOGGER.propagate = False
    LOGGER.setLevel(logging.INFO)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for name in QUIET_LOGGERS:
        logging.getLogger(name).setLevel(logging.WARNING)


def traceparent_of(given: str) -> str:
    """Return the W3C traceparent `given` by a request; a new one if `given` is not valid."""
    if TRACEPARENT.fullmatch(given):
        return given
    return f"00-{secrets.token_hex(16)}-{secrets.token_hex(8)}-01"


def trace_of(traceparent: str) -> str:
    """Return the trace id (32 hexadecimal digits) in a valid W3C traceparent."""
    return traceparent.split("-")[1]
