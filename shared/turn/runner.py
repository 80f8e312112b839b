"""Carry out a plan, one delivery at a time. Each delivery is recorded before its call and after the response."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from secrets import token_urlsafe
from typing import TYPE_CHECKING

from shared.base.errors import ChannelError, ChannelRefused, ChatMoved, NotDelivered, StopRequested
from shared.base.logs import log
from shared.chat.confirming import as_lulls_own
from shared.chat.effect import EffectContext, take_effect
from shared.chat.flood import DraftPace, FloodGate
from shared.chat.session import Session
from shared.chat.store.incidents import NewIncident
from shared.llm.ports.world import MessagingChannel, PortRegistry
from shared.media.rewording import rewording_event, with_found_sticker, with_made_file
from shared.media.store.media import SentFile
from shared.tasks.graph import delay_task, next_task, origin_of, with_failure, with_task
from shared.tasks.outcome import (
    RetryPolicy,
    calls_for_message,
    confirm_delivery,
    fail_delivery,
    finish_task,
    is_begun,
    mark_attempted,
    next_part,
    task_of,
    unmark_attempted,
    with_deliveries,
    without_sent_text,
)
from shared.tasks.plan import Plan, PlannedTask, TaskOrigin
from shared.tasks.task import AvailableMedia, DeliveryContext, DeliveryResult
from shared.turn.activity import showing, typing_for
from shared.turn.effects import TOO_FAR, reaches_too_far, with_told_effect
from shared.turn.losses import incidents_of, loss_events
from shared.turn.media import own_file_references
from shared.turn.outcomes import note_outcomes
from shared.turn.promises import later_texts, waited_before
from shared.values.agent import Agent, ReplyPace
from shared.values.evolve import evolve
from shared.values.export import ExportProgressMessage
from shared.values.keyboard import Keyboard, newest_that_fit
from shared.values.message import AnyEntry, Author, Message
from shared.values.outgoing import GeneratedFile
from shared.values.retry import RetryBudget
from shared.values.usage import payer_of

if TYPE_CHECKING:
    from shared.chat.store.chats import FirestoreChats
    from shared.media.making import FileMaker
    from shared.media.stickers import OwnStickers


@dataclass(frozen=True, kw_only=True)
class PlanProgress:
    """A plan after some calls to Telegram, and what these calls reported about the chat."""

    plan: Plan
    #: the new chat id, if a call was refused because the group has moved; then nothing more is sent here
    moves_to: int | None = None
    #: the time until which Telegram told this chat to wait; None if it did not
    closed_until: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class PlanRunner:
    """The services and settings with which plans are carried out."""

    channel: MessagingChannel
    agent: Agent
    chats: FirestoreChats
    gate: FloodGate
    budget: RetryBudget
    clock: Callable[[], datetime]
    #: the services for tasks that have an effect other than a message
    ports: PortRegistry
    #: the time for which the agent counts as active after it has spoken
    active: timedelta
    #: the pace of the bot's drafts; drafts pause while Telegram makes the bot wait
    draft_pace: DraftPace = field(default_factory=DraftPace)
    #: the stickers that the agent may send; None if it sends none
    stickers: OwnStickers | None = None
    #: makes the agent's voice notes and pictures; None if it sends none
    maker: FileMaker | None = None

    async def run(self, session: Session, plan: Plan, *, is_final_plan: bool, unread: int = 0) -> PlanProgress:
        """Carry out the due tasks of a plan, until a new message arrives or the chat has moved.

        `is_final_plan`: MOST_REPLANS plans were replaced already, so new messages no longer stop this one before its
        first call. `unread`: the number of known updates that a later tick will read.
        """
        done, looks = PlanProgress(plan=plan), False  # the caller has just checked for new messages
        while done.moves_to is None and (planned := next_task(done.plan, self.clock())) is not None:
            if planned.task.traits.elapses:
                done = PlanProgress(plan=await self._elapse(session, done.plan, planned))
                continue
            if looks and await self._is_interrupted(session, unread):
                break
            closed = await self.gate.closed_until(session.recipient.flood_chat)
            if closed is not None:
                log("Telegram demanded a wait for the chat or for the whole bot", task=planned.task.id)
                done = PlanProgress(plan=delay_task(done.plan, planned.task.id, closed))
                continue
            if self._is_to_be_typed(planned) or self._is_to_be_made(done.plan, planned):
                is_ready, done = await self._make_ready(session, done.plan, planned)
                if not is_ready or ((looks or not is_final_plan) and await self._is_interrupted(session, unread)):
                    break
            done, looks = await self._deliver(session, done.plan, planned.task.id), True
        return done

    async def _elapse(self, session: Session, plan: Plan, planned: PlannedTask) -> Plan:
        agent, ports, clock = self.agent, self.ports, self.clock
        if reaches_too_far(planned):
            after = with_failure(plan, planned.task.id, TOO_FAR)
        else:
            after = await take_effect(
                EffectContext(session=session, plan=plan, planned=planned, agent=agent, ports=ports, clock=clock)
            )
        return await with_told_effect(session, plan, after, planned, self.clock())

    async def _is_interrupted(self, session: Session, unread: int) -> bool:
        return await self.chats.unread_count(session.chat.key) > len(session.noted_read) + unread

    def _is_to_be_typed(self, planned: PlannedTask) -> bool:
        takes_time = planned.task.typing_time() > timedelta()
        return takes_time and self.agent.front.pace is ReplyPace.HUMAN and not planned.is_own and not planned.is_typed

    def _is_to_be_made(self, plan: Plan, planned: PlannedTask) -> bool:
        """Return whether the file of a task must still be made. Once a part of the task was sent, its file exists."""
        is_held = self.maker is not None and self.maker.held_file(_key(plan, planned)) is not None
        return (
            planned.task.file_request is not None and not is_begun(planned) and self.maker is not None and not is_held
        )

    async def _make_ready(self, session: Session, plan: Plan, planned: PlannedTask) -> tuple[bool, PlanProgress]:
        """Make a task ready to send: make its file, and show the agent typing. Return whether to send it, and the plan.

        The task must not be sent if somebody asked to stop.
        """
        if plan.is_begun:  # a tick may die during the long wait, so sent messages are recorded first
            try:
                await session.commit(plan, raises_stop=True)
            except StopRequested:
                return False, PlanProgress(plan=plan)
        typing = planned.task.typing_time() if self._is_to_be_typed(planned) else timedelta()
        if not self._is_to_be_made(plan, planned):
            await typing_for(self.channel, session.recipient, typing)
        else:
            try:
                async with session.keep_lease():
                    plan = await self._with_file(session, plan, planned, typing)
            except StopRequested:
                return False, PlanProgress(plan=plan)
        return True, PlanProgress(plan=with_task(plan, evolve(planned, is_typed=True)))

    async def _with_file(self, session: Session, plan: Plan, planned: PlannedTask, at_least: timedelta) -> Plan:
        """Make the file of a task, and return the plan with the record of the model calls that this took."""
        wanted, maker = planned.task.file_request, self.maker
        assert wanted is not None
        assert maker is not None
        async with showing(self.channel, session.recipient, planned.task.traits.activity, at_least):
            made = await maker.make(_key(plan, planned), wanted, session.chat.key, payer_of(planned.people))
        return evolve(plan, calls=(*plan.calls, *made.calls))

    async def _deliver(self, session: Session, plan: Plan, task_id: str) -> PlanProgress:
        # read before the call: nothing may fail between the call and the commit of its result
        entries = await session.window()
        plan = await self._with_what_it_sends(session, plan, task_id)
        if not task_of(plan, task_id).is_open:
            return PlanProgress(plan=plan)
        planned = task_of(plan, task_id)
        planned = with_keyboard(session, planned, origin_of(plan, planned), self.clock(), entries)
        plan = with_task(plan, with_deliveries(planned, planned.task.parts()))
        if next_part(task_of(plan, task_id), self.clock()) is None:
            return PlanProgress(plan=finish_task(plan, task_id))
        done = PlanProgress(plan=plan)
        while done.moves_to is None and (part := next_part(task_of(done.plan, task_id), self.clock())) is not None:
            plan = with_task(done.plan, mark_attempted(task_of(done.plan, task_id), part, self.clock()))
            try:
                await session.commit(plan, raises_stop=True)
            except StopRequested:
                return PlanProgress(plan=with_task(plan, unmark_attempted(task_of(plan, task_id), part)))
            done = await self._call(session, plan, task_id, part)
        if done.plan.is_open:  # the releasing commit records the last result; others are recorded at once
            await session.commit(done.plan)
        if done.closed_until is not None:
            await self.gate.note_wait(session.recipient.flood_chat, done.closed_until)
        return done

    async def _with_what_it_sends(self, session: Session, plan: Plan, task_id: str) -> Plan:
        """Return the plan with what a task sends: its sticker, its file, or a text that replaces one of these."""
        after = await with_found_sticker(self.stickers, session, plan, task_id)
        after = with_made_file(self._made_for(plan, task_of(plan, task_id)), after, task_id)
        now = self.clock()
        event = rewording_event(plan, after, task_id, now)
        await session.note_entries((event,) if event is not None else loss_events(plan, after, now))
        return after

    async def _call(self, session: Session, plan: Plan, task_id: str, part: int) -> PlanProgress:
        """Make the call that was recorded as attempted, and return the progress. The call is not repeated.

        No other call is made before the commit that records the result.
        """
        try:
            delivered = await self._send_part(session, plan, task_id, part)
        except ChannelError as error:
            log(f"not delivered: {error}", task=task_id, part=part)
            wait = error.retry_after if isinstance(error, NotDelivered) else None
            if wait is not None:
                self.draft_pace.hold_off(wait)
            return PlanProgress(
                plan=await self._record_failure(session, plan, task_id, part, error),
                moves_to=error.new_chat_id if isinstance(error, ChatMoved) else None,
                closed_until=None if wait is None else self.clock() + wait,
            )
        log("delivered", task=task_id, part=part)
        if self.maker is not None:
            self.maker.release(_key(plan, task_of(plan, task_id)))
        after = confirm_delivery(plan, task_id, part, delivered.message_ids)
        note_outcomes(session, plan, after, self.clock())
        return PlanProgress(plan=without_sent_text(after, task_id))

    async def _record_failure(self, session: Session, plan: Plan, task_id: str, part: int, error: ChannelError) -> Plan:
        now = self.clock()
        after = fail_delivery(plan, task_id, part, error, RetryPolicy(now=now, budget=self.budget))
        for incident in incidents_of(plan, after, session.chat, now):
            session.note(NewIncident(incident))
        event = rewording_event(plan, after, task_id, now)
        await session.note_entries((*loss_events(plan, after, now), *((event,) if event is not None else ())))
        note_outcomes(session, plan, after, now)
        return without_sent_text(after, task_id)

    async def _send_part(self, session: Session, plan: Plan, task_id: str, part: int) -> DeliveryResult:
        planned = task_of(plan, task_id)
        if reaches_too_far(planned):
            raise ChannelRefused(TOO_FAR)
        delivered = await planned.task.deliver(part, await self._context(session, plan, planned, part))
        note_shown_in(session, planned, delivered)
        session.note_sent(delivered.message_ids, is_marked=planned.is_marked)
        await session.note_entries(as_lulls_own(plan, planned, delivered.entries))
        for reference in own_file_references(delivered.entries, session.chat):
            session.note(SentFile(reference))
        if planned.task.traits.is_awaited:
            session.note_part(evolve(session.chat.planning, active_until=self.clock() + self.active))
        return delivered

    def _made_for(self, plan: Plan, planned: PlannedTask) -> GeneratedFile | None:
        is_made = self.maker is not None and planned.task.file_request is not None
        return self.maker.held_file(_key(plan, planned)) if self.maker is not None and is_made else None

    async def _context(self, session: Session, plan: Plan, planned: PlannedTask, part: int) -> DeliveryContext:
        wanted, made = planned.task.sticker_request, self._made_for(plan, planned)
        sticker = self.stickers.last_found(*wanted) if self.stickers is not None and wanted is not None else None
        to = replace(session.recipient, delivery=f"{_key(plan, planned)}/{part}")
        return DeliveryContext(
            channel=self.channel,
            media=AvailableMedia(sticker=sticker, made=made, photos=self.agent.photos),
            is_plain=any(d.is_plain for d in planned.deliveries if d.part == part),
            to=to.without_topic if plan.is_out_of_topic else to,
            author=author_of(self.channel, self.agent),
            clock=self.clock,
            entries=await session.window(),
            buttons=planned.buttons,
            plan_id=origin_of(plan, planned).plan,
            calls=calls_for_message(plan, planned.task.id) or (made.calls if made is not None else ()),
            thread=origin_of(plan, planned).thread,
            is_marked=planned.is_marked,
            known_links=planned.known_links,
            waited_s=waited_before(plan, planned),
            later=later_texts(plan, planned),
        )


def _key(plan: Plan, planned: PlannedTask) -> str:
    """Return a key for a task that is unique among all plans. The task's file is stored under this key."""
    origin = origin_of(plan, planned)
    return f"{origin.plan}/{origin.task}"


