"""Warming: the order that an instance of the tick function starts, before there is a tick for it to run.

After idle time neither function has an instance. The first message would wait for the webhook to start, for the quiet
time, and then for the tick function to start. The order has the tick function start beside the other two.
"""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Literal

from shared.models.wake import Job

#: seconds in which one order is enough: ten webhooks that start at once start one tick function
ONE_IN_S = 10


@dataclass(frozen=True)
class Warming:
    """The order, as the body of a task."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    job: Literal["warm"]


def warming(at: datetime) -> Job:
    """The order as a job; those of one span have one name."""
    span = int(at.timestamp() / ONE_IN_S)
    name = hashlib.sha256(f"warm\n{span}".encode()).hexdigest()[:40]
    return Job(function="tick", body='{"job": "warm"}', at=at, name=name)
