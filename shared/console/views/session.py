"""Reports who is signed in, and which agents they own."""

from collections.abc import Mapping
from typing import Any

from shared.console.route import ConsoleRequest, ConsoleRoute
from shared.console.services import ConsoleServices


async def read_session(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return the owner's id, their agents, their language, and the time."""
    return {
        "owner": request.owner,
        "agents": list(request.agents),
        "language": request.language,
        "project": services.project,
        "now": services.clock().isoformat(),
    }


ROUTES = (ConsoleRoute("GET", "/api/session", read_session),)
