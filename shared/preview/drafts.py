"""Showing an answer while it is written, as a draft. It decorates: the message itself never waits for it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from shared.errors import ChannelError, NotDelivered
from shared.executing.flood import FloodGate, Turns
from shared.logs import log
from shared.models.channel import Recipient
from shared.models.text import FormattedText
from shared.ports.outside import Channel
from shared.preview.visible import seen_of

#: how long the end of an answer waits for a draft that is on its way, lest it arrive after the message
LAST_SECONDS = 0.5


@dataclass(frozen=True)
class Drafting:
    """What shows the drafts of one bot; one for each instance, which remembers when it may."""

    channel: Channel
    turns: Turns = field(default_factory=Turns)
    last_s: float = LAST_SECONDS
    #: the flood waits that other instances were told, as far as this one has read of them
    gate: FloodGate | None = None

    @asynccontextmanager
    async def answer(self, to: Recipient, draft_id: int, read: Callable[[str], str]) -> "AsyncIterator[Draft]":
        """A draft that shows what its `offer` is told, for as long as the block runs; nothing of it outlives the block.

        `read` makes markdown of what is offered, as far as that goes. `draft_id` is not 0; the same one for the same
        answer. For private chats: Telegram has no drafts anywhere else.
        """
        draft = Draft(self, to, draft_id, read)
        showing = asyncio.create_task(draft.show())
        try:
            yield draft
        finally:
            draft.is_over = True
            try:
                if draft.is_leaving:
                    await asyncio.wait({showing}, timeout=self.last_s)
            finally:
                showing.cancel()
            await asyncio.wait({showing})
            if not showing.cancelled() and (broken := showing.exception()):
                log(f"a draft could not be shown ({type(broken).__name__})")


class Draft:
    """One answer that is being written."""

    def __init__(self, drafting: Drafting, to: Recipient, draft_id: int, read: Callable[[str], str]) -> None:
        """Made by `Drafting.answer`."""
        self._channel, self._turns, self._gate = drafting.channel, drafting.turns, drafting.gate
        self._to, self._id, self._read = to, draft_id, read
        self._told = ""
        self._news = asyncio.Event()
        #: whether anybody has seen something of it
        self.is_shown = False
        self.is_leaving = False
        self.is_over = False

    def offer(self, text: str) -> None:
        """All that is written so far; it returns at once."""
        self._told = text
        self._news.set()

    async def show(self) -> None:
        """Show what is offered, until the answer is over, its first message is full, or a draft fails."""
        shown: FormattedText | None = None
        is_full = False
        await self._news.wait()
        await asyncio.sleep(self._turns.first_s)
        while not (is_full or self.is_over):
            await self._news.wait()
            if self._gate is not None and self._gate.known_until(self._to.chat_id) is not None:
                log("no drafts of this answer: the chat, or the bot as a whole, was told to wait")
                return
            if wait_s := self._turns.wait_s(self._to):
                await asyncio.sleep(wait_s)
                continue
            self._news.clear()
            parts = seen_of(self._read(self._told))
            if parts and parts[0] != shown:
                if not await self._leaves(parts[0]):
                    return
                shown, is_full = parts[0], len(parts) > 1

    async def _leaves(self, part: FormattedText) -> bool:
        """Send one draft; whether there may be another."""
        self._turns.take(self._to)
        self.is_leaving = True
        try:
            await self._channel.draft(self._to, self._id, part)
        except ChannelError as error:
            if isinstance(error, NotDelivered) and error.retry_after is not None:
                self._turns.hold_off(error.retry_after)
            log(f"no more drafts of this answer: {error}")
            return False
        finally:
            self.is_leaving = False
        self.is_shown = True
        return True
