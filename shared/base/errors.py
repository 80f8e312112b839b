"""All errors of lull, in one family. The class says what happened and whether a retry helps.

Unavailable and refused are siblings: an unavailable service may work later, a refused request fails every time. Code
that treats both in the same way catches both, and says why.

LullError
├── InvalidSettings           a setting is missing or wrong; nothing starts
├── InvalidPersona            a persona cannot be read; the text names the file and line
├── PortMissing               a tool or a command lacks a port that it needs; the code is wrong
├── StoreError
│   ├── StoreUnavailable      Firestore did not answer; try again
│   ├── StoreRefused          the request is wrong or too large; a retry fails again
│   ├── PlanUnreadable        the stored plan has an unknown form
│   ├── WriteConflict         another tick changed the chat first; read it again
│   ├── LeaseLost             this tick no longer holds the chat; it may write nothing more
│   └── StopRequested         this tick holds the chat, but somebody asked it to stop: read the inbox
├── TickFailed                an unexpected error; the chat is released, and another tick tries
├── ArchiveUnavailable        the archive did not answer or refused; try again
├── TranscriptUnreadable      a stored conversation has an unknown form
├── RestoreRefused            the database is in use: nothing was restored
├── QueueError
│   ├── QueueUnavailable      Cloud Tasks did not answer; try again
│   └── QueueRefused          the task is wrong; a retry fails again
├── ModelError
│   ├── ModelUnavailable      no answer, over quota, 5xx; try again later
│   └── ModelRefused          the request is wrong or blocked; a retry fails again
├── ToolFailed                a tool has no answer; the model is told why
├── IdentityUnavailable       Google gave this function no token for another one
├── FetchFailed               a page was not fetched; the model is told why
│   └── FetchForbidden        the reader's rules forbid the address
├── ExtractionFailed          a page has no text to show; the model is told why
├── FileUnusable              a file cannot be converted for the model; the model is told why
│   └── FileUnsupported       its kind or size is not supported
├── BlobsUnavailable          the media bucket did not answer; try again
├── ExportsUnavailable        the bucket of exports did not answer; try again
├── ParserBusy                too many files are being parsed; try again
├── ParserFailed              parsing took too much time or memory, or crashed
└── ChannelError
    ├── NotDelivered          certainly not sent; try again, after `retry_after` if given
    ├── ChannelRefused        Telegram will not take this, now or later
    │   ├── ReplyTargetGone   send it without the quote
    │   ├── FormattingRefused send the text without formatting
    │   ├── ButtonsRefused    send the message without its buttons
    │   ├── BotUnknown        the bot's token is wrong: the operator must correct it
    │   ├── FileUnknown       the file id is not valid for this bot (any more)
    │   ├── FileTooLarge      bots may not download it
    │   ├── ChatMoved         the group has another id now: send it there
    │   └── ChatUnreachable   blocked, removed or deleted: the plan ends
    │       └── TopicGone     its topic is deleted or closed: send it outside of topics
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
    """An error that lull itself detected. Its text is safe to log."""


class InvalidSettings(LullError):
    """A setting is missing or wrong. The error's text gives the setting's name, its purpose and an example."""


class InvalidPersona(LullError):
    """A persona file cannot be used."""

    def __init__(self, file: Path, line: int, why: str) -> None:
        """`line` is the number of the wrong line, from 1; `why` is the reason."""
        super().__init__(f"{file}:{line}: {why}")
        self.file, self.line, self.why = file, line, why


class PortMissing(LullError):
    """A tool or a command has no access to a port: it did not declare the port, or `shared/wiring` has no such port."""


class StoreError(LullError):
    """Firestore did not carry out a request."""


class StoreUnavailable(StoreError):
    """Firestore cannot answer now (quota, rights, an unfinished index). The request may have been executed."""


class StoreRefused(StoreError):
    """Firestore refused a request for good, since it is too large or malformed. Nothing was written."""


class PlanUnreadable(StoreError):
    """The stored plan cannot be read, because a newer or a very old version of lull wrote it."""

    def __init__(self, body: str) -> None:
        """`body` is the stored plan as JSON. The plan contains people's text and must not be logged."""
        super().__init__(
            "another version of lull wrote the stored plan, and this one cannot read it; deploy the newer version again"
        )
        self.body = body


class WriteConflict(StoreError):
    """The chat's document changed since it was read; read it again."""


class LeaseLost(StoreError):
    """Another tick took the chat. This tick has written nothing, and must start over."""


class StopRequested(StoreError):
    """Somebody asked the agent to stop. Nothing was written, and this tick still holds the chat."""

    def __init__(self, stop: int, version: object) -> None:
        """`stop` is the id of the update with which somebody asked the agent to stop.

        `version` is the version of the chat's document, which the next write must find unchanged.
        """
        super().__init__("somebody asked to stop")
        self.stop, self.version = stop, version


class TickFailed(LullError):
    """An unexpected error ended a tick before it had written the results of the updates that it read.

    After several such errors in a row, ticks read one update at a time.
    """


class ArchiveUnavailable(LullError):
    """The archive did not answer or refused. The write may be repeated."""


class TranscriptUnreadable(LullError):
    """A stored conversation cannot be read. The text says what is missing and quotes nothing."""


class RestoreRefused(LullError):
    """The database already has conversations, and adding to them was not allowed. Nothing was written."""


