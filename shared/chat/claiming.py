"""Claims a chat for work outside of ticks, as soon as no tick holds the chat."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from ulid import ULID

from shared.base.errors import WriteConflict
from shared.chat.session import Session
from shared.chat.spending import charge_reserved
from shared.chat.terms import SessionTerms
from shared.values.chat import Lease
from shared.values.chat_key import ChatKey

if TYPE_CHECKING:
    from shared.chat.store.chats import FirestoreChats

LEASE: Final = timedelta(seconds=30)
#: seconds between two polls
LOOK_S: Final = 2.0


@dataclass(frozen=True, kw_only=True)
class LeasePolling:
    """The polling of a chat that another tick holds. With the defaults, it lasts longer than a lease."""

    looks: int = 60
    look_s: float = LOOK_S


async def claim_when_free(
    chats: FirestoreChats, key: ChatKey, terms: SessionTerms, polling: LeasePolling
) -> Session | None:
    """Claim a chat as soon as it is free. Return None if the chat does not exist or has moved. Raises WriteConflict if
    another tick keeps the chat claimed.
    """
    for _ in range(polling.looks):
        seen = await chats.see(key)
        if seen.version is None or seen.chat.moves.moved_to:
            return None
        if not seen.chat.is_held(terms.clock()):
            try:
                lease = Lease(owner=terms.owner, until=terms.clock() + terms.lease)
                session = Session(chats, await chats.claim(charge_reserved(seen, terms.clock()), lease), terms)
                if not seen.chat.talk.unpaged:
                    return session
                # a tick that died left these entries in the chat's document: write them to the transcript before it is
                # read
                await session.commit(release=True)
                continue
            except WriteConflict:
                pass
        await asyncio.sleep(polling.look_s)
    raise WriteConflict("another tick held the chat during all polls; try again later")


def own_terms(clock: Callable[[], datetime], window_entries: int) -> SessionTerms:
    """Return the terms of a claim (owner, length, size of the window) with a new owner id."""
    return SessionTerms(owner=str(ULID()), lease=LEASE, window_entries=window_entries, clock=clock)
