"""Notes can be read from any conversation's document, and keep the conversation's title and topics."""

import pytest

from shared.values.evolve import evolve
from shared.values.notes import (
    MOST_ABBREVIATIONS,
    MOST_NAMES,
    NotedEvent,
    Notes,
    history_in,
    history_text,
    with_history,
)
from tests.shared.examples import NOW, SECOND


def test_a_document_of_before_has_no_notes() -> None:
    notes = Notes.model_validate({"chat": "x", "entries": 3, "participants": {}, "unknown": 1})
    assert (notes.abbreviation, notes.noted_seq, notes.due_at, notes.topics) == ("", 0, None, ())
    assert notes.history == ()


TITLED = Notes(title="Tea", topics=("tea",), abbreviation="Ann wants tea.")


@pytest.mark.parametrize(
    ("before", "after", "new"),
    [
        (Notes(), Notes(), []),
        (TITLED, TITLED, []),
        (Notes(), Notes(title="Tea", topics=("tea",)), [NotedEvent(at=NOW, title="Tea", topics=("tea",))]),
        (TITLED, evolve(TITLED, topics=("cake",)), [NotedEvent(at=NOW, topics=("cake",))]),
        (TITLED, evolve(TITLED, abbreviation="So."), [NotedEvent(at=NOW, abbreviation="So.")]),
        (
            Notes(),
            evolve(TITLED, abbreviation_holds_outside=True),
            [
                NotedEvent(at=NOW, title="Tea", topics=("tea",), holds_outside=True),
                NotedEvent(at=NOW, abbreviation="Ann wants tea.", holds_outside=True),
            ],
        ),
        (TITLED, Notes(), []),  # notes that were emptied add nothing to the history
    ],
)
def test_what_is_new_is_added_to_the_history(before: Notes, after: Notes, new: list[NotedEvent]) -> None:
    assert with_history(after, before, NOW).history == tuple(new)


def test_a_history_is_stored_as_a_text_and_bounded_and_loses_no_title_to_abbreviations() -> None:
    notes = with_history(Notes(title="Tea at five"), Notes(), NOW)
    for n in range(MOST_ABBREVIATIONS + 5):
        notes = with_history(evolve(notes, abbreviation=f"a{n}"), notes, NOW + n * SECOND)
    assert (len(notes.history), notes.history[-1].abbreviation) == (1 + MOST_ABBREVIATIONS, "a54")
    assert notes.history[0].title == "Tea at five"
    stored = history_text(notes.history)
    assert Notes.model_validate({"history": stored}).history == history_in(stored) == notes.history
    for n in range(MOST_NAMES + 5):
        notes = with_history(evolve(notes, topics=(f"t{n}",)), notes, NOW + n * SECOND)
    assert len(notes.history) == MOST_NAMES + MOST_ABBREVIATIONS
    assert history_text(()) == ""
