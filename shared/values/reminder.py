"""A reminder: at a set time or repeatedly, a text is sent to a person, or the agent carries out an instruction."""

import hashlib
from base64 import b32encode
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, Protocol, Self

from shared.values.chat_key import ChatKey, ChatKind
from shared.values.evolve import FrozenModel, evolve
from shared.values.origin import ConversationSpan
from shared.values.update import Envelope, InboxUpdate, own_update_id
from shared.values.wake import Wake, WakeReason

#: the most open reminders of one person with one agent
MOST_OPEN: Final = 50
#: the longest text or instruction in characters: with lull's additions it fits into one message
LONGEST_TEXT: Final = 1_500
#: Cloud Tasks schedules at most 30 days ahead (cloud.google.com/tasks/docs/quotas); for a later time, an earlier wake
#: schedules the next wake
LONGEST_ARMED: Final = timedelta(days=29)
#: a reminder that comes later than this says how late it is
LATE: Final = timedelta(minutes=1)
#: kind of lull's own updates that start an instruction; Telegram has no kind of this name
REMINDER: Final = "reminder"
#: letters of an id: 60 bits, short enough for a button
_ID_LETTERS: Final = 12
_MARK_LETTERS: Final = 5
#: letters of a short id, which is unique among the few reminders of a chat: 25 bits
_SHORT_LETTERS: Final = 5


class ReminderSpec(FrozenModel):
    """The content of a reminder, and its time: first occurrence, time zone, and the rule by which it repeats."""

    text: str = ""
    instruction: str = ""
    first_at: datetime
    #: IANA time zone
    zone: str
    #: civil time of the first occurrence, in ISO 8601
    start: str
    #: RRULE of RFC 5545; "" for once
    rule: str = ""
    #: whether the time was given as a clock time, not as a span from now; whether its zone is guessed; and whether the
    #: person told the zone
    is_by_clock: bool = False
    is_zone_guessed: bool = False
    is_zone_told: bool = False


class ReminderChange(FrozenModel):
    """A plan's change of a reminder: the reminder's state when the change was planned, and its new state."""

    #: when the change was asked for, the zone of its times, and whether that zone is guessed
    asked_at: datetime
    asked_zone: str
    is_zone_guessed: bool = False
    #: "" until the reminder is looked up
    id: str = ""
    #: id of the person who asks for the change
    asker: int = 0
    #: whether the asker must confirm by a button: something would be lost, or somebody else may have caused the request
    asks_first: bool = False
    #: name of the reminder's owner, if that is not the asker
    whose: str = ""
    before: ReminderSpec | None = None
    #: None to cancel the reminder
    after: ReminderSpec | None = None
    #: whether it was planned after text from outside was seen; and the links and the messages from which its new words
    #: may be derived
    is_marked: bool = False
    known_links: tuple[str, ...] = ()
    elsewhere: tuple[ConversationSpan, ...] = ()


class ChangesReminder(Protocol):
    """A task that changes an open reminder."""

    @property
    def reminder(self) -> str:
        """The id of the reminder, or some of its words."""

    @property
    def text(self) -> str | None:
        """The new text; None to keep the text, or if an instruction replaces it."""

    @property
    def instruction(self) -> str | None:
        """The new instruction for the agent; None to keep the old one, or if a text replaces it."""

    @property
    def resolved(self) -> ReminderChange | None:
        """The change with facts from planning, such as the time zone; None if planning has not added them yet."""

    def apply_to(self, before: ReminderSpec, change: ReminderChange) -> ReminderSpec | str | None:
        """Return the changed spec, or None to cancel the reminder.

        If the change is invalid, return a text that tells the model why.
        """

    def loses(self, before: ReminderSpec, after: ReminderSpec | None) -> bool:
        """Return whether the change removes something that its confirmation does not show, such as a text or a rule."""


class ReminderRef(FrozenModel):
    """The reminder or notice that a task sends, and when it was due."""

    id: str
    #: id of the person to whom it belongs
    person: int
    due_at: datetime
    #: language of lull's words about it, an ISO 639-1 code; "" if unknown
    language: str = ""
    #: whether it is a notice; if a notice is lost, nobody is told
    is_notice: bool = False


class OccurrenceState(StrEnum):
    """The states of an occurrence. DUE is stored before anything is sent; the other states are outcomes."""

    DUE = "due"
    SENT = "sent"
    #: it is unknown whether it arrived
    UNKNOWN = "unknown"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Occurrence(FrozenModel):
    """One time at which a reminder was due, and its outcome."""

    due_at: datetime
    state: OccurrenceState = OccurrenceState.DUE
    #: when this state was reached
    at: datetime
    #: why it failed or is unknown; never a person's words
    why: str = ""


