"""Approvals: everything that waits for the owner's decision, such as access requests and offers of the agents."""

import asyncio
from collections.abc import Mapping
from typing import Any

from shared.access.store.requests import FirestoreAccessRequests
from shared.console.offers import ConsoleOffers, OpenOffer, offer_json
from shared.console.orders import give_order
from shared.console.people import MOST_WAITING, request_view
from shared.console.posted import posted_click
from shared.console.request import own_chat
from shared.console.route import BadRequest, ConsoleRequest, ConsoleRoute, NotFound
from shared.console.services import ConsoleServices
from shared.values.console_order import ACCEPT_OFFER, DECLINE_OFFER, ConsoleOrder


async def read_approvals(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return the access requests and the open offers. The owner can only decline an offer made to another person."""
    stored, agents = FirestoreAccessRequests(services.client), sorted(request.agents)
    offers, waiting = await asyncio.gather(
        ConsoleOffers(services.client).newest(agents, services.clock()),
        asyncio.gather(*(stored.waiting(agent, MOST_WAITING) for agent in agents)),
    )
    return {
        "requests": [request_view(one) for requests in waiting for one in requests],
        "offers": [offer_json(one, request.owner) for one in offers],
    }


async def accept_offer(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Have a tick carry out an offer that was made to the owner."""
    offer, place = await _offer(services, request), request.body.get("place")
    if not offer.is_for(request.owner):
        raise BadRequest("offer_of_another")
    if place not in {one for one, _ in offer.choices}:
        raise BadRequest("offer_gone")
    return await _order(services, request, offer, ACCEPT_OFFER, f"{offer.keyboard.id}:{place}")


async def decline_offer(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Have a tick remove the buttons of an offer."""
    offer = await _offer(services, request)
    return await _order(services, request, offer, DECLINE_OFFER, offer.keyboard.id)


async def _order(
    services: ConsoleServices, request: ConsoleRequest, offer: OpenOffer, command: str, argument: str
) -> Mapping[str, Any]:
    order = ConsoleOrder(
        id=posted_click(request),
        owner=request.owner,
        command=command,
        argument=argument,
        conversation=offer.chat.conversation,
        is_press=True,
        language=request.language,
    )
    async with services.record_change(request, command, offer.keyboard.id):
        await give_order(services, offer.chat.key, order)
    return {"is_done": True}


async def _offer(services: ConsoleServices, request: ConsoleRequest) -> OpenOffer:
    key = own_chat(request.path["chat"], request.agents)
    offer = await ConsoleOffers(services.client).find(key, request.path["offer"], services.clock())
    if offer is None:
        raise NotFound
    return offer


ROUTES = (
    ConsoleRoute("GET", "/api/approvals", read_approvals),
    ConsoleRoute("POST", "/api/offers/{chat}/{offer}/accept", accept_offer),
    ConsoleRoute("POST", "/api/offers/{chat}/{offer}/decline", decline_offer),
)
