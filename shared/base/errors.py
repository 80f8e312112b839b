"""Every error that lull raises, in one family; the class says what happened and whether to try again.

Unavailable and refused are siblings, never one below the other: what is unavailable now may work later, and what is
refused fails again however often it is tried. Whoever answers both alike catches both, and says why.

LullError
├── InvalidSettings             a setting is missing or wrong; nothing starts
├── InvalidPersona           a persona cannot be read: file and line
├── PortMissing               a tool or a command has not the port that it asks for; the code is wrong
├── StoreError
│   ├── StoreUnavailable      Firestore did not do it now; try again
│   ├── StoreRefused          what it was asked is wrong or too large; trying again changes nothing
│   ├── PlanUnreadable        the plan that stands is of a shape that this version does not know
│   ├── WriteConflict             another tick changed the chat first; look again
│   ├── LeaseLost             this tick no longer holds the chat; it changes nothing more
│   └── StopRequested             the chat is still this tick's, but somebody asked it to stop: look into the inbox
├── TickFailed                something that nobody foresaw; the chat is free, and another tick tries
├── ArchiveUnavailable        the place of the archive did not answer or refused; try again
├── TranscriptUnreadable      what is kept of a conversation is of a shape that this version does not know
├── RestoreRefused            the database is in use: nothing was restored
├── QueueError
│   ├── QueueUnavailable      Cloud Tasks did not take the task now; try again
│   └── QueueRefused          the task itself is wrong; trying again changes nothing
├── ModelError
│   ├── ModelUnavailable      no answer, over quota, 5xx; try again later
│   └── ModelRefused          the request is wrong or blocked; trying again changes nothing
├── ToolFailed                a tool cannot answer what the model asked of it; the model is told why
├── IdentityUnavailable                this function cannot show another who it is; Google gave it no token
├── FetchFailed               a page was not fetched; the model is told why
│   └── FetchForbidden        the reader's own rules forbid its address
├── ExtractionFailed          a page has no text that can be shown; the model is told why
├── FileUnusable               a file cannot be made into what a model takes; the model is told why
│   └── FileUnsupported             it is of a kind or a size that is not opened here
├── BlobsUnavailable          the bucket of media did not do it now; try again
├── ExportsUnavailable        the bucket of exports did not do it now; try again
├── ParserBusy                    too much else is parsed just now; try again
├── ParserFailed                  what was parsed took too much, or ended the process that parsed it
└── ChannelError
    ├── NotDelivered          certainly not sent; try again, after `retry_after` if given
    ├── ChannelRefused               the channel will not take this, now or later
    │   ├── ReplyTargetGone   send it without the quote
    │   ├── FormattingRefused      send the words plainly
    │   ├── ButtonsRefused    send the message without its buttons
    │   ├── BotUnknown        the bot's token is wrong: somebody has to put it right
    │   ├── FileUnknown       its file id is not valid for this bot (any more)
    │   ├── FileTooLarge      bots may not download it
    │   ├── ChatMoved         the group has another id now: send it there
    │   └── ChatUnreachable       blocked, removed or deleted: the plan ends
    │       └── TopicGone     its topic is gone or closed: send it outside
    └── OutcomeUnknown        it may have been sent; never sent again
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shared.base.model_call import ModelCall


class LullError(Exception):
    """Anything that lull itself found wrong; its text is safe to log."""


class InvalidSettings(LullError):
    """A setting is missing or wrong; the text names it, what it is for, and an example."""


class InvalidPersona(LullError):
    """A persona file cannot be used."""

    def __init__(self, file: Path, line: int, why: str) -> None:
        """Say where it is, 1 being the first line, and what is wrong there."""
        super().__init__(f"{file}:{line}: {why}")
        self.file, self.line, self.why = file, line, why


class PortMissing(LullError):
    """A tool or a command was not given a port: it did not declare it, or `shared/wiring` has none."""


class StoreError(LullError):
    """Firestore did not do what was asked."""


class StoreUnavailable(StoreError):
    """Firestore does not answer now (over quota, no rights, an index in the making); something may be written."""


class StoreRefused(StoreError):
    """Firestore will never take this, as it is too large or of another form than it holds. Nothing was written."""


class PlanUnreadable(StoreError):
    """The plan that stands cannot be read: a newer lull wrote it, or a very old one."""

    def __init__(self, body: str) -> None:
        """`body` is what is kept of it, as JSON: it has people's words in it and is not for logs."""
        super().__init__("the standing plan is of a shape that this version does not know")
        self.body = body


class WriteConflict(StoreError):
    """The chat's document was changed since it was read; read it again."""


class LeaseLost(StoreError):
    """Another tick has, or had, the chat: this one has changed nothing and must start over."""


class StopRequested(StoreError):
    """Somebody asked the agent to stop. Nothing was written; the chat is still held, and its inbox says more."""

    def __init__(self, stop: int, version: object) -> None:
        """`stop` is the update that asked; `version` is the chat's document's, which the next write must find."""
        super().__init__("somebody asked to stop")
        self.stop, self.version = stop, version


class TickFailed(LullError):
    """A tick met what nobody foresaw, and wrote nothing of the round. After some, ticks read one update at a time."""


class ArchiveUnavailable(LullError):
    """The place where the archive is did not answer or refused; what was to be written may be written again."""


class TranscriptUnreadable(LullError):
    """What is kept of a conversation cannot be understood; the text says what is missing and quotes nothing."""


class RestoreRefused(LullError):
    """The database has conversations already, and nobody said that others may be added. Nothing was written."""


