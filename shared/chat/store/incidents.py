"""The record that stores an incident, and the function that reads it."""

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import TypeAdapter

from shared.chat.store import layout, paths
from shared.chat.store.writes import CommitContext, LogLine, Record, Write, WriteMode
from shared.values.incident import Incident

_INCIDENT = TypeAdapter(Incident)


@dataclass(frozen=True)
class NewIncident(Record):
    """The record of an incident, which people may look at and replay."""

    incident: Incident

    def log_line(self) -> LogLine:
        return LogLine(text="an incident", fields={"kind": self.incident.kind.value, "incident": self.incident.id})

    def writes(self, _: CommitContext) -> Iterator[Write]:
        """Yield the write that creates or replaces the incident's document."""
        path = paths.incident_path(self.incident.id)
        yield Write(path=path, document=layout.encode_incident(self.incident), mode=WriteMode.SET)


def decode_incident(document: layout.Document | None) -> Incident:
    """Return the incident. Raises ValidationError for an unknown form."""
    return _INCIDENT.validate_python(document)
