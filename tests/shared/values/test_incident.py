"""Incidents are stored with all data for a replay."""

from dataclasses import asdict

import pytest

from shared.chat.store.incidents import decode_incident
from shared.values.incident import Incident, IncidentKind
from tests.shared.examples import NOW


@pytest.mark.parametrize("kind", IncidentKind)
def test_an_incident_comes_back_from_its_document(kind: IncidentKind) -> None:
    incident = Incident(id="a", kind=kind, at=NOW, why="w", agent="lull", chat="c", body="{")
    assert decode_incident(asdict(incident)) == incident
