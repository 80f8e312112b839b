"""The agent's own username: what Telegram says of its bot, whatever stands in its persona's file."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from shared.errors import ChannelError
from shared.logs import log
from shared.models.agent import Agent
from shared.models.channel import BotName
from shared.ports.chats import BotNames
from shared.ports.world import Channel

#: Telegram is left alone for so long when it did not say
RETRY_AFTER: Final = timedelta(minutes=1)


@dataclass(kw_only=True)
class OwnName:
    """The username of one agent's bot. All instances share what Telegram said; one of them asks it every few hours."""

    agent: Agent
    channel: Channel
    names: BotNames
    clock: Callable[[], datetime]
    _not_before: datetime | None = field(default=None, init=False)

    async def named_agent(self) -> Agent:
        """Return the agent with the username by which people mention it. Raises StoreUnavailable or StoreRefused.

        While Telegram cannot be reached it is the last one that it gave, and without one the persona's.
        """
        kept = (await self.names.names(self.agent.id)).get(self.channel.bot_id)
        if kept is None or not kept.is_current(self.clock(), self.agent.front.username):
            kept = await self._ask() or kept
        return self.agent.known_as(kept.username) if kept is not None else self.agent

    async def _ask(self) -> BotName | None:
        now, in_persona = self.clock(), self.agent.front.username
        if self._not_before is not None and now < self._not_before:
            return None
        try:
            username = (await self.channel.identity()).username
        except ChannelError as error:
            self._not_before = now + RETRY_AFTER
            log(f"Telegram does not say what the bot's username is: {error}", logging.WARNING)
            return None
        if told := self.agent.tell_other_username(username):
            log(told, logging.WARNING)
        name = BotName(bot_id=self.channel.bot_id, username=username, at=now, in_persona=in_persona)
        await self.names.keep_name(self.agent.id, name)
        return name
