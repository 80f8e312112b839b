"""An observation is read back as it was stored."""

from datetime import UTC, datetime
from typing import Any

from shared.values.notes import Observation


def test_an_observation_is_read_back_as_it_was_stored() -> None:
    made: dict[str, Any] = {
        "made_at": datetime(2026, 11, 1, tzinfo=UTC),
        "entries": (3, 4),
        "about": (5,),
        "happened": "2026-10",
    }
    one = Observation(id="o", conversation="conv-1", agent="lull", place="lull.5", text="Ann moved to Lviv", **made)
    assert Observation.model_validate(one.model_dump()) == one
