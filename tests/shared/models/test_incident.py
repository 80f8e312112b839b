"""Incidents come back from the store with what is needed to replay them."""

import pytest

from shared.models.incident import Incident, IncidentKind
from tests.shared.values import NOW


@pytest.mark.parametrize("kind", IncidentKind)
def test_an_incident_comes_back_from_its_document(kind: IncidentKind) -> None:
    incident = Incident(id="a", kind=kind, at=NOW, why="w", agent="lull", chat="c", body="{")
    assert Incident.model_validate(incident.model_dump()) == incident
