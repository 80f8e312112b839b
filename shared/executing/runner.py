"""Carrying a plan out: one delivery after the other, each recorded before the call and after its answer."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from shared.errors import ChannelError, ChatMoved, NotDelivered, Refused, StopAsked
from shared.executing.flood import FloodGate, Turns
from shared.executing.graph import next_task, put_off, waited, with_task
from shared.executing.losses import incidents_of, note_of
from shared.executing.outcome import (
    Retrying,
    attempted,
    calls_told_by,
    confirmed,
    failed,
    next_part,
    not_attempted,
    settled,
    task_of,
    with_deliveries,
)
from shared.executing.quoting import quote_in
from shared.formatting.render import render
from shared.logs import log
from shared.models.agent import Agent, Pace
from shared.models.channel import Recipient
from shared.models.message import AnyEntry, Author, Edit, Message, Reaction
from shared.models.retry import Budget
from shared.ports.chats import ChatStore
from shared.ports.outside import Channel
from shared.records import KeptIncident
from shared.session.session import Session
from shared.tasks.notice import Notice
from shared.tasks.plan import Plan, PlannedTask
from shared.tasks.react import React
from shared.tasks.registry import OwnTask, Task
from shared.tasks.rewrite import Rewrite
from shared.tasks.send import Send, human_pace
from shared.tasks.wait import Wait

#: Telegram shows it for five seconds (core.telegram.org/bots/api#sendchataction)
TYPING_IS_SHOWN = timedelta(seconds=4.5)


@dataclass(frozen=True, kw_only=True)
class Runner:
    """What carrying out needs: where to send, as whom, how often, when not, and where to look for something new."""

    channel: Channel
    agent: Agent
    chats: ChatStore
    gate: FloodGate
    budget: Budget
    clock: Callable[[], datetime]
    #: how long the agent counts as taking part after it spoke
    active: timedelta
    #: of the bot's drafts, which stop while it is told to wait
    draft_turns: Turns = field(default_factory=Turns)

    async def run(self, hold: Session, plan: Plan, *, is_last: bool, unread: int = 0) -> Plan:
        """The plan after its due tasks; it stops between two when something new was written.

        `is_last`: it was planned again often enough, so nothing stops it before its first call.
        `unread`: how many updates are known, and left for a later tick.
        """
        looks = False  # the caller just did
        while (planned := next_task(plan, self.clock())) is not None and hold.moving_to is None:
            if isinstance(planned.task, Wait):
                plan = with_task(plan, waited(planned, planned.task, self.clock()))
                continue
            if looks and await self._is_interrupted(hold, unread):
                return plan
            closed = await self.gate.closed_until(hold.chat.key.chat_id)
            if closed is not None:
                log("the chat, or the bot as a whole, was told to wait", task=planned.task.id)
                plan = put_off(plan, planned.task.id, closed)
                continue
            if self._is_to_be_typed(planned):
                try:
                    plan = await self._typed(hold, plan, planned)
                except StopAsked:
                    return plan
                if (looks or not is_last) and await self._is_interrupted(hold, unread):
                    return plan
            plan = await self._deliver(hold, plan, planned.task.id)
            looks = True
        return plan

    async def _is_interrupted(self, hold: Session, unread: int) -> bool:
        return await self.chats.unread_count(hold.chat.key) > len(hold.noted_read) + unread

    def _is_to_be_typed(self, planned: PlannedTask) -> bool:
        is_planned = isinstance(planned.task, Send) and not planned.is_own
        return is_planned and self.agent.front.pace is Pace.HUMAN and not planned.is_typed

    async def _typed(self, hold: Session, plan: Plan, planned: PlannedTask) -> Plan:
        """The plan after somebody was seen typing the text of a task. Raises StopAsked."""
        assert isinstance(planned.task, Send)
        if plan.is_begun:  # what was said is kept before the long while, in which a tick may die
            await hold.commit(plan, heeds_stop=True)
        left = human_pace(len(planned.task.text))
        is_shown = True
        while left > timedelta():
            is_shown = is_shown and await self.channel.typing(recipient_of(hold))
            await asyncio.sleep(min(left, TYPING_IS_SHOWN).total_seconds())
            left -= TYPING_IS_SHOWN
        return with_task(plan, planned.model_copy(update={"is_typed": True}))

    async def _deliver(self, hold: Session, plan: Plan, task_id: str) -> Plan:
        task = task_of(plan, task_id).task
        # asked for before the call, since after it nothing may fail any more
        await hold.window()
        parts = len(render(task.text)) if isinstance(task, Send) else 1
        plan = with_task(plan, with_deliveries(task_of(plan, task_id), parts))
        if next_part(task_of(plan, task_id), self.clock()) is None:
            return settled(plan, task_id)
        flood: datetime | None = None
        while hold.moving_to is None and (part := next_part(task_of(plan, task_id), self.clock())) is not None:
            plan = with_task(plan, attempted(task_of(plan, task_id), part, self.clock()))
            try:
                await hold.commit(plan, heeds_stop=True)
            except StopAsked:
                return with_task(plan, not_attempted(task_of(plan, task_id), part))
            plan, flood = await self._call(hold, plan, task_id, part)
        if plan.is_open:  # what became of the call is recorded at once; the last one by the commit that gives it back
            await hold.commit(plan)
        if flood is not None:
            await self.gate.told(hold.chat.key.chat_id, flood)
        return plan

    async def _call(self, hold: Session, plan: Plan, task_id: str, part: int) -> tuple[Plan, datetime | None]:
        """The plan after the call that was recorded as attempted, which leaves here, once; and a flood wait's end.

        Nothing is asked of anyone after it: the next request is the commit that records what became of it.
        """
        try:
            message_ids = await self._leave(hold, plan, task_id, part)
        except ChannelError as error:
            log(f"not delivered: {error}", task=task_id, part=part)
            wait = error.retry_after if isinstance(error, NotDelivered) else None
            if wait is not None:
                self.draft_turns.hold_off(wait)
            after = await self._failed(hold, plan, task_id, part, error)
            return after, None if wait is None else self.clock() + wait
        log("delivered", task=task_id, part=part)
        return confirmed(plan, task_id, part, message_ids), None

    async def _failed(self, hold: Session, plan: Plan, task_id: str, part: int, error: ChannelError) -> Plan:
        now = self.clock()
        if isinstance(error, ChatMoved):
            hold.note_move(error.new_chat_id)
        after = failed(plan, task_id, part, error, Retrying(now=now, budget=self.budget))
        for incident in incidents_of(plan, after, hold.chat.key, now):
            hold.note(KeptIncident(incident))
        await hold.note_entries(note_of(plan, after, now))
        return after

    async def _leave(self, hold: Session, plan: Plan, task_id: str, part: int) -> tuple[int, ...]:
        task = task_of(plan, task_id).task
        if not isinstance(task, Send):
            await self._act(recipient_of(hold), task_of(plan, task_id))
            await hold.note_entries(self._acted(task))
            return ()
        texts = render(task.text)
        if part >= len(texts):
            raise Refused("a newer lull cuts this text into fewer parts")
        text = texts[part]
        quoted = task.reply_to if part == 0 else None
        buttons = task_of(plan, task_id).buttons if part == len(texts) - 1 else ()
        sent = await self.channel.send_text(recipient_of(hold), text, quoted, buttons)
        said = Message(
            at=sent.at,
            message_id=sent.message_id,
            author=author_of(self.channel, self.agent),
            text=text.text,
            entities=tuple(entity.to_telegram() for entity in text.entities),
            reply=quote_in(await hold.window(), quoted),
            plan=plan.id,
            calls=calls_told_by(plan, task_id),
        )
        await hold.note_entries([said])
        hold.note_chat(active_until=self.clock() + self.active)
        return (sent.message_id,)

    async def _act(self, to: Recipient, planned: PlannedTask) -> None:
        """Have a task leave that makes no new message."""
        match planned.task:
            case React(message_id=message_id, emoji=emoji):
                await self.channel.react(to, message_id, emoji)
            case Notice(query_id=query_id, text=text):
                await self.channel.answer_press(query_id, text)
            case Rewrite(message_id=message_id, text=text):
                await self.channel.rewrite(to, message_id, render(text)[0], planned.buttons)

    def _acted(self, task: Task | OwnTask) -> Iterator[AnyEntry]:
        """What the transcript is told of it: Telegram sends a bot no update of its own acts."""
        me, now = author_of(self.channel, self.agent), self.clock()
        match task:
            case React(message_id=message_id, emoji=emoji):
                yield Reaction(at=now, message_id=message_id, author=me, emojis=(emoji,))
            case Rewrite(message_id=message_id, text=text):
                part = render(text)[0]
                entities = tuple(entity.to_telegram() for entity in part.entities)
                yield Edit(at=now, message_id=message_id, author=me, text=part.text, entities=entities)


def author_of(channel: Channel, agent: Agent) -> Author:
    """The agent as the author of what it sends."""
    return Author(id=channel.bot_id, name=agent.front.name, username=agent.front.username, is_bot=True, is_agent=True)


def recipient_of(hold: Session) -> Recipient:
    """Where a chat's messages go."""
    return Recipient(chat_id=hold.chat.key.chat_id, topic_id=hold.chat.key.topic_id)
