"""A reminder: what somebody is to be told, or what the agent is to do, at a moment or again and again."""

import hashlib
from base64 import b32encode
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, Protocol, Self

from pydantic import BaseModel, ConfigDict

from shared.values.chat_key import ChatKey, ChatKind
from shared.values.evolve import evolve
from shared.values.origin import ConversationSpan
from shared.values.update import Envelope, InboxUpdate, own_update_id
from shared.values.wake import Wake, WakeReason

#: open at once, for each person and agent
MOST_OPEN: Final = 50
#: characters of a fixed text or of an instruction: with what lull adds, it is one message
LONGEST_TEXT: Final = 1_500
#: Cloud Tasks schedules at most 30 days ahead (cloud.google.com/tasks/docs/quotas); a wake before the time arms another
LONGEST_ARMED: Final = timedelta(days=29)
#: what comes so much after its time says how late it is
LATE: Final = timedelta(minutes=1)
#: the kind of the updates with which lull itself brings an instruction up; Telegram has none of this name
REMINDER: Final = "reminder"
#: letters of an id: 60 bits, and short enough for a button
_ID_LETTERS: Final = 12
_MARK_LETTERS: Final = 5
#: of the part of an id that tells it from the few others of a chat: 25 bits
_SHORT_LETTERS: Final = 5


class ReminderSpec(BaseModel):
    """What is to be said or done later, its time resolved: what a reminder is made of."""

    model_config = ConfigDict(frozen=True)

    text: str = ""
    instruction: str = ""
    first_at: datetime
    #: an IANA name
    zone: str
    #: the civil time of the first occurrence, in ISO 8601
    start: str
    #: RFC 5545's RRULE; empty: once
    rule: str = ""
    #: whether it was said by the clock, and not as a span from now; and whether its zone is a guess, or was told before
    is_by_clock: bool = False
    is_zone_guessed: bool = False
    is_zone_told: bool = False


class ReminderChange(BaseModel):
    """What a plan changes of a reminder: how it was when that was planned, and how it is to be."""

    model_config = ConfigDict(frozen=True)

    #: when the change was asked for, in which zone its times are meant, and whether that is a guess
    asked_at: datetime
    asked_zone: str
    is_zone_guessed: bool = False
    #: empty: it is not looked up yet
    id: str = ""
    #: who asks for it
    asker: int = 0
    #: whether the asker presses a button first: something would be lost, or it may be another's wish
    asks_first: bool = False
    #: whose it is, where that is somebody else
    whose: str = ""
    before: ReminderSpec | None = None
    #: None: it is cancelled
    after: ReminderSpec | None = None
    #: whether it was planned after text from outside was seen, and what new words of it may be made of
    is_marked: bool = False
    known_links: tuple[str, ...] = ()
    elsewhere: tuple[ConversationSpan, ...] = ()


class ChangesReminder(Protocol):
    """A task that changes a reminder which is still to come."""

    @property
    def reminder(self) -> str:
        """Which one: its id, or words of it."""

    @property
    def text(self) -> str | None:
        """What it says from now on; none: as before, or the agent does something then."""

    @property
    def instruction(self) -> str | None:
        """What the agent is to do then from now on."""

    @property
    def resolved(self) -> ReminderChange | None:
        """What becomes of it, as far as that is known."""

    def changed(self, before: ReminderSpec, change: ReminderChange) -> ReminderSpec | str | None:
        """The reminder as it is to be, None to cancel it; or what is wrong with that, for the model."""

    def loses(self, before: ReminderSpec, after: ReminderSpec | None) -> bool:
        """Whether something would be lost that nobody can read again."""


class ReminderRef(BaseModel):
    """Which reminder or notice a task says, and when it was due."""

    model_config = ConfigDict(frozen=True)

    id: str
    #: whose it is
    person: int
    due_at: datetime
    #: in which lull speaks of it: an ISO 639-1 code; empty: not known
    language: str = ""
    #: whether it is a notice: then nobody is told of its loss
    is_notice: bool = False


class OccurrenceState(StrEnum):
    """What became of one occurrence. `due` is written before anything leaves."""

    DUE = "due"
    SENT = "sent"
    #: nobody knows whether it arrived
    UNKNOWN = "unknown"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Occurrence(BaseModel):
    """One time at which a reminder was due, and what became of it."""

    model_config = ConfigDict(frozen=True)

    due_at: datetime
    state: OccurrenceState = OccurrenceState.DUE
    #: when that came to be
    at: datetime
    #: why it failed or is unknown; never a text of a person
    why: str = ""


