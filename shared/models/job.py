"""A job: one call of a function that is to be made later. A queue of Cloud Tasks carries it as a task."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from pydantic import ConfigDict

#: a setting that is misspelt is wrong, and not left out
STRICT = ConfigDict(extra="forbid")


class Queue(StrEnum):
    """The queues that there are, under the names of infra/queues.tf."""

    TICKS = "ticks"  #: somebody waits for it
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

    __pydantic_config__ = STRICT

    name: str
    invoker: str = ""


@dataclass(frozen=True, kw_only=True)
class Routes:
    """Where jobs go: the address of each queue, and the URL of each function by its name."""

    __pydantic_config__ = STRICT

    queues: Mapping[Queue, QueueAddress] = field(default_factory=dict)
    functions: Mapping[str, str] = field(default_factory=dict)
