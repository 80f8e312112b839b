"""The address of the logs of one turn."""

import re
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import quote

#: a W3C trace id
_TRACE: Final = re.compile(r"[0-9a-f]{32}")
_AROUND: Final = timedelta(hours=1)


def logs_url(project: str, trace: str, at: datetime | None = None) -> str | None:
    """Return the address at which Cloud Logging shows the log entries with a trace; None if the trace is malformed.

    If `at` is given, only entries within an hour of it are shown.
    """
    if _TRACE.fullmatch(trace) is None:
        return None
    query = quote(f'trace="projects/{project}/traces/{trace}"', safe="")
    span = (
        f";cursorTimestamp={_stamp(at)};startTime={_stamp(at - _AROUND)};endTime={_stamp(at + _AROUND)}" if at else ""
    )
    return f"https://console.cloud.google.com/logs/query;query={query}{span}?project={quote(project, safe='')}"


def _stamp(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")
