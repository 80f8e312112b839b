"""Logs: one JSON object a line in Cloud Logging's fields, or readable text locally.

What is being worked on (trace, chat, update, plan, agent) is bound to the running context and stands on every line.
No message text, token or key is ever logged: lull's lines hold ids and its own words only, libraries that would log
URLs (the Bot API's carry the token) are kept at warnings, and of errors that nobody caught only the place is told.
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

#: what the current request is about; names are those of the log's fields
_about: ContextVar[Mapping[str, str | int]] = ContextVar("about", default=MappingProxyType({}))

#: version, trace id, span id, flags (w3.org/TR/trace-context)
TRACEPARENT = re.compile(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")

LOGGER = logging.getLogger("lull")
#: between an error and its cause, as Python writes it
_CAUSED = "\n\nThe above exception was the direct cause of the following exception:\n\n"
QUIET_LOGGERS = ("httpx", "httpcore", "telegram", "google", "urllib3", "asyncio")


@contextmanager
def about(**fields: str | int) -> Iterator[None]:
    """Put these fields on every line logged inside."""
    token = _about.set({**_about.get(), **fields})
    try:
        yield
    finally:
        _about.reset(token)


def current_trace() -> str:
    """The W3C trace id of the request being handled; empty outside one."""
    return str(_about.get().get("trace", ""))


class SafeRecord(logging.LogRecord):
    """A record that tells of an error only where it came from, and of foreign words only the first line.

    So whichever handler prints it, and in whatever form: a framework's or a server's own too.
    """

    def __init__(self, name: str, level: int, *rest: Any, **more: Any) -> None:
        """As any record. Where others tell of an error in words alone, it is the one that is being handled."""
        super().__init__(name, level, *rest, **more)
        if name != LOGGER.name and level >= logging.ERROR and not self.exc_info and sys.exception():
            self.exc_info = sys.exc_info()
        if self.exc_info and self.exc_info[1]:
            self.exc_text = stack_of(self.exc_info[1])  # formatters take it for the traceback

    def getMessage(self) -> str:
        """What it says. The further lines of others' quote errors: functions-framework's and asyncio's do."""
        text = super().getMessage()
        return text if self.name == LOGGER.name else (text.splitlines() or [""])[0]


class CloudFormatter(logging.Formatter):
    """One JSON object a line (cloud.google.com/logging/docs/structured-logging)."""

    def __init__(self, project: str) -> None:
        """`project` makes trace ids into the full names that join lines of one request."""
        super().__init__()
        self.project = project

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        fields: dict[str, object] = {**_fields(record), "severity": record.levelname, "message": record.getMessage()}
        trace = fields.pop("trace", "")
        if trace:
            fields["logging.googleapis.com/trace"] = f"projects/{self.project}/traces/{trace}"
        if record.exc_info and record.exc_info[1]:
            # which Error Reporting reads first: cloud.google.com/error-reporting/docs/formatting-error-messages
            fields["stack_trace"] = stack_of(record.exc_info[1])
        return json.dumps(fields, ensure_ascii=False, default=str)


class TextFormatter(logging.Formatter):
    """A line for people: level, words, and what it is about."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        fields = {k: v for k, v in _fields(record).items() if k != "trace"}
        what = " ".join(f"{name}={value}" for name, value in fields.items())
        mark = "" if record.levelno < logging.WARNING else f"{record.levelname}: "
        stack = f"\n{stack_of(record.exc_info[1])}" if record.exc_info and record.exc_info[1] else ""
        return f"{mark}{record.getMessage()}  [{what}]{stack}" if what else f"{mark}{record.getMessage()}{stack}"


def _fields(record: logging.LogRecord) -> dict[str, object]:
    given = getattr(record, "fields", {})
    return {**_about.get(), **given}


def stack_of(error: BaseException) -> str:
    """Return an error as Python's own traceback tells it: files, lines and types, its cause first.

    Error Reporting groups by that form. Foreign errors' texts are left out: they may hold URLs or what people wrote.
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
    """Log one line in lull's own words; a field that is None is left out."""
    given = {name: value for name, value in fields.items() if value is not None}
    LOGGER.disabled = False  # functions-framework disables what it finds (see configure_logs)
    LOGGER.log(severity, text, exc_info=error, extra={"fields": given})


def log_failure(error: LullError) -> None:
    """Log an error of lull's own, with where it came from."""
    log(str(error), logging.ERROR, error)


def configure_logs(log_format: Literal["json", "text"], project: str) -> None:
    """Send lull's lines to standard output; called once when a function starts.

    Where LOG_EXECUTION_ID is true, as Cloud Functions sets it by itself, functions-framework sets logging up in its own
    way after it has loaded the function: it disables all loggers and puts a handler of its own at the root. So lull's
    logger has its handler itself, and records are safe before they come to any.
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
    """The request's W3C traceparent; a new one when it has none."""
    if TRACEPARENT.fullmatch(given):
        return given
    return f"00-{secrets.token_hex(16)}-{secrets.token_hex(8)}-01"


def trace_of(traceparent: str) -> str:
    """The trace id in a traceparent."""
    return traceparent.split("-")[1]
