"""Approvals: everything that waits for the owner's decision, such as access requests and offers of the agents.

An offer is a message with buttons that carry out a task when a person presses them.
"""

import asyncio
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.base_query import FieldFilter

from shared.access.store.requests import FirestoreAccessRequests
from shared.chat.store import paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translate_errors
from shared.chat.store.chats import decode_chat
from shared.chat.store.queries import OFFERS
from shared.console.orders import give_order
from shared.console.people import MOST_WAITING, request_view
from shared.console.posted import posted_click
from shared.console.request import own_chat
from shared.console.route import BadRequest, ConsoleRequest, ConsoleRoute, NotFound
from shared.console.services import ConsoleServices
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from shared.values.console_order import ACCEPT_OFFER, DECLINE_OFFER, ConsoleOrder
from shared.values.keyboard import KEPT, Keyboard

#: chats whose offers are read at most; an offer is open for a day
_MOST_CHATS: Final = 60


@dataclass(frozen=True, kw_only=True)
class OpenOffer:
    """A message with buttons that somebody may still press. Only the people in `keyboard.people` may press them."""

    chat: Chat
    keyboard: Keyboard

    @property
    def choices(self) -> Sequence[tuple[int, str]]:
        """The buttons that were not pressed yet, each with its position."""
        pressed = self.keyboard.pressed
        return [(place, text) for place, text in enumerate(self.keyboard.choices) if place not in pressed]


async def newest_offers(client: AsyncClient, agents: Collection[str], now: datetime) -> Sequence[OpenOffer]:
    """Return the open offers of these agents, the newest first. Raises StoreUnavailable or StoreRefused."""
    field = OFFERS.order[0].field
    query = OFFERS.on(client).where(filter=FieldFilter(field, ">", now - KEPT)).limit(_MOST_CHATS)
    with translate_errors("find open offers"):
        found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
    offers = [
        offer
        for one in found
        for offer in offers_in(decode_chat(ChatKey.from_id(one.id), one.to_dict()), now)
        if offer.chat.key.agent in agents
    ]
    return sorted(offers, key=lambda one: one.keyboard.at, reverse=True)


def offers_in(chat: Chat, now: datetime) -> Iterator[OpenOffer]:
    """Yield a chat's offers that can still be accepted by pressing a button."""
    for keyboard in chat.talk.keyboards:
        if keyboard.seq and keyboard.effects_left and not keyboard.is_old(now):
            yield OpenOffer(chat=chat, keyboard=keyboard)


def offer_json(offer: OpenOffer, owner: int) -> Mapping[str, Any]:
    """Return an offer as the console shows it."""
    chat, keyboard = offer.chat, offer.keyboard
    return {
        "id": keyboard.id,
        "chat": chat.key.id,
        "agent": chat.key.agent,
        "chat_title": chat.title,
        "kind": chat.kind.value,
        "conversation": chat.conversation,
        "people": list(keyboard.people),
        "at": keyboard.at.isoformat(),
        "ends_at": (keyboard.at + KEPT).isoformat(),
        "is_mine": offer.keyboard.is_for(owner),
        "choices": [{"place": place, "text": text} for place, text in offer.choices],
    }


async def read_approvals(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return the access requests and the open offers. The owner can only decline an offer made to another person."""
    stored, agents = FirestoreAccessRequests(services.client), sorted(request.agents)
    offers, waiting = await asyncio.gather(
        newest_offers(services.client, agents, services.clock()),
        asyncio.gather(*(stored.waiting(agent, MOST_WAITING) for agent in agents)),
    )
    return {
        "requests": [request_view(one) for requests in waiting for one in requests],
        "offers": [offer_json(one, request.owner) for one in offers],
    }


async def accept_offer(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Have a tick carry out an offer that was made to the owner."""
    offer, place = await _offer(services, request), request.body.get("place")
    if not offer.keyboard.is_for(request.owner):
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
    with translate_errors("read a chat"):
        found = await services.client.document(paths.chat_path(key)).get(retry=RETRY, timeout=CALL_SECONDS)
    for offer in offers_in(decode_chat(key, found.to_dict()), services.clock()):
        if offer.keyboard.id == request.path["offer"]:
            return offer
    raise NotFound


ROUTES = (
    ConsoleRoute("GET", "/api/approvals", read_approvals),
    ConsoleRoute("POST", "/api/offers/{chat}/{offer}/accept", accept_offer),
    ConsoleRoute("POST", "/api/offers/{chat}/{offer}/decline", decline_offer),
)
