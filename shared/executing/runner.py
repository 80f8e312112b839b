"""Carrying a plan out: one delivery after the other, each recorded before the call and after its answer."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from shared.errors import ChannelError, Refused
from shared.executing.graph import next_task, waited, with_task
from shared.executing.incidents import incidents_of
from shared.executing.outcome import Retrying, attempted, confirmed, failed, next_part, task_of, with_deliveries
from shared.formatting.pace import human_pace
from shared.formatting.render import render
from shared.logs import log
from shared.models.agent import Agent, Pace
from shared.models.channel import Recipient
from shared.models.message import Author, Message
from shared.models.plan import Plan, PlannedTask, React, Send, Wait
from shared.ports import Channel, ChatStore
from shared.ticking.holding import Holding

#: Telegram shows it for five seconds (core.telegram.org/bots/api#sendchataction)
TYPING_IS_SHOWN = timedelta(seconds=4.5)


@dataclass(frozen=True, kw_only=True)
class Runner:
    """What carrying out needs: where to send, as whom, how to retry, and where to look for something new."""

    channel: Channel
    agent: Agent
    chats: ChatStore
    retry_after: timedelta
    tries: int
    clock: Callable[[], datetime]

    async def run(self, hold: Holding, plan: Plan, *, is_last: bool) -> Plan:
        """The plan after its due tasks; it stops between two when something new was written.

        `is_last`: it was planned again often enough, so nothing stops it before its first call.
        """
        looks = False  # the caller just did
        while (planned := next_task(plan, self.clock())) is not None:
            if looks and await self._is_interrupted(hold):
                return plan
            if isinstance(planned.task, Wait):
                plan = with_task(plan, waited(planned, planned.task, self.clock()))
                continue
            if self._is_to_be_typed(planned):
                plan = await self._typed(hold, plan, planned)
                if (looks or not is_last) and await self._is_interrupted(hold):
                    return plan
            plan = await self._deliver(hold, plan, planned.task.id)
            looks = True
        return plan

    async def _is_interrupted(self, hold: Holding) -> bool:
        return await self.chats.unread_count(hold.chat.key) > len(hold.noted_read)

    def _is_to_be_typed(self, planned: PlannedTask) -> bool:
        return isinstance(planned.task, Send) and self.agent.front.pace is Pace.HUMAN and not planned.is_typed

    async def _typed(self, hold: Holding, plan: Plan, planned: PlannedTask) -> Plan:
        """The plan after somebody was seen typing the text of a task."""
        assert isinstance(planned.task, Send)
        if plan.is_begun:  # what was said is kept before the long while, in which a tick may die
            await hold.commit(plan)
        left = human_pace(len(planned.task.text))
        while left > timedelta():
            await self.channel.typing(recipient_of(hold))
            await asyncio.sleep(min(left, TYPING_IS_SHOWN).total_seconds())
            left -= TYPING_IS_SHOWN
        return with_task(plan, planned.model_copy(update={"is_typed": True}))

    async def _deliver(self, hold: Holding, plan: Plan, task_id: str) -> Plan:
        task = task_of(plan, task_id).task
        # asked for before the call, since after it nothing may fail any more
        await self.channel.identity()
        await hold.window()
        parts = len(render(task.text)) if isinstance(task, Send) else 1
        plan = with_task(plan, with_deliveries(task_of(plan, task_id), parts))
        while (part := next_part(task_of(plan, task_id), self.clock())) is not None:
            plan = with_task(plan, attempted(task_of(plan, task_id), part, self.clock()))
            await hold.commit(plan)
            plan = await self._call(hold, plan, task_id, part)
        return plan

    async def _call(self, hold: Holding, plan: Plan, task_id: str, part: int) -> Plan:
        """The plan after the call that was recorded as attempted: it leaves here, once."""
        try:
            message_ids = await self._leave(hold, plan, task_id, part)
        except ChannelError as error:
            log(f"not delivered: {error}", task=task_id, part=part)
            retrying = Retrying(now=self.clock(), after=self.retry_after, tries=self.tries)
            after = failed(plan, task_id, part, error, retrying)
            for incident in incidents_of(plan, after, hold.chat.key, self.clock()):
                hold.note_incident(incident)
            return after
        log("delivered", task=task_id, part=part)
        return confirmed(plan, task_id, part, message_ids)

    async def _leave(self, hold: Holding, plan: Plan, task_id: str, part: int) -> tuple[int, ...]:
        task = task_of(plan, task_id).task
        if isinstance(task, React):
            await self.channel.react(recipient_of(hold), task.message_id, task.emoji)
            return ()
        assert isinstance(task, Send)  # waits never leave
        texts = render(task.text)
        if part >= len(texts):
            raise Refused("a newer lull cuts this text into fewer parts")
        text = texts[part]
        message_id = await self.channel.send_text(recipient_of(hold), text, task.reply_to if part == 0 else None)
        me = await self.channel.identity()
        author = Author(id=me.id, name=me.first_name, username=me.username, is_bot=True, is_agent=True)
        entities = tuple(entity.to_telegram() for entity in text.entities)
        said = Message(
            at=self.clock(), message_id=message_id, author=author, text=text.text, entities=entities, plan=plan.id
        )
        await hold.note_entries([said])
        return (message_id,)


def recipient_of(hold: Holding) -> Recipient:
    """Where a chat's messages go."""
    return Recipient(chat_id=hold.chat.key.chat_id, topic_id=hold.chat.key.topic_id)
