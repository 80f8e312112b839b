"""Finds the chats whose earlier messages may be shown to a person.

Only a group's current members, as Telegram reports them, may see its messages. A person who has left sees none of them.
If Telegram does not answer, none of the group's messages are shown.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from shared.base.errors import ChannelError
from shared.base.logs import log
from shared.llm.ports.world import MessagingChannel
from shared.recall.store.memberships import FRESH, Membership
from shared.values.evolve import evolve
from shared.values.place import MOST_PLACES, Asker, VisibleChats, chat_of

if TYPE_CHECKING:
    from shared.chat.store.bots import FirestoreOwners
    from shared.recall.store.memberships import FirestoreMemberships


@dataclass(frozen=True, kw_only=True)
class VisibleChatsFinder:
    """Finds the chats of one agent that a person may see."""

    memberships: FirestoreMemberships
    channel: MessagingChannel
    owners: FirestoreOwners
    clock: Callable[[], datetime]
    #: how long Telegram's answer about a membership is used
    oldest: timedelta = FRESH

    async def of(self, asker: Asker) -> VisibleChats:
        """Return the chats whose messages may be shown to the asker in the chat in which they ask.

        Raises StoreUnavailable or StoreRefused.
        """
        agent = asker.chat.agent
        if not asker.chat.is_private:
            return VisibleChats(agent=agent, places=asker.places)
        person = asker.chat.chat_id  # the id of a private chat is the id of its person
        known = await self.memberships.of_person(agent, person, MOST_PLACES)
        groups = await asyncio.gather(*map(self._places_now, known))
        places = tuple(dict.fromkeys((*asker.places, *(place for group in groups for place in group))))
        is_owner = asker.is_explicit and await self.owners.owner(agent) == person
        is_cut = len(known) == MOST_PLACES or len(places) > MOST_PLACES
        return VisibleChats(
            agent=agent, places=places[:MOST_PLACES], is_everything=is_owner, is_cut=is_cut and not is_owner
        )

    async def _places_now(self, known: Membership) -> tuple[str, ...]:
        """Return the places of a group (`place.py`) if the person is a member; () if not. The answer is cached for
        minutes.

        A channel's direct messages have no members. Each person's messages there are in a separate topic.
        """
        now = self.clock()
        if known.places and all(chat_of(place).is_direct for place in known.places):
            return known.places
        if known.checked_at is None or known.checked_at + self.oldest <= now:
            try:
                is_member = await self.channel.is_member(known.chat_id, known.person)
            except ChannelError as error:
                log(f"cannot find out whether a person is in a group: {error}")
                return ()
            known = evolve(known, is_member=is_member, fresh_until=now + FRESH)
            await self.memberships.keep_checked(known)
        return known.places if known.is_member else ()
