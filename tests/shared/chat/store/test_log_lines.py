"""The log lines of records."""

from shared.chat.store.chats import ReadUpdates
from shared.chat.store.incidents import NewIncident
from shared.chat.store.writes import LogLine, Record
from shared.values.incident import Incident, IncidentKind
from tests.shared.examples import NOW


def test_an_incident_is_logged_once_it_is_kept_and_most_records_are_not() -> None:
    incident = Incident(id="i-1", kind=IncidentKind.DROPPED_PLAN, at=NOW, why="w", agent="lull")
    assert NewIncident(incident).log_line() == LogLine(
        text="an incident", fields={"kind": "dropped_plan", "incident": "i-1"}
    )
    assert ReadUpdates((1,)).log_line() is None


def test_records_are_values() -> None:
    assert ReadUpdates((1, 2)) == ReadUpdates((1, 2))
    assert all(kind.__hash__ for kind in Record.__subclasses__())
