"""The composition root: the only place that knows the adapters. One module per function, which imports only its parts.

Clients are made on the first request, inside the running loop: functions-framework imports a function in one process
and serves it in another, and a client made at import belongs to the wrong loop.
"""

from datetime import UTC, datetime


def now() -> datetime:
    """The moment, in UTC."""
    return datetime.now(UTC)
