"""A talk of which notes are taken, for tests of requests to the model and of its replies."""

from datetime import UTC, datetime, timedelta
from typing import Any

from shared.recall.notes_prompt import NotesInput, NotesPrompt
from shared.values.message import AnyEntry, Message
from shared.values.notes import Notes, Observation
from tests.shared.examples import ANN, BOB, GROUP_KEY, said

#: a Saturday
DAY = datetime(2026, 5, 9, 9, 0, tzinfo=UTC)


def lines(*texts: str, first: int = 1, **fields: Any) -> list[Message]:
    """Return entries that Ann and Bob write alternately."""
    return [
        said(text, (ANN, BOB)[(n - 1) % 2], n, seq=n, turn=n, **({"at": DAY + timedelta(minutes=n)} | fields))
        for n, text in enumerate(texts, first)
    ]


def talk(*entries: AnyEntry, notes: Notes | None = None, **fields: Any) -> NotesInput:
    """Return the input for notes of these entries."""
    known: dict[str, Any] = {
        "conversation": "conv-1",
        "key": GROUP_KEY,
        "notes": notes or Notes(),
        "entries": entries,
        "room": 20_000,
    }
    return NotesInput(**(known | fields))


def observation(text: str, **fields: Any) -> Observation:
    """Return a known observation about Ann."""
    known = {"id": text, "conversation": "conv-0", "agent": "lull", "place": "lull.1", "entries": (1,), "made_at": DAY}
    return Observation.model_validate(known | {"text": text, "about": (ANN.id,)} | fields)


def shown(asked: NotesPrompt) -> str:
    """Return the text of the prompt."""
    assert asked.prompt is not None
    return "\n".join(asked.prompt.turns[0].parts)