class DueItem(FrozenModel):
    """A reminder or a notice of the outbox, which is sent to a chat at a set time.

    An item is open while `next_at` is set. Only ticks that hold the chat's lease change an item that is stored.
    """

    id: str
    agent: str
    #: document id of the chat where it is sent
    chat: str
    #: id of the person to whom it belongs
    person: int
    #: sent unchanged, without a model
    text: str = ""
    #: time of the next occurrence; None if there is none left
    next_at: datetime | None
    #: set if the person had blocked the agent when it was due: the time at which it was due. `next_at` is then the time
    #: of the next check
    held_at: datetime | None = None
    #: language of lull's words about it, an ISO 639-1 code; "" if unknown
    language: str = ""
    #: whether it was planned after text from outside was seen
    saw_outside: bool = False
    set_at: datetime
    #: the last occurrence that was due
    last: Occurrence | None = None

    @property
    def words(self) -> str:
        return self.text

    @property
    def key(self) -> ChatKey:
        return ChatKey.from_id(self.chat)

    def with_outcome(self, state: OccurrenceState, at: datetime, why: str = "") -> Self:
        """Return a copy with the outcome of the last due occurrence."""
        last = self.last or Occurrence(due_at=self.next_at or at, at=at)
        return evolve(self, last=evolve(last, state=state, at=at, why=why))


class Reminder(DueItem):
    """A reminder for a person in a chat: a text to send, or an instruction for the agent."""

    name: str = ""
    username: str = ""
    #: what the agent is to do then
    instruction: str = ""
    #: IANA time zone of its civil times
    zone: str = "UTC"
    #: whether the zone is guessed; if so, it is replaced once the person tells their zone
    is_zone_guessed: bool = False
    #: civil time of the first occurrence, in ISO 8601
    start: str = ""
    #: RRULE of RFC 5545; "" for once
    rule: str = ""
    #: links in its text that people wrote or a tool found; any other link was made up by the model
    known_links: tuple[str, ...] = ()
    #: messages of other conversations that its text may be derived from
    elsewhere: tuple[ConversationSpan, ...] = ()
    #: the channel post under whose comments it is sent; 0 for none
    thread: int = 0
    #: the conversation in which it was set and with which it is deleted; "" if unknown or none
    conversation: str = ""

    @property
    def words(self) -> str:
        """The text to send; for a reminder without a text, the instruction for the agent."""
        return self.text or self.instruction

    @property
    def short_id(self) -> str:
        """The beginning of the id, by which the model names the reminder within its chat."""
        return self.id[:_SHORT_LETTERS]


def reminder_id(*parts: str) -> str:
    """Return an id of 12 letters and digits derived from the parts."""
    digest = hashlib.sha256("\n".join(parts).encode()).digest()
    return b32encode(digest).decode().lower()[:_ID_LETTERS]


def remind_wake(due: DueItem, now: datetime, owner: str = "") -> Wake | None:
    """Return the wake (a scheduled tick) for the next occurrence; None if there is none.

    If the occurrence is too far away for Cloud Tasks, the tick comes earlier and schedules the next wake. `owner` says
    who schedules the wake. It is a part of the task's name, since Cloud Tasks drops a second task of the same name.
    """
    if due.next_at is None:
        return None
    of = f"{_occurrence(due.id, due.next_at)}@{owner}"
    at = min(due.next_at, now + LONGEST_ARMED)
    return Wake(key=due.key, reason=WakeReason.REMIND, at=at, of=of)


def is_wake_for(wake: Wake, due: DueItem) -> bool:
    """Return whether a wake (a scheduled tick) is for the next occurrence of a reminder or notice."""
    return due.next_at is not None and wake.of.startswith(f"{_occurrence(due.id, due.next_at)}@")


def _occurrence(reminder_id: str, at: datetime) -> str:
    return f"{reminder_id}@{at.timestamp():.6f}"


def reminder_id_of(wake: Wake) -> str:
    """Return the id of the reminder or notice for which a wake (a tick) was scheduled."""
    return wake.of.partition("@")[0]


def occurrence_mark(at: datetime) -> str:
    """Return a short id of an occurrence for a button's data, derived from its due time."""
    return reminder_id("occurrence", f"{at.timestamp():.0f}")[:_MARK_LETTERS]


def button_reference(reminder: Reminder, at: datetime) -> str:
    """Return the part of a button's data that names a reminder and its occurrence at `at`."""
    return f"{reminder.id}{occurrence_mark(at)}"


def parse_button_reference(carried: str) -> tuple[str, str]:
    """Return the reminder id and the occurrence mark of a button; the mark is "" if the button is for the whole
    reminder.
    """
    return carried[:_ID_LETTERS], carried[_ID_LETTERS:]


def instruction_update(reminder: Reminder, due_at: datetime, kind: ChatKind, now: datetime) -> InboxUpdate:
    """Return the update that makes a tick carry out the instruction. Each occurrence has an update id of its own."""
    told = {
        "id": reminder.id,
        "due_at": due_at.isoformat(),
        "text": reminder.instruction,
        "holds_outside": reminder.saw_outside,
        "known_links": list(reminder.known_links),
        "message_thread_id": reminder.thread,
        "from": {
            "id": reminder.person,
            "first_name": reminder.name,
            "username": reminder.username,
            "language_code": reminder.language,
        },
    }
    update_id = own_update_id(f"{reminder.id}@{due_at.isoformat()}")
    return InboxUpdate.own(Envelope(update_id=update_id, kind=REMINDER, key=reminder.key, chat_kind=kind), told, now)
