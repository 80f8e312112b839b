"""Notes are read from any conversation's document."""

from shared.models.notes import Notes


def test_a_document_of_before_has_no_notes() -> None:
    notes = Notes.model_validate({"chat": "x", "entries": 3, "participants": {}, "unknown": 1})
    assert (notes.abbreviation, notes.noted_seq, notes.due_at, notes.topics) == ("", 0, None, ())
