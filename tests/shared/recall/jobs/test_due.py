"""Tests of when notes are due, when a failure is retried, and what a write preserves of simultaneous ones."""

from datetime import timedelta

from shared.recall.jobs.note import (
    RETRY_BUDGET,
    has_news,
    is_given_up,
    merge_notes,
    notes_after_failure,
    notes_after_limit,
    notes_without_vectors,
)
from shared.values.evolve import evolve
from shared.values.notes import Notes
from tests.shared.examples import NOW, SECOND


def test_new_entries_need_notes() -> None:
    assert has_news(Notes(entries=3, turns=1, noted_seq=2))
    assert not has_news(Notes(entries=3, turns=1, noted_seq=3))
    assert not has_news(Notes(entries=3, turns=0))  # a conversation of commands alone has nothing to note


def test_retries_a_failing_model_less_and_less_often_and_gives_up() -> None:
    notes, waits = Notes(entries=3, turns=1), []
    while not is_given_up(notes):
        notes = notes_after_failure(notes, "no", NOW)
        assert notes.needs_abbreviation
        waits.append((notes.due_at - NOW) / timedelta(minutes=10) if notes.due_at else None)
    assert waits == [1, 2, 4, 8, 16, 32, 64, None]
    assert len(waits) == RETRY_BUDGET.tries


def test_waits_for_a_limit_without_counting_a_failure() -> None:
    notes = notes_after_limit(Notes(entries=3, turns=1, failures=7, failed_seq=3), NOW + SECOND)
    assert (notes.due_at, notes.failures, notes.needs_abbreviation) == (NOW + SECOND, 7, True)
    vectors = notes_without_vectors(Notes(failures=2), NOW, NOW + SECOND)
    assert (vectors.due_at, vectors.failures, vectors.needs_abbreviation) == (NOW + SECOND, 2, False)


def test_new_messages_restart_the_retries() -> None:
    notes = Notes(entries=3, turns=1, failures=RETRY_BUDGET.tries, failed_seq=3, needs_abbreviation=True)
    assert is_given_up(notes)
    more = evolve(notes, entries=4)
    assert not is_given_up(more)
    assert notes_after_failure(more, "no", NOW).failures == 1


def test_keeps_concurrent_writes() -> None:
    seen = Notes(entries=3, turns=5, due_at=NOW, title="")
    made = evolve(seen, abbreviation="A.", noted_seq=3, title="The model's", due_at=None)
    kept = merge_notes(made, seen, seen, NOW)
    assert kept is not None
    assert evolve(kept, history=()) == made
    assert [(one.title, one.abbreviation) for one in kept.history] == [("The model's", ""), ("", "A.")]
    busy = evolve(seen, due_at=NOW + SECOND, entries=4)
    found = merge_notes(made, seen, busy, NOW)
    assert found is not None
    assert (found.due_at, found.entries, found.abbreviation) == (NOW + SECOND, 4, "A.")
    named = evolve(seen, title="Mine", manually_named=True)
    found = merge_notes(made, seen, named, NOW)
    assert found is not None
    assert (found.title, found.manually_named, found.due_at) == ("Mine", True, None)
    assert merge_notes(made, seen, evolve(seen, noted_seq=2), NOW) is None


def test_drops_notes_about_somebody_forgotten_meanwhile() -> None:
    seen = Notes(entries=3, turns=5, due_at=NOW)
    made = evolve(seen, abbreviation="A.", noted_seq=3, due_at=None)
    assert merge_notes(made, seen, evolve(seen, erased_at=NOW), NOW) is None
    again = evolve(seen, erased_at=NOW)
    assert merge_notes(evolve(made, erased_at=NOW), again, again, NOW) is not None