def author_of(channel: MessagingChannel, agent: Agent) -> Author:
    return Author(id=channel.bot_id, name=agent.front.name, username=agent.front.username, is_bot=True, is_agent=True)


#: the bytes of a keyboard's random id: 96 bits, which are 16 characters in base64
_ID_BYTES = 12


def with_keyboard(
    session: Session, planned: PlannedTask, origin: TaskOrigin, now: datetime, entries: Sequence[AnyEntry] = ()
) -> PlannedTask:
    """Return the task with the buttons that it offers, and note their keyboard for the next commit.

    A task that has its buttons already is returned unchanged. `entries`: the newest entries of the conversation.
    """
    if not planned.task.offered or planned.buttons:
        return planned
    people = _people(planned)
    is_a_chats = not people and not planned.task.is_for_everyone()
    keyboard = Keyboard(
        id=token_urlsafe(_ID_BYTES),
        choices=planned.task.offered,
        people=people,
        asked_as=_chat_among(planned.people, entries) if is_a_chats else "",
        thread=origin.thread,
        holds_outside=planned.is_marked,
        elsewhere=planned.elsewhere,
        effects=planned.task.effects,
        at=now,
    )
    session.note_part(evolve(session.chat.talk, keyboards=newest_that_fit((*session.chat.talk.keyboards, keyboard))))
    return evolve(planned, buttons=keyboard.buttons)


