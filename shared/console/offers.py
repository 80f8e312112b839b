"""The agents' open offers: messages with buttons that carry out a task when a person presses them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.base_query import FieldFilter

from shared.chat.store import paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translate_errors
from shared.chat.store.chats import decode_chat
from shared.chat.store.queries import OFFERS
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from shared.values.keyboard import KEPT, Keyboard

#: chats whose offers are read at most; an offer is open for a day
_MOST_CHATS: Final = 60


@dataclass(frozen=True, kw_only=True)
class OpenOffer:
    """A message with buttons that somebody may still press. Only the people in `keyboard.people` may press them."""

    chat: Chat
    keyboard: Keyboard

    def is_for(self, person: int) -> bool:
        return self.keyboard.is_for(person)

    @property
    def choices(self) -> Sequence[tuple[int, str]]:
        """The buttons that were not pressed yet, each with its position."""
        pressed = self.keyboard.pressed
        return [(place, text) for place, text in enumerate(self.keyboard.choices) if place not in pressed]


@dataclass(frozen=True)
class ConsoleOffers:
    """Reads offers. Every method may raise StoreUnavailable or StoreRefused."""

    client: AsyncClient

    async def newest(self, agents: Collection[str], now: datetime) -> Sequence[OpenOffer]:
        """Return the open offers of these agents, the newest first."""
        field = OFFERS.order[0].field
        query = OFFERS.on(self.client).where(filter=FieldFilter(field, ">", now - KEPT)).limit(_MOST_CHATS)
        with translate_errors("find open offers"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        offers = [
            offer
            for one in found
            for offer in offers_in(decode_chat(ChatKey.from_id(one.id), one.to_dict()), now)
            if offer.chat.key.agent in agents
        ]
        return sorted(offers, key=lambda one: one.keyboard.at, reverse=True)

    async def find(self, key: ChatKey, keyboard_id: str, now: datetime) -> OpenOffer | None:
        """Return the offer with this keyboard in a chat; None if it does not exist or is no longer open."""
        with translate_errors("read a chat"):
            found = await self.client.document(paths.chat_path(key)).get(retry=RETRY, timeout=CALL_SECONDS)
        offers = offers_in(decode_chat(key, found.to_dict()), now)
        return next((one for one in offers if one.keyboard.id == keyboard_id), None)


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
        "is_mine": offer.is_for(owner),
        "choices": [{"place": place, "text": text} for place, text in offer.choices],
    }
