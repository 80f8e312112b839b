"""Incidents: the record by which a commit writes one, and how they are read."""

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import TypeAdapter

from shared.chat.store import layout, paths
from shared.chat.store.writes import CommitContext, LogLine, Record, Write, WriteMode
from shared.values.incident import Incident

_INCIDENT = TypeAdapter(Incident)


@dataclass(frozen=True)
class NewIncident(Record):
    """An incident to be looked at, or to be replayed."""

    incident: Incident

    def log_line(self) -> LogLine:
        """Which incident it is."""
        return LogLine(text="an incident", fields={"kind": self.incident.kind.value, "incident": self.incident.id})

    def writes(self, _: CommitContext) -> Iterator[Write]:
        """Replace it, if it was written before."""
        path = paths.incident_path(self.incident.id)
        yield Write(path=path, document=layout.encode_incident(self.incident), mode=WriteMode.SET)


def decode_incident(document: layout.Document | None) -> Incident:
    """The incident. Raises ValidationError for a shape that this version does not know."""
    return _INCIDENT.validate_python(document)