def _people(planned: PlannedTask) -> tuple[int, ...]:
    """Return the ids of the people who may press a button; empty if anybody may.

    People who write as a channel or a group press buttons as their own account, which is unknown here.
    """
    if planned.task.effects:
        return tuple(one for one in planned.people if one > 0)
    is_anybodys = planned.task.is_for_everyone() or any(one < 0 for one in planned.people)
    return () if is_anybodys else planned.people


def _chat_among(people: Sequence[int], entries: Sequence[AnyEntry]) -> str:
    """Return the name of the last author in `entries` who is a channel or group in `people`; "" if there is none."""
    said = (entry.author for entry in reversed(entries) if isinstance(entry, Message))
    return next((author.name for author in said if author.id < 0 and author.id in people), "")


def note_shown_in(session: Session, planned: PlannedTask, delivered: DeliveryResult) -> None:
    """Record the message that shows a task's keyboard or an export's progress: the last message of the task."""
    if planned.shows and delivered.message_ids:
        told = ExportProgressMessage(run=planned.shows, message_id=delivered.message_ids[-1])
        session.note_part(evolve(session.chat.privacy, shown_takeout=told))
    if planned.task.offered and delivered.message_ids:
        message_id, seq = delivered.message_ids[-1], session.chat.talk.seq + len(delivered.entries)

        def at_message(board: Keyboard) -> Keyboard:
            return evolve(board, message_id=message_id, seq=seq) if board.buttons == planned.buttons else board

        session.note_part(evolve(session.chat.talk, keyboards=tuple(map(at_message, session.chat.talk.keyboards))))
