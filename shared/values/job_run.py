"""One run of a job."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class JobRun:
    """When a run was scheduled, the trace that it belongs to, and the one thing that it is about, if any.

    A run that is delivered twice has the same `scheduled_for`. The tasks that it makes then have the same names.
    """

    #: ISO 8601, or any other text that identifies the run
    scheduled_for: str
    #: W3C traceparent
    traceparent: str = ""
    #: ids of the conversation, of the chat's document, of the deletion, or of the person
    conversation: str = ""
    chat: str = ""
    deletion: str = ""
    person: str = ""
