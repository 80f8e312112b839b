"""When a conversation's notes are made, and when what failed is tried again."""

from datetime import datetime, timedelta
from typing import Final

from shared.models.notes import Notes, with_history
from shared.models.retry import Budget, Failure, GiveUp, decide_retry

#: a model that gives no notes is asked again in ten minutes, then ever more seldom, over a day; new messages count anew
PATIENCE: Final = Budget(tries=8, after=timedelta(minutes=10), longest_after=timedelta(hours=12))
#: vectors cost next to nothing, and search finds by words meanwhile: their model is never given up
VECTOR_PATIENCE: Final = Budget(tries=1_000_000, after=timedelta(minutes=10), longest_after=timedelta(hours=6))


def has_news(notes: Notes) -> bool:
    """Whether something was said that no notes tell of."""
    return notes.turns > 0 and notes.entries > notes.noted_seq


def is_given_up(notes: Notes) -> bool:
    """Whether the model failed at just these messages as often as it is asked."""
    return notes.failures >= PATIENCE.tries and notes.failed_seq >= notes.entries


def failed(notes: Notes, why: str, now: datetime) -> Notes:
    """The notes after the model gave none: when it is asked again; never, until there are new messages."""
    failures = notes.failures + 1 if notes.failed_seq >= notes.entries else 1
    decision = decide_retry(Failure(why=why, tries=failures), PATIENCE, now)
    due_at = None if isinstance(decision, GiveUp) else decision.at
    known = {"failures": failures, "failed_seq": notes.entries, "needs_abbreviation": True, "due_at": due_at}
    return notes.model_copy(update=known)


def is_late(notes: Notes, now: datetime) -> bool:
    """Whether it is time to note what was left out, since whoever wrote it was past their limit."""
    return bool(notes.left_out) and notes.due_at is not None and notes.due_at <= now


def at_limit(notes: Notes, again_at: datetime) -> Notes:
    """The notes after a limit was met, which is no failure of the model's: it is asked when that goes on."""
    return notes.model_copy(update={"needs_abbreviation": has_news(notes), "due_at": again_at})


def passed_over(notes: Notes, up_to_seq: int, left_out: tuple[int, ...] = ()) -> Notes:
    """The notes after entries of which nothing can be told now."""
    needs = notes.needs_abbreviation and up_to_seq < notes.entries
    up_to_seq = max(up_to_seq, notes.noted_seq)
    return notes.model_copy(update={"noted_seq": up_to_seq, "left_out": left_out, "needs_abbreviation": needs})


def unembedded(notes: Notes, now: datetime, again_at: datetime | None = None) -> Notes:
    """The notes after no vector could be made: what was noted stays, and the vectors alone are tried again.

    `again_at`: when a limit goes on, if that is why; then it is no failure.
    """
    if again_at is not None:
        return notes.model_copy(update={"due_at": again_at})
    failures = notes.failures + (not notes.needs_abbreviation)
    due_at = now + VECTOR_PATIENCE.wait_after(max(1, failures))
    if notes.needs_abbreviation and notes.due_at is not None:
        due_at = min(due_at, notes.due_at)
    return notes.model_copy(update={"failures": failures, "failed_seq": notes.entries, "due_at": due_at})


def settled(made: Notes, seen: Notes, now: Notes, at: datetime) -> Notes | None:
    """The notes to be kept at a moment, where the document was read as `seen` when they were made, and reads as `now`.

    A moment that was written meanwhile stays: there are new messages. So does a title that a person gave meanwhile.
    None: another run has noted the same, or somebody was forgotten meanwhile of whom the notes may tell.
    """
    if (now.noted_seq, now.left_out, now.erased_at) != (seen.noted_seq, seen.left_out, seen.erased_at):
        return None
    kept: dict[str, object] = {"due_at": now.due_at} if now.due_at != seen.due_at else {}
    if now.manually_named:
        kept["title"] = now.title
    told = now.model_dump(include={"chat", "chat_title", "place", "entries", "turns", "updated_at", "manually_named"})
    return with_history(made.model_copy(update={**told, **kept}), now, at)
