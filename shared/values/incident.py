"""An incident: something that lull could not put right by itself, kept with what is needed to do so."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

#: bytes of a body in UTF-8: a document holds 1 MiB with its other fields
LONGEST_INCIDENT_BODY = 900_000


class IncidentKind(StrEnum):
    """What happened."""

    DEAD_LETTER = "dead_letter"
    UNKNOWN_DELIVERY = "unknown_delivery"
    DROPPED_PLAN = "dropped_plan"
    REFUSED_WAKE = "refused_wake"


@dataclass(frozen=True, kw_only=True)
class Incident:
    """One thing to look at; the id comes from its cause, so that it is kept once however often it is met."""

    id: str
    kind: IncidentKind
    at: datetime
    why: str
    agent: str
    #: id of the chat's document; empty when it belongs to none
    chat: str = ""
    #: the conversation that the chat was in; empty: none, or it is not known, as of what no tick read
    conversation: str = ""
    #: what to replay: a dead letter's raw body, as much of it as fits; or to look at: an unreadable plan, as JSON
    body: str = ""
    #: of an update that could be read, but not handled or stored
    update_id: int | None = None
    #: when somebody last had it tried again
    replayed_at: datetime | None = None


def incident_body(text: str) -> str:
    """As much of the text as a document holds, cut between two characters."""
    return text.encode()[:LONGEST_INCIDENT_BODY].decode(errors="ignore")
