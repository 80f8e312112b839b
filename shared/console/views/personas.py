"""The view of personas: each agent's files, and the system instruction that is made from them.

Handlers import what they need, so that the function starts quickly.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from shared.console.request import own_agent
from shared.console.route import ConsoleRequest, ConsoleRoute

if TYPE_CHECKING:
    from shared.console.services import ConsoleServices


async def list_personas(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return the owner's agents."""
    from shared.console import personas

    return await personas.list_personas(services, request.agents)


async def read_persona(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return one agent with its finished system instruction."""
    from shared.console import personas

    agent = own_agent(request, request.path["agent"])
    return await personas.read_persona(services, agent, request.query.get("model", ""))


ROUTES = (
    ConsoleRoute("GET", "/api/personas", list_personas),
    ConsoleRoute("GET", "/api/personas/{agent}", read_persona),
)
