"""The configuration of the HTTP servers of the local cloud."""

from typing import Any

import uvicorn
from starlette.types import ASGIApp

from local.guard import LocalOnly

#: Seconds until a server drops an idle connection, as in nginx. Clients drop idle connections first (httpx after 5 s),
#: since a request on a connection that the server drops at the same moment fails.
KEEP_ALIVE_S = 75
#: seconds that running requests get when a server ends
END_S = 1


def server_config(app: ASGIApp, **more: Any) -> uvicorn.Config:
    """Return the configuration of a server that answers only programs and its own page (`local/guard.py`). `more` are
    arguments of `uvicorn.Config`.
    """
    usual: dict[str, Any] = {
        "log_level": "warning",
        "ws": "none",
        "timeout_keep_alive": KEEP_ALIVE_S,
        "timeout_graceful_shutdown": END_S,
    }
    return uvicorn.Config(LocalOnly(app), **(usual | more))
