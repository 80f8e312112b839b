"""How an incident is written."""

from shared.adapters.firestore.layout import KEPT_INCIDENTS
from shared.models.chat import Chat
from shared.models.incident import Incident, IncidentKind
from shared.records import KeptIncident
from tests.shared.adapters.changes import written_by
from tests.shared.values import KEY, NOW


def test_an_incident_is_kept_for_a_while_under_its_own_id() -> None:
    incident = Incident(id="i-1", kind=IncidentKind.DEAD_LETTER, at=NOW, why="w", agent="lull")
    kept = incident.model_dump() | {"expires_at": NOW + KEPT_INCIDENTS}
    assert written_by(KeptIncident(incident), Chat(key=KEY)) == [("set", "incidents/i-1", kept)]