class DueItem(BaseModel):
    """A reminder, or a notice of the outbox: both come to a chat at a moment.

    Ticks that hold the chat write it, in their commits. It is open while `next_at` is set.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    agent: str
    #: the id of the document of the chat where it is said
    chat: str
    #: whose it is
    person: int
    #: sent as it is, without a model
    text: str = ""
    #: the next occurrence; none: there is none to come
    next_at: datetime | None
    #: when it came due, if the person had blocked the agent: until they unblock it, `next_at` is when that is looked at
    held_at: datetime | None = None
    #: in which lull speaks of it: an ISO 639-1 code; empty: not known
    language: str = ""
    #: whether it was planned after text from outside was seen
    saw_outside: bool = False
    set_at: datetime
    #: the last occurrence that was due
    last: Occurrence | None = None

    @property
    def words(self) -> str:
        """Its text."""
        return self.text

    @property
    def key(self) -> ChatKey:
        """The key of its chat."""
        return ChatKey.from_id(self.chat)

    def ended(self, state: OccurrenceState, at: datetime, why: str = "") -> Self:
        """With what became of the occurrence that was due last."""
        last = self.last or Occurrence(due_at=self.next_at or at, at=at)
        return evolve(self, last=evolve(last, state=state, at=at, why=why))


class Reminder(DueItem):
    """What was promised to a person in a chat. It has a text or an instruction."""

    name: str = ""
    username: str = ""
    #: what the agent is to do then
    instruction: str = ""
    #: the IANA name of the zone in which its civil times are meant
    zone: str = "UTC"
    #: whether nobody told it: then it moves to the one that they tell
    is_zone_guessed: bool = False
    #: the civil time of the first occurrence, in ISO 8601
    start: str = ""
    #: RFC 5545's RRULE; empty: it happens once
    rule: str = ""
    #: the addresses in its text that people had written, or that a tool had found; others the model made up
    known_links: tuple[str, ...] = ()
    #: the messages of other conversations that its text may be made of
    elsewhere: tuple[ConversationSpan, ...] = ()
    #: the channel's post among whose comments it is said; 0: none
    thread: int = 0
    #: in which it was set, and with which it is erased; empty: it is not known, or in none
    conversation: str = ""

    @property
    def words(self) -> str:
        """Its text or instruction."""
        return self.text or self.instruction

    @property
    def short_id(self) -> str:
        """The beginning of its id, by which a model names it in its chat."""
        return self.id[:_SHORT_LETTERS]


def reminder_id(*parts: str) -> str:
    """An id that is the same for the same parts: 12 letters and digits, which spread."""
    digest = hashlib.sha256("\n".join(parts).encode()).digest()
    return b32encode(digest).decode().lower()[:_ID_LETTERS]


def remind_wake(due: DueItem, now: datetime, owner: str = "") -> Wake | None:
    """The tick for the next occurrence, or for arming it again where that is too far away; none without one.

    `owner` is who arms it: what is armed anew after a tick died may not have the name of a wake that came too early.
    """
    if due.next_at is None:
        return None
    of = f"{_occurrence(due.id, due.next_at)}@{owner}"
    at = min(due.next_at, now + LONGEST_ARMED)
    return Wake(key=due.key, reason=WakeReason.REMIND, at=at, of=of)


def is_wake_for(wake: Wake, due: DueItem) -> bool:
    """Whether a wake is for the next occurrence of a reminder, or for a notice."""
    return due.next_at is not None and wake.of.startswith(f"{_occurrence(due.id, due.next_at)}@")


def _occurrence(reminder_id: str, at: datetime) -> str:
    return f"{reminder_id}@{at.timestamp():.6f}"


def reminder_id_of(wake: Wake) -> str:
    """The id of the reminder or notice that a wake is for."""
    return wake.of.partition("@")[0]


def occurrence_mark(at: datetime) -> str:
    """Which occurrence of a reminder a button is for, by when it was due: a few letters, for there is little room."""
    return reminder_id("occurrence", f"{at.timestamp():.0f}")[:_MARK_LETTERS]


def button_reference(reminder: Reminder, at: datetime) -> str:
    """What a button carries that puts an occurrence off, behind the letter of what it does; `at`: when it was due."""
    return f"{reminder.id}{occurrence_mark(at)}"


def parse_button_reference(carried: str) -> tuple[str, str]:
    """The id of a reminder and the mark of its occurrence, which is empty where a button is for the reminder."""
    return carried[:_ID_LETTERS], carried[_ID_LETTERS:]


def instruction_update(reminder: Reminder, due_at: datetime, kind: ChatKind, now: datetime) -> InboxUpdate:
    """The update that has a chat's ticks read an instruction as something to be answered; one for each occurrence."""
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
