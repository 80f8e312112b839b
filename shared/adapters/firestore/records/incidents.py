"""Records of incidents."""

from collections.abc import Iterator

from shared.adapters.firestore import layout
from shared.adapters.firestore.writes import Commit, Mode, Write, writes_of
from shared.records import KeptIncident


@writes_of.register
def _incident(record: KeptIncident, _: Commit) -> Iterator[Write]:
    path = layout.incident_path(record.incident.id)
    yield Write(path=path, document=layout.encode_incident(record.incident), mode=Mode.SET)
