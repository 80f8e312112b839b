"""A job: one call of a function that is to be made later; and a wake: the request that a tick runs for a chat.

A queue of Cloud Tasks carries a job as a task. A second wake of the same name is dropped by the queue.
The function `summarize` has jobs of its own in the background.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from shared.values.chat_key import ChatKey


class Queue(StrEnum):
    """The queues that there are, under the names of infra/queues.tf."""

    TICKS = "ticks"  #: somebody waits for it
    MEDIA = "media"  #: files to be described; a voice message is waited for
    BACKGROUND = "background"  #: nobody does


@dataclass(frozen=True, kw_only=True)
class Job:
    """Which function is called, when, and with which body (JSON).

    Two jobs of the same name within an hour are one. A job without a name is made each time that it is asked for.
    """

    function: str
    body: str
    at: datetime
    #: of letters, digits, `-` and `_`, 500 at most; best a hash: names that resemble each other slow the whole queue
    name: str = ""
    queue: Queue = Queue.TICKS
    #: W3C traceparent of what asked for it
    traceparent: str = ""


@dataclass(frozen=True, kw_only=True)
class QueueAddress:
    """A queue by its full name, and the service account in whose name it calls; empty: it shows no token."""

    name: str
    invoker: str = ""


@dataclass(frozen=True, kw_only=True)
class Routes:
    """Where jobs go: the address of each queue, and the URL of each function by its name."""

    queues: Mapping[Queue, QueueAddress] = field(default_factory=dict)
    functions: Mapping[str, str] = field(default_factory=dict)


class WakeReason(StrEnum):
    """Why a tick runs."""

    NOW = "now"  #: a command or a button: no quiet time
    SOON = "soon"  #: something was written: after the quiet time
    LATER = "later"  #: group chatter that is surely not for the agent
    QUIET = "quiet"  #: people were still writing
    AFTER = "after"  #: another tick held the chat
    DUE = "due"  #: a plan goes on
    RETRY = "retry"  #: the model could not be reached
    STOP = "stop"  #: somebody asked the agent to stop: the chat is taken even from a tick that holds it
    MOVED = "moved"  #: the group has a new id: what is kept under the old one goes there
    SWEEP = "sweep"  #: the scheduled sweep found something that no tick had come for
    COMPRESS = "compress"  #: the older part of a conversation is to be summarised; the chat is not claimed for it
    GIVE_BACK = "give-back"  #: another chat waits for the money that this one was lent
    REPLAY = "replay"  #: somebody asked for a dead letter to be tried again
    WAITED = "waited"  #: a message has waited long enough to be told what its file says
    REMIND = "remind"  #: a reminder is due, or is to be armed again
    EXPORT = "takeout"  #: what somebody asked for of what is kept of them is to be sent


@dataclass(frozen=True, kw_only=True)
class Wake:
    """A tick to come: Cloud Tasks carries it as the body of a task."""

    key: ChatKey
    reason: WakeReason
    at: datetime
    #: what tells wakes of one reason apart: a generation, a lease, a plan's id
    of: str
    #: how often this very wake was put off already
    attempt: int = 0
    #: how often in a row the model could not be reached; a tick that only waits for a held chat carries it on
    model_tries: int = 0
    #: when the first message of a burst came: the longest wait counts from there
    since: datetime | None = None
    #: W3C traceparent of what asked for it
    traceparent: str = ""

    @property
    def name(self) -> str:
        """The task's id: a hash, since ids that resemble each other slow the whole queue.

        The attempt is in it: without, a wake that came early and asks for itself again is swallowed by its own name.
        """
        parts = (self.key.id, self.reason, self.of, str(self.attempt))
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:40]

    def to_json(self) -> str:
        """The body of its task."""
        return json.dumps(asdict(self), default=datetime.isoformat)

    def job(self) -> Job:
        """The call of the tick function that this wake asks for."""
        return Job(function="tick", body=self.to_json(), at=self.at, name=self.name, traceparent=self.traceparent)

    def again(self, at: datetime) -> "Wake":
        """The same wake, later."""
        return replace(self, at=at, attempt=self.attempt + 1)


def note_job(conversation: str, of: str, at: datetime, traceparent: str = "") -> Job:
    """The call that notes one conversation. `of` tells it from others for the same one: since when it is due, say."""
    return background_job({"job": "note", "conversation": conversation}, of, at, traceparent)


def background_job(body: Mapping[str, str], of: str, at: datetime, traceparent: str = "") -> Job:
    """A call of summarize in the background; two of the same body and `of` within an hour are one."""
    name = hashlib.sha256("\n".join((*body.values(), of)).encode()).hexdigest()[:40]
    return Job(
        function="summarize",
        body=json.dumps(dict(body)),
        at=at,
        name=name,
        queue=Queue.BACKGROUND,
        traceparent=traceparent,
    )


def title_job(conversation: str, at: datetime, traceparent: str = "") -> Job:
    """The call that gives a conversation its first title."""
    return background_job({"job": "title", "conversation": conversation}, "", at, traceparent)
