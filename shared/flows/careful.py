"""Care for a chat whose ticks die: after some that wrote nothing, what they met is set aside, and the chat goes on.

A tick that only could not reach Gemini or Telegram writes something all the same; what dies without a word (a bug, too
little memory) is counted by the claims.
"""

from shared.executing.graph import dropped
from shared.executing.incidents import dead_letter, given_up_plan
from shared.executing.notes import note_of
from shared.flows.attendance import Attendance
from shared.logs import log
from shared.models.chat import Chat
from shared.models.message import Event
from shared.models.plan import Plan
from shared.models.update import InboxUpdate
from shared.ticking.holding import Holding

#: updates read at once; more are read in the next round of the same tick
BATCH_UPDATES = 200
#: after so many claims in a row that wrote nothing, updates are read one by one
CAREFUL_AFTER = 3
#: and after so many, what is met first is set aside
PATIENCE = 6
WHY = f"{PATIENCE} ticks in a row ended without writing anything"


def batch_size(chat: Chat) -> int:
    """How many updates to read at once."""
    return 1 if chat.starts > CAREFUL_AFTER else BATCH_UPDATES


async def set_aside(attendance: Attendance, hold: Holding, plan: Plan | None) -> Plan | None:
    """The plan to go on with. What ticks died of, again and again, is no longer tried: first the plan, then an update.

    Both are kept as incidents; an update can be replayed.
    """
    if hold.chat.starts <= PATIENCE:
        return plan
    now = attendance.clock()
    if plan is not None and plan.is_open:
        given_up = dropped(plan, WHY)
        log("a plan is given up: ticks died of it", plan=plan.id)
        hold.note_incident(given_up_plan(given_up, hold.chat.key, now))
        await hold.note_entries(note_of(plan, given_up, now))
        hold.note_chat(due_at=None)
        await hold.commit(given_up)
        return None
    unread = await attendance.chats.unread(hold.chat.key, 1)
    if unread:
        log("an update is set aside: ticks died of it", update=unread[0].envelope.update_id)
        hold.note_incident(dead_letter(unread[0], WHY))
        await hold.note_entries([_entry(unread[0])])
        hold.note_read([unread[0].envelope.update_id])
        await hold.commit(plan)
    return plan


def _entry(update: InboxUpdate) -> Event:
    envelope = update.envelope
    note = "a message that could not be read was left out" if envelope.kind == "message" else ""
    return Event(at=update.received_at, updates=(envelope.update_id,), kind=envelope.kind or "unknown", note=note)
