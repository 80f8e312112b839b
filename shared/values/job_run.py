"""An occasion: why one run of a scheduled job takes place."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class JobRun:
    """The moment for which a run was scheduled, and the trace that what it asks for belongs to.

    A run that is delivered twice has the same moment: what is named after it is the same thing both times.
    """

    #: ISO 8601, or any other text that tells this run from others
    scheduled_for: str
    #: W3C traceparent
    traceparent: str = ""
    #: what it is about, of a job that is about one: the id of a conversation, of a chat's document, or of a person
    conversation: str = ""
    chat: str = ""
    #: the id of a deletion
    deletion: str = ""
    person: str = ""
