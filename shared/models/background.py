"""The calls of the scheduled function that are made in the background, each for one thing."""

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime

from shared.models.wake import Job, Queue


def note_job(conversation: str, of: str, at: datetime, traceparent: str = "") -> Job:
    """The call that notes one conversation. `of` tells it from others for the same one: since when it is due, say."""
    return background_job({"job": "note", "conversation": conversation}, of, at, traceparent)


def background_job(body: Mapping[str, str], of: str, at: datetime, traceparent: str = "") -> Job:
    """A call of this function in the background; two of the same body and `of` within an hour are one."""
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
