"""Jobs: scheduled calls of functions. Wakes: jobs that call the function `tick`, which does the work for one chat.

A job is a task in a queue of Cloud Tasks, which drops a second task of the same name. The function `summarize` runs the
background jobs.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from shared.values.chat_key import ChatKey


class Queue(StrEnum):
    """The queues, named as in infra/queues.tf."""

    TICKS = "ticks"  #: somebody waits for it
    MEDIA = "media"  #: descriptions of files; somebody waits for a voice message
    BACKGROUND = "background"  #: nobody waits for it


@dataclass(frozen=True, kw_only=True)
class Job:
    """A scheduled call of a function with a JSON body.

    A job is dropped if one with the same name is waiting or ran in the last hour. One without a name is never dropped.
    """

    function: str
    body: str
    at: datetime
    #: at most 500 letters, digits, `-` and `_`; preferably a hash, since similar names slow down the whole queue
    name: str = ""
    queue: Queue = Queue.TICKS
    #: W3C traceparent of the work that asked for it
    traceparent: str = ""


@dataclass(frozen=True, kw_only=True)
class QueueAddress:
    """A queue's full name, and the service account whose token its calls send; if that is "", they send none."""

    name: str
    invoker: str = ""


@dataclass(frozen=True, kw_only=True)
class Routes:
    """The addresses of queues, and the URLs of functions by name."""

    queues: Mapping[Queue, QueueAddress] = field(default_factory=dict)
    functions: Mapping[str, str] = field(default_factory=dict)


class WakeReason(StrEnum):
    """The reasons for which a tick is scheduled."""

    NOW = "now"  #: a command or a button: at once
    SOON = "soon"  #: a message: once people have stopped writing for a moment
    LATER = "later"  #: group messages that are certainly not for the agent
    QUIET = "quiet"  #: the last tick found that people were still writing
    AFTER = "after"  #: another tick held the chat
    DUE = "due"  #: a plan continues
    RETRY = "retry"  #: the model could not be reached
    STOP = "stop"  #: a stop request: the chat is taken even from a tick that holds it
    MOVED = "moved"  #: the group has a new id: its data moves there
    SWEEP = "sweep"  #: the sweep found work that no tick had done
    COMPRESS = "compress"  #: the older part of a conversation needs a summary; the chat is not claimed for it
    GIVE_BACK = "give-back"  #: another chat needs the budget that this one has leased
    REPLAY = "replay"  #: a dead letter is replayed
    WAITED = "waited"  #: a message has waited long enough for its file's description
    REMIND = "remind"  #: a reminder is due, or must be scheduled again
    EXPORT = "takeout"  #: a part of an export is ready to be sent


@dataclass(frozen=True, kw_only=True)
class Wake:
    """A scheduled tick. As JSON, it is the body of a task of Cloud Tasks."""

    key: ChatKey
    reason: WakeReason
    at: datetime
    #: distinguishes wakes with the same reason: a generation, a lease, a plan's id
    of: str
    #: how often this wake was postponed
    attempt: int = 0
    #: how often in a row the model could not be reached; a tick that only waits for a held chat passes it on
    model_tries: int = 0
    #: the time of the first message in a burst: the longest wait is counted from this time
    since: datetime | None = None
    #: W3C traceparent of the work that asked for it
    traceparent: str = ""

    @property
    def name(self) -> str:
        """The task's id: a hash, since similar ids slow down the whole queue.

        The hash includes the attempt. Otherwise, if a wake came too early and scheduled itself again, Cloud Tasks would
        drop the new task as a repetition.
        """
        parts = (self.key.id, self.reason, self.of, str(self.attempt))
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:40]

    def to_json(self) -> str:
        """Return the wake as JSON, the body of its task in Cloud Tasks."""
        return json.dumps(asdict(self), default=datetime.isoformat)

    def job(self) -> Job:
        """Return the job that calls the tick function, with this wake as the body."""
        return Job(function="tick", body=self.to_json(), at=self.at, name=self.name, traceparent=self.traceparent)

    def again(self, at: datetime) -> "Wake":
        """Return the same wake for a later time."""
        return replace(self, at=at, attempt=self.attempt + 1)


def note_job(conversation: str, of: str, at: datetime, traceparent: str = "") -> Job:
    """Return the job that makes notes of one conversation. `of` distinguishes jobs for the same conversation."""
    return background_job({"job": "note", "conversation": conversation}, of, at, traceparent)


def background_job(body: Mapping[str, str], of: str, at: datetime, traceparent: str = "") -> Job:
    """Return a background job of the function `summarize`.

    `of` distinguishes jobs with the same body. A job is dropped if one like it is waiting or ran in the last hour.
    """
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
    """Return the job that gives a conversation its first title."""
    return background_job({"job": "title", "conversation": conversation}, "", at, traceparent)
