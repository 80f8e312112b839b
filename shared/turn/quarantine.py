"""Care for a chat whose ticks die: after some that wrote nothing, what they met is set aside, and the chat goes on.

A tick that only could not reach Gemini or Telegram writes something all the same; what dies without a word (a bug, too
little memory, what Firestore will never store) is counted by the claims.
"""

from shared.deciding.names import folded, names_one
from shared.errors import PlanUnreadable
from shared.executing.graph import dropped
from shared.executing.losses import DROPPED, dead_letter, given_up_plan, note_of, unreadable_plan
from shared.executing.outcome import NOT_SENT, SORRY
from shared.logs import log
from shared.models.chat import Chat, ChatKey, ChatKind
from shared.models.message import Event
from shared.models.update import InboxUpdate
from shared.records import KeptIncident, ReadUpdates
from shared.session.session import Session
from shared.tasks.plan import Plan, PlannedTask
from shared.tasks.send import Send
from shared.telegram.envelope import is_id
from shared.telegram.text import text_of
from shared.telegram.urgency import wants_typing
from shared.turn.attendance import Attendance
from shared.turn.obeying import beside

#: updates read at once; more are read in the next round of the same tick
BATCH_UPDATES = 200
#: after so many claims in a row that wrote nothing, updates are read one by one
CAREFUL_AFTER = 3
#: and after so many, what is met first is set aside
PATIENCE = 6
WHY = f"{PATIENCE} ticks in a row ended without writing anything"

NOT_READ = "Sorry, something in this message is too much for me. Please write it in another way."


def batch_size(chat: Chat) -> int:
    """How many updates to read at once."""
    return 1 if chat.starts > CAREFUL_AFTER else BATCH_UPDATES


async def readable_plan(attendance: Attendance, hold: Session, key: ChatKey) -> Plan | None:
    """The plan of a chat. One that cannot be read is given up, and whoever waits for it is to be told."""
    try:
        return await attendance.chats.plan(key)
    except PlanUnreadable as unreadable:
        now = attendance.clock()
        log("a plan is given up: it cannot be read", chat=key.id)
        hold.note(KeptIncident(unreadable_plan(unreadable.body, key, now)))
        await hold.note_entries([Event(at=now, kind=DROPPED, note="what was planned could not be sent")])
        return beside(None, [_sorry(NOT_SENT, None)], now)


async def set_aside(attendance: Attendance, hold: Session, plan: Plan | None) -> Plan | None:
    """The plan to go on with. What ticks died of, again and again, is no longer tried: first the plan, then an update.

    Both are kept as incidents, and whoever waits for them is told; an update can be replayed.
    """
    if hold.chat.starts <= PATIENCE:
        return plan
    if plan is not None and plan.is_open:
        plan = await _given_up(attendance, hold, plan)
    elif unread := await attendance.chats.unread(hold.chat.key, 1):
        plan = await _left_out(attendance, hold, unread[0])
    else:
        return plan
    hold.note_chat(due_at=attendance.clock() if plan is not None and plan.is_open else None)
    await hold.commit(plan)
    return plan if plan is None else await _told(attendance, hold, plan)


async def _told(attendance: Attendance, hold: Session, plan: Plan) -> Plan:
    """The plan after its one sentence was sent, and that written down: what is read next may be as deadly."""
    plan = await attendance.runner.run(hold, plan, is_last=True)
    await hold.commit(plan)
    return plan


async def _given_up(attendance: Attendance, hold: Session, plan: Plan) -> Plan:
    now = attendance.clock()
    log("a plan is given up: ticks died of it", plan=plan.id)
    given_up = dropped(plan, WHY)
    hold.note(KeptIncident(given_up_plan(given_up, hold.chat.key, now)))
    await hold.note_entries(note_of(plan, given_up, now))
    is_missed = any(t.is_open and not t.is_own and isinstance(t.task, Send) for t in plan.tasks)
    sorry = _sorry(NOT_SENT, plan.answers[-1] if plan.answers else None)
    # as small as can be: it may be what could not be stored any more
    return beside(given_up, [sorry] if is_missed else [], now).model_copy(update={"calls": (), "notes": ()})


async def _left_out(attendance: Attendance, hold: Session, update: InboxUpdate) -> Plan | None:
    now, update_id = attendance.clock(), update.envelope.update_id
    log("an update is set aside: ticks died of it", update=update_id)
    hold.note(KeptIncident(dead_letter(update, WHY)))
    await hold.note_entries([_entry(update)])
    hold.note(ReadUpdates((update_id,)))
    if hold.chat.is_muted(now) or not _awaits_answer(attendance, update):
        return None
    message_id = update.raw["message"].get("message_id")
    return beside(None, [_sorry(NOT_READ, message_id if is_id(message_id) else None)], now)


def _entry(update: InboxUpdate) -> Event:
    envelope = update.envelope
    note = "a message that could not be read was left out" if envelope.kind == "message" else ""
    return Event(at=update.received_at, updates=(envelope.update_id,), kind=envelope.kind or "unknown", note=note)


def _awaits_answer(attendance: Attendance, update: InboxUpdate) -> bool:
    """Whether somebody waits for an answer to an update, as far as can be told without reading it: ticks died of that.

    What is asked here of the raw update the webhook has asked of it too.
    """
    if update.envelope.kind != "message":
        return False
    if update.envelope.chat_kind is ChatKind.PRIVATE:
        return wants_typing(update.envelope, update.raw)
    message, me = update.raw["message"], attendance.me
    target = message.get("reply_to_message")
    author = target.get("from") if isinstance(target, dict) else None
    is_reply = isinstance(author, dict) and author.get("id") == me.bot_id
    return is_reply or names_one(folded(text_of(message).replace("@", " ")), me.called)


def _sorry(text: str, reply_to: int | None) -> PlannedTask:
    return PlannedTask(task=Send(id=SORRY, text=text, reply_to=reply_to), is_own=True)
