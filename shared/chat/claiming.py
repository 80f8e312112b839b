"""Claiming a chat for work that no tick does: once nobody else holds it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from ulid import ULID

from shared.base.errors import WriteConflict
from shared.chat.session import Session
from shared.chat.spending import charged
from shared.chat.terms import SessionTerms
from shared.values.chat import Lease
from shared.values.chat_key import ChatKey

if TYPE_CHECKING:
    from shared.chat.store.chats import FirestoreChats

LEASE: Final = timedelta(seconds=30)
#: seconds between the looks at a chat that somebody else holds
LOOK_S: Final = 2.0


@dataclass(frozen=True, kw_only=True)
class LeasePolling:
    """How often a chat is looked at that somebody else holds; as a default longer than a lease."""

    looks: int = 60
    look_s: float = LOOK_S


async def claim_when_free(
    chats: FirestoreChats, key: ChatKey, terms: SessionTerms, patience: LeasePolling
) -> Session | None:
    """Claim a chat once it is free; None if it does not exist or has moved. Raises WriteConflict if it stays held."""
    for _ in range(patience.looks):
        seen = await chats.see(key)
        if seen.version is None or seen.chat.moves.moved_to:
            return None
        if not seen.chat.is_held(terms.clock()):
            try:
                lease = Lease(owner=terms.owner, until=terms.clock() + terms.lease)
                session = Session(chats, await chats.claim(charged(seen, terms.clock()), lease), terms)
                if not seen.chat.talk.unpaged:
                    return session
                # a tick that died left them: they come into the transcript before it is read
                await session.commit(release=True)
                continue
            except WriteConflict:
                pass
        await asyncio.sleep(patience.look_s)
    raise WriteConflict("the chat is held by somebody else all the time")


def own_terms(clock: Callable[[], datetime], window_entries: int) -> SessionTerms:
    """The terms of one such claim, by an owner of its own."""
    return SessionTerms(owner=str(ULID()), lease=LEASE, window_entries=window_entries, clock=clock)
