"""The data that identifies one run of a background job: its scheduled time, its trace, and what it is about."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class JobRun:
    """One run of a job: its scheduled time, its trace, and the conversation, chat, deletion or person (if any).

    If the run is delivered twice, `scheduled_for` is the same both times, and so are the names of the tasks that the
    run creates.
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
