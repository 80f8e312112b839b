"""An incident: a failure that lull could not repair by itself, stored with the data that people need to repair it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

#: Longest body in bytes of UTF-8. A document holds 1 MiB with its other fields.
LONGEST_INCIDENT_BODY = 900_000


class IncidentKind(StrEnum):
    DEAD_LETTER = "dead_letter"
    UNKNOWN_DELIVERY = "unknown_delivery"
    DROPPED_PLAN = "dropped_plan"
    REFUSED_WAKE = "refused_wake"


@dataclass(frozen=True, kw_only=True)
class Incident:
    """One failure for a person to look at.

    The id is derived from the cause, so the same failure is stored only once.
    """

    id: str
    kind: IncidentKind
    at: datetime
    why: str
    agent: str
    #: id of the chat's document; empty if the incident belongs to no chat
    chat: str = ""
    #: the chat's conversation at that time; empty if there was none, or if no tick had read the update
    conversation: str = ""
    #: Content to replay or to look at: the raw body of a dead letter, cut to the limit, or an unreadable plan as JSON.
    body: str = ""
    #: id of an update that was read but could not be handled or stored
    update_id: int | None = None
    #: when it was last replayed, or for an unknown delivery, when the owner had it sent again
    replayed_at: datetime | None = None
    #: when the owner decided that nothing more is to be done about it
    dropped_at: datetime | None = None

    @property
    def is_settled(self) -> bool:
        """True if a person has replayed the incident, or has dropped it."""
        return self.replayed_at is not None or self.dropped_at is not None


def incident_body(text: str) -> str:
    """Return as much of the text as an incident may hold, cut between two characters."""
    return text.encode()[:LONGEST_INCIDENT_BODY].decode(errors="ignore")
