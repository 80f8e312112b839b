"""External communications: what people other than the owner wrote to an agent, and the rules for them."""

from collections.abc import Mapping
from typing import Any

from shared.console.external import exchange_of, page_of, parse_rules, rules_view
from shared.console.people import access_lists_of
from shared.console.request import own_agent
from shared.console.route import ConsoleRequest, ConsoleRoute, NotFound
from shared.console.services import ConsoleServices
from shared.console.views.people import number_in
from shared.values.trust import NOW


async def read_external(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return a page of people who wrote to an agent in private."""
    agent = own_agent(request, request.path["agent"])
    return await page_of(services, agent, request.query.get("cursor", ""))


async def read_exchange(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return what a person wrote, and what was answered."""
    agent, person = own_agent(request, request.path["agent"]), number_in(request.path["person"])
    # the owner's own chat is shown as a conversation
    found = None if person == request.owner else await exchange_of(services, agent, person)
    if found is None:
        raise NotFound
    return found


async def read_rules(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return the rules and limits for each trust tier, of each of the owner's agents."""
    lists, fronts = access_lists_of(services), services.fronts
    return {
        "agents": [
            {"name": fronts[agent].name, **rules_view(services, await lists.access_list(agent, NOW), fronts[agent])}
            for agent in sorted(request.agents)
            if agent in fronts
        ]
    }


async def change_rules(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Store the rules that the owner chose."""
    agent = own_agent(request, request.path["agent"])
    body = request.body
    rules = parse_rules(body.get("private", ""), body.get("groups", ""), body.get("fellows"))
    async with services.record_change(request, "change rules", agent):
        await access_lists_of(services).set_rules(agent, rules)
    return await read_rules(services, request)


ROUTES = (
    ConsoleRoute("GET", "/api/external/rules", read_rules),
    ConsoleRoute("POST", "/api/external/{agent}/rules", change_rules),
    ConsoleRoute("GET", "/api/external/{agent}/people", read_external),
    ConsoleRoute("GET", "/api/external/{agent}/people/{person}", read_exchange),
)
