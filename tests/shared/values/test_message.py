"""Entries are the same after they are stored and read."""

import pytest
from pydantic import TypeAdapter, ValidationError

from shared.values.decision import Decision, DecisionTier
from shared.values.media import MediaKind, MediaRef
from shared.values.message import AnyEntry, Edit, Event, QuotedMessage, Reaction
from tests.shared.examples import ANN, BOB, NOW, said

ENTRIES: TypeAdapter[AnyEntry] = TypeAdapter(AnyEntry)
EACH = [
    said(
        "hi",
        reply=QuotedMessage(message_id=3, author=BOB, excerpt="…"),
        entities=({"type": "bold", "offset": 0, "length": 2},),
    ),
    said(
        "",
        media="a photo",
        media_refs=(MediaRef(kind=MediaKind.PHOTO, file_id="f"),),
        decision=Decision(respond=True, reason="mentioned", tier=DecisionTier.EXPLICIT),
    ),
    Edit(at=NOW, message_id=1, author=ANN, text="ho", updates=(9,)),
    Reaction(at=NOW, message_id=1, author=None, emojis=("👍",)),
    Event(at=NOW, kind="poll"),
]


@pytest.mark.parametrize("entry", EACH, ids=lambda entry: entry.type)
def test_an_entry_comes_back_from_a_document_and_from_json(entry: AnyEntry) -> None:
    assert ENTRIES.validate_python(entry.model_dump()) == entry
    assert ENTRIES.validate_json(entry.model_dump_json()) == entry


def test_an_entry_of_no_known_type_is_refused() -> None:
    with pytest.raises(ValidationError):
        ENTRIES.validate_python({"type": "rumour", "at": NOW})
