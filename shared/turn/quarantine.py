"""The start of a tick: read the standing plan and the unread updates, and quarantine whatever makes ticks die.

If several ticks in a row wrote nothing, the plan or update that they read first is set aside, and the chat continues. A
tick that only failed to reach the model or Telegram still writes something. Ticks that die without writing (because of
a bug, too little memory, or data that Firestore cannot store) are counted when they claim the chat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from shared.access.checker import AccessChecker
from shared.base.errors import PlanUnreadable
from shared.base.logs import log
from shared.base.wording.words import Phrase, words_in
from shared.chat.session import Session
from shared.chat.store.chats import ReadUpdates
from shared.chat.store.incidents import NewIncident
from shared.deciding.circumstances import OwnIdentity
from shared.reminders.outcomes import note_lost
from shared.tasks.graph import cancel_all, cancel_planned, with_own_tasks
from shared.tasks.outcome import SORRY, with_lost_answers
from shared.tasks.plan import Plan, PlannedTask
from shared.tasks.send import own_words
from shared.telegram.inbound.entries import entry_of, language_of
from shared.telegram.inbound.envelope import brings_message
from shared.telegram.inbound.urgency import awaits_answer, message_id_of
from shared.turn.losses import DROPPED, given_up_plan, incidents_of, loss_events, quarantined_update, unreadable_plan
from shared.turn.outcomes import note_outcomes
from shared.turn.runner import PlanProgress, PlanRunner
from shared.turn.services import TickContext
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.message import Event, Message
from shared.values.update import InboxUpdate

if TYPE_CHECKING:
    from shared.chat.store.chats import FirestoreChats

#: the number of updates that are read at once; the next round of the same tick reads the rest
BATCH_UPDATES = 200
#: the maximum bytes of updates that one round reads, unless a single update is larger. The window stores their entries,
#: which are a little larger than the updates (`shared/chat/conversation.py`)
ROUND_BYTES = 600_000
#: the number of claims in a row that wrote nothing, after which updates are read one by one
ONE_BY_ONE_AFTER = 3
#: the number of such claims after which the plan is quarantined, or if there is no plan, the oldest update
QUARANTINE_AFTER = 6
WHY = f"{QUARANTINE_AFTER} ticks in a row ended without writing anything"


def batch_size(chat: Chat) -> int:
    return 1 if chat.claim.starts > ONE_BY_ONE_AFTER else BATCH_UPDATES


@dataclass(frozen=True, kw_only=True)
class UnreadUpdates:
    """The updates that a tick reads at once, and whether they are all the unread updates."""

    updates: Sequence[InboxUpdate]
    is_all: bool


async def read_unread(chats: FirestoreChats, chat: Chat) -> UnreadUpdates:
    """Return the oldest unread updates of a chat. Raises StoreUnavailable."""
    most = batch_size(chat)
    found = await chats.unread(chat.key, most)
    taken = found[: _count_within(found, ROUND_BYTES)]
    return UnreadUpdates(updates=taken, is_all=len(taken) == len(found) < most)


def _count_within(updates: Sequence[InboxUpdate], most: int) -> int:
    size = 0
    for count, update in enumerate(updates):
        size += update.size
        if size > most and count:
            return count
    return len(updates)


async def standing_plan(context: TickContext) -> PlanProgress | None:
    """Return the plan to continue, if any, after quarantining what made ticks die. Raises StoreUnavailable."""
    return await _quarantine(context, await _stored_plan(context))


async def _stored_plan(context: TickContext) -> Plan | None:
    """Return the stored plan to continue, if there is one.

    If a tick died during a call to Telegram, the call's result is unknown, and an incident is reported. If the channel
    recognises repeated calls, the call is made again instead.
    """
    session = context.session
    if session.chat.due_at is None:
        return None
    stored = await readable_plan(session, context.now, context.services.chats, session.chat.key)
    if stored is None:
        return None
    is_repeatable = context.services.runner.channel.recognises_repeats(session.recipient)
    plan, now = with_lost_answers(stored, is_repeatable=is_repeatable), context.now
    incidents = list(incidents_of(stored, plan, session.chat, now))
    for incident in incidents:
        log("a delivery's outcome is unknown; it is not sent again", plan=plan.id)
        session.note(NewIncident(incident))
    if incidents:
        await session.note_entries(loss_events(stored, plan, now))
    note_outcomes(session, stored, plan, now)
    return await _without_blocked_people(session, now, context.services.admission, plan)


async def readable_plan(session: Session, now: datetime, chats: FirestoreChats, key: ChatKey) -> Plan | None:
    """Return the plan of a chat. If it cannot be read, quarantine it, and return a plan with an apology instead."""
    try:
        return await chats.plan(key)
    except PlanUnreadable as unreadable:
        words = words_in(session.chat.locale.last_language)
        log("a plan is quarantined: it cannot be read", chat=key.id)
        session.note(NewIncident(unreadable_plan(unreadable.body, session.chat, now)))
        await session.note_entries([Event(at=now, kind=DROPPED, note="what was planned could not be sent")])
        return with_own_tasks(None, [_sorry(words.say("apology.not_sent"), None)], now)


async def _without_blocked_people(session: Session, now: datetime, admission: AccessChecker | None, plan: Plan) -> Plan:
    """Return the plan without tasks for people who have been blocked, or for a group that is no longer admitted.

    lull's own messages stay. If there is something to send, this check costs each instance one read a minute.
    """
    chat = session.chat
    waiting = [t for t in plan.tasks if t.is_open and not t.is_own]
    why, spared = "", set[str]()
    for planned in waiting if admission is not None else ():
        assert admission is not None
        heard_by = (chat.key.chat_id,) if chat.key.is_private else planned.people or (0,)
        reasons = [await admission.reason_to_withhold_reminders(chat, person) for person in heard_by]
        if all(reasons):
            why = reasons[0]
        else:
            spared.add(planned.task.id)
    if not why:
        return plan
    log("a plan ends: its people were blocked, or its group is not admitted", plan=plan.id, why=why)
    after = cancel_planned(plan, why, spared)
    note_outcomes(session, plan, after, now)
    return after


async def _quarantine(context: TickContext, plan: Plan | None) -> PlanProgress | None:
    """Return the plan to continue, after quarantining the plan or update that made ticks die.

    The standing plan is quarantined first, then the oldest update. Both are stored as incidents, and the waiting people
    are told. An update can be replayed.
    """
    if context.session.chat.claim.starts <= QUARANTINE_AFTER:
        return PlanProgress(plan=plan) if plan is not None else None
    if plan is not None and plan.is_open:
        plan = await _quarantine_plan(context.session, context.now, plan)
    elif unread := await context.services.chats.unread(context.session.chat.key, 1):
        plan = await _quarantine_update(context.session, context.now, context.services.me, unread[0])
    else:
        return PlanProgress(plan=plan) if plan is not None else None
    context.session.note_chat(
        evolve(context.session.chat, due_at=context.now if plan is not None and plan.is_open else None)
    )
    await context.session.commit(plan)
    return await _send_apology(context.session, context.services.runner, plan) if plan is not None else None


async def _send_apology(session: Session, runner: PlanRunner, plan: Plan) -> PlanProgress:
    """Send the apology and commit at once, since the update that is read next may make the tick die as well."""
    run = await runner.run(session, plan, is_final_plan=True)
    await session.commit(run.plan)
    return run


async def _quarantine_plan(session: Session, now: datetime, plan: Plan) -> Plan:
    log("a plan is quarantined: ticks died of it", plan=plan.id)
    given_up = cancel_all(plan, WHY)
    session.note(NewIncident(given_up_plan(given_up, session.chat, now)))
    note_outcomes(session, plan, given_up, now)
    await session.note_entries(loss_events(plan, given_up, now))
    is_missed = any(t.is_open and not t.is_own and t.task.traits.is_awaited for t in plan.tasks)
    phrase = words_in(plan.language, session.chat.locale.last_language).say("apology.not_sent")
    sorry = _sorry(phrase, plan.answers[-1] if plan.answers else None)
    # small, since the plan may have been too large to store
    return evolve(with_own_tasks(given_up, [sorry] if is_missed else [], now), calls=(), notes=())


async def _quarantine_update(session: Session, now: datetime, me: OwnIdentity, update: InboxUpdate) -> Plan | None:
    update_id = update.envelope.update_id
    log("an update is quarantined: ticks died of it", update=update_id)
    if isinstance(entry := entry_of(update, me.bot_id), Message):
        note_lost(session, entry, language_of(update), WHY, now)
    await session.note_entries([_entry(update)])
    session.note(NewIncident(quarantined_update(update, session.chat.conversation, WHY)))
    session.note(ReadUpdates((update_id,)))
    if session.chat.is_muted(now) or not awaits_answer(update, me.all_names, me.bot_id):
        return None
    chat = session.chat
    words = words_in(
        chat.locale.chosen_language, chat.locale.spoken_language, language_of(update), chat.locale.last_language
    )
    return with_own_tasks(None, [_sorry(words.say("apology.unreadable"), message_id_of(update))], now)


def _entry(update: InboxUpdate) -> Event:
    envelope = update.envelope
    note = "a message that could not be read was left out" if brings_message(envelope) else ""
    return Event(at=update.received_at, updates=(envelope.update_id,), kind=envelope.kind or "unknown", note=note)


def _sorry(phrase: Phrase, reply_to: int | None) -> PlannedTask:
    return PlannedTask(task=own_words(SORRY, phrase, reply_to), is_own=True)
