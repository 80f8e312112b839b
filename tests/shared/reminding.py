"""A reminder, for tests."""

from datetime import timedelta
from typing import Any

from shared.values.reminder import Reminder
from tests.shared.examples import ANN, KEY, NOW


def reminder(**fields: Any) -> Reminder:
    """Make a reminder of Ann, due in ten minutes in her private chat."""
    plain: dict[str, Any] = {
        "id": "abcdefghijkl",
        "agent": "lull",
        "chat": KEY.id,
        "person": ANN.id,
        "name": ANN.name,
        "text": "Time for tea!",
        "next_at": NOW + timedelta(minutes=10),
        "start": "2026-03-01T12:10:00",
        "set_at": NOW,
    }
    return Reminder(**plain | fields)