class QueueError(LullError):
    """Cloud Tasks did not take a task."""


class QueueUnavailable(QueueError):
    """Cloud Tasks did not answer. The task may exist; a named task may be enqueued again."""


class QueueRefused(QueueError):
    """Cloud Tasks will never take this task: its name, address or size is wrong."""


class ModelTrouble(StrEnum):
    """Reasons why a model gave no answer. Two reasons are distinguished only if different actions help."""

    UNKNOWN = "unknown"
    BLOCKED = "blocked"  #: the request or the answer was refused for safety
    QUOTA = "quota"  #: a quota is used up for now
    MONEY = "money"  #: billing of the model must be set up
    CAPACITY = "capacity"  #: the model is overloaded
    MISCONFIGURED = "misconfigured"  #: the key, the rights or the model's name are wrong
    LIMIT = "limit"  #: a limit of the deployment or the persona is reached


class ModelError(LullError):
    """The model gave no usable answer."""

    #: the reason; whether the call may have cost money; and the payers whose own limits were reached
    trouble, may_be_paid, payers = ModelTrouble.UNKNOWN, False, frozenset[int]()
    call: ModelCall | None = None  #: the failed call, if it was counted, since it may have cost money
    wait: timedelta | None = None  #: how long the model asks to wait
    ended_by = ""  #: the model's own reason for ending its answer
    again_at: datetime | None = None  #: when to check the reached limit again; None if no limit was reached


class ModelUnavailable(ModelError):
    """No answer in time, over quota, or a server error: the same request may work later."""

    def __init__(self, why: str, trouble: ModelTrouble = ModelTrouble.UNKNOWN, until: datetime | None = None) -> None:
        """`trouble` is the reason.

        If a limit was reached, `until` is the time from which calls may be tried again; otherwise None.
        """
        super().__init__(why)
        self.trouble, self.again_at = trouble, until


class ModelRefused(ModelError):
    """The request is wrong, or its content was blocked: the same request fails again."""

    def __init__(self, why: str, call: ModelCall | None = None, trouble: ModelTrouble = ModelTrouble.UNKNOWN) -> None:
        """`call` is the usage of the call, if the model answered and its answer was blocked."""
        super().__init__(why)
        self.call, self.trouble = call, trouble


class ToolFailed(LullError):
    """A tool has no answer. The text tells the model why, and repeats nothing that the model wrote."""


class IdentityUnavailable(LullError):
    """Google did not give this function a token with which it could call another function."""


class FetchFailed(LullError):
    """A page was not fetched. The text is for the model, and repeats nothing of the address or the page."""


class FetchForbidden(FetchFailed):
    """The rules of this deployment's reader forbid the address; nothing was fetched."""


class ExtractionFailed(LullError):
    """The fetched file has no text. The error's text is for the model, and repeats nothing of the page."""


class FileUnusable(LullError):
    """A file cannot be converted for a model. The text tells the model why, and repeats nothing of the file."""


class FileUnsupported(FileUnusable):
    """A file's kind is not supported by models, or the file is too large."""


class BlobsUnavailable(LullError):
    """The media bucket did not answer or refused. The read or write may be repeated."""


class ExportsUnavailable(LullError):
    """The bucket of exports did not answer or refused. The read or write may be repeated."""


class ParserBusy(LullError):
    """Too many files are being parsed; the same file may be parsed later."""


class ParserFailed(LullError):
    """Parsing took too much time or memory, or its process crashed."""


class ChannelError(LullError):
    """An outgoing call to Telegram failed, or its outcome is unknown."""


class NotDelivered(ChannelError):
    """The message was certainly not sent: there was no connection, Telegram demanded a wait, or its server failed."""

    def __init__(self, why: str, retry_after: timedelta | None = None) -> None:
        """`retry_after` is the wait that Telegram's flood control demands; such a refusal does not count as a try."""
        super().__init__(why)
        self.retry_after = retry_after


class ChannelRefused(ChannelError):
    """Telegram refused the call; the same call fails again."""


class ReplyTargetGone(ChannelRefused):
    """The message to reply to is gone; the same text may be sent without the quote."""


class FormattingRefused(ChannelRefused):
    """Telegram refused the entities or the preview; the same text may be sent without them."""


class ButtonsRefused(ChannelRefused):
    """Telegram refused the buttons; the same message may be sent without them."""


class BotUnknown(ChannelRefused):
    """Telegram knows no bot with this token; the operator must correct the token."""


class FileUnknown(ChannelRefused):
    """Telegram does not know the file id, or it is not valid for this bot."""


class FileTooLarge(ChannelRefused):
    """The file is larger than bots may download."""


class ChatMoved(ChannelRefused):
    """The group became a supergroup with another id; nothing can be sent under the old one."""

    def __init__(self, why: str, new_chat_id: int) -> None:
        """`new_chat_id` is the id of the supergroup, to which messages must be sent from now on."""
        super().__init__(why)
        self.new_chat_id = new_chat_id


class ChatUnreachable(ChannelRefused):
    """The agent was blocked, removed or never allowed: nothing can be sent to this chat."""


class TopicGone(ChatUnreachable):
    """The topic is deleted or closed; the message may be sent to the group outside of topics."""


class OutcomeUnknown(ChannelError):
    """The call was sent but got no answer. The call may have had its effect, so lull never repeats it."""