class QueueError(LullError):
    """Cloud Tasks did not take a task."""


class QueueUnavailable(QueueError):
    """Cloud Tasks did not answer, or takes nothing now. The task may have been made; a named one may be tried again."""


class QueueRefused(QueueError):
    """Cloud Tasks will never take this task: its name, address or size is wrong. The same task is refused again."""


class ModelTrouble(StrEnum):
    """Why a model gives no answer, as far as somebody can do something about it."""

    UNKNOWN = "unknown"
    BLOCKED = "blocked"  #: what was asked, or the answer, was refused for safety
    QUOTA = "quota"  #: as much was asked as may be, for now
    MONEY = "money"  #: it wants to be paid
    CAPACITY = "capacity"  #: others ask too much of it
    MISCONFIGURED = "misconfigured"  #: the key, the rights or the model's name are wrong
    LIMIT = "limit"  #: one that the deployment or the persona sets is reached


class ModelError(LullError):
    """The model gave no usable answer."""

    #: the matter; whether it may have to be paid for; and whose own limit it met, of several who were to pay
    trouble, may_be_paid, payers = ModelTrouble.UNKNOWN, False, frozenset[int]()
    call: ModelCall | None = None  #: the call that failed, if it was counted: it may have been paid for all the same
    wait: timedelta | None = None  #: how long the model asks to be left alone
    ended_by = ""  #: the model's own word for why its answer ended
    again_at: datetime | None = None  #: when a limit that it met goes on or is to be looked at again, if it met one


class ModelUnavailable(ModelError):
    """No answer in time, over quota, or the server failed: later it may work."""

    def __init__(self, why: str, trouble: ModelTrouble = ModelTrouble.UNKNOWN, until: datetime | None = None) -> None:
        """`trouble` is what is the matter; `until`: how long a limit holds that was met."""
        super().__init__(why)
        self.trouble, self.again_at = trouble, until


class ModelRefused(ModelError):
    """The request itself is wrong, or its content was blocked: the same request fails again."""

    def __init__(self, why: str, call: ModelCall | None = None, trouble: ModelTrouble = ModelTrouble.UNKNOWN) -> None:
        """`call` is what the model took all the same, where it answered and its answer was blocked."""
        super().__init__(why)
        self.call, self.trouble = call, trouble


class ToolFailed(LullError):
    """A tool cannot answer; the text tells the model why, and repeats nothing that the model wrote."""


class IdentityUnavailable(LullError):
    """Google gives this function no token by which another one knows it."""


class FetchFailed(LullError):
    """A page was not fetched; the text is a sentence for the model, and repeats nothing of the address or the page."""


class FetchForbidden(FetchFailed):
    """The rules of this deployment's reader let nobody have this address read; nothing was asked for."""


class ExtractionFailed(LullError):
    """There is no text in what was fetched; the text is a sentence for the model, and repeats nothing of the page."""


class FileUnusable(LullError):
    """Nothing that a model takes can be made of a file; the text tells the model why, and repeats none of it."""


class FileUnsupported(FileUnusable):
    """A file is of a kind that no model is shown, or larger than what is opened."""


class BlobsUnavailable(LullError):
    """The bucket of media did not answer or refused; what was to be stored or read may be stored or read again."""


class ExportsUnavailable(LullError):
    """The bucket of exports did not answer or refused; what was to be stored or read may be stored or read again."""


class ParserBusy(LullError):
    """Too much else is parsed just now. The same may be parsed later."""


class ParserFailed(LullError):
    """What was parsed took too much time or memory, or ended the process that parsed it."""


class ChannelError(LullError):
    """Telegram did not simply take an outgoing call."""


class NotDelivered(ChannelError):
    """Certainly not sent: never connected, told to wait, or refused by a server that failed."""

    def __init__(self, why: str, retry_after: timedelta | None = None) -> None:
        """`retry_after` is how long Telegram said to wait; a flood wait, which costs no try."""
        super().__init__(why)
        self.retry_after = retry_after


class ChannelRefused(ChannelError):
    """Telegram answered that it will not take this call; the same call fails again."""


class ReplyTargetGone(ChannelRefused):
    """The message to be answered is gone; the same text may be sent without the quote."""


class FormattingRefused(ChannelRefused):
    """How a text looks is not taken (its entities or its preview); the same words may be sent plainly."""


class ButtonsRefused(ChannelRefused):
    """The buttons below a message are not taken; the same message may be sent without them."""


class BotUnknown(ChannelRefused):
    """Telegram knows no bot of this token: nothing can be done before somebody has put it right."""


class FileUnknown(ChannelRefused):
    """A file id that Telegram does not know, or not of this bot, or not any more."""


class FileTooLarge(ChannelRefused):
    """A file that is larger than what Telegram gives to bots."""


class ChatMoved(ChannelRefused):
    """The group became a supergroup and has another id; under the old one nothing can be sent any more."""

    def __init__(self, why: str, new_chat_id: int) -> None:
        """`new_chat_id` is where the same call goes now."""
        super().__init__(why)
        self.new_chat_id = new_chat_id


class ChatUnreachable(ChannelRefused):
    """The agent was blocked, removed or never allowed: nothing can be sent to this chat."""


class TopicGone(ChatUnreachable):
    """Nothing can be sent to this topic, which is deleted or closed; it may be sent to its group."""


class OutcomeUnknown(ChannelError):
    """The call left and no answer came: it may have had its effect, so it is never sent again."""
