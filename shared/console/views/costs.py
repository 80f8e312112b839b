"""Costs and limits: shows both, and lets the owner lower the limits."""

from collections.abc import Mapping, Sequence
from typing import Any

from shared.console.costs import costs_view, months_until, read_costs_of, today_of
from shared.console.limits import read_limits, set_limits, set_soft_share
from shared.console.request import own_agent
from shared.console.route import ConsoleRequest, ConsoleRoute, NotFound, OutdatedPage
from shared.console.services import ConsoleServices


async def read_costs(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return the costs of a month: of the agent in the query, or else of all agents of the owner."""
    agents = chosen_agents(request)
    today = today_of(services.spending(), agents, services.clock())
    months = months_until(today)
    month = request.query.get("month") or months[0]
    if month not in months:
        raise OutdatedPage("Costs are known for the last 13 months.")
    found = await read_costs_of(services, agents, month, today)
    return {
        "month": month,
        "months": months,
        "agent": request.query.get("agent", ""),
        "of": list(request.agents),
        **await costs_view(services, agents, found, request.owner),
    }


async def read_all_limits(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return all limits, with the amounts that are used."""
    return await read_limits(services, request.agents)


async def change_limits(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Store lower limits, or a lower share of a limit above which the cheaper model answers. Return all limits."""
    body = request.body
    if "soft_share" in body:
        async with services.record_change(request, "lower the soft share"):
            await set_soft_share(services, request.agents, body["soft_share"])
        return await read_limits(services, request.agents)
    part, agent, given = body.get("part"), body.get("agent", ""), body.get("limits")
    if not isinstance(part, str) or not isinstance(agent, str) or not isinstance(given, Mapping):
        raise OutdatedPage("The limits are missing.")
    if part != "deployment" and agent not in request.agents:
        raise NotFound
    async with services.record_change(request, "change limits", f"{agent or '*'} {part}"):
        await set_limits(services, request.agents, agent, part, given)
    return await read_limits(services, request.agents)


def chosen_agents(request: ConsoleRequest) -> Sequence[str]:
    """Return the agent that the query names, or all agents of the owner. Raises NotFound for another owner's agent."""
    agent = request.query.get("agent", "")
    return (own_agent(request, agent),) if agent else request.agents


ROUTES = (
    ConsoleRoute("GET", "/api/costs", read_costs),
    ConsoleRoute("GET", "/api/costs/limits", read_all_limits),
    ConsoleRoute("POST", "/api/costs/limits", change_limits),
)
