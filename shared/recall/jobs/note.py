"""Takes notes of one conversation that is at rest (idle), in one model call: a short version (`abbreviation`), a title,
topics and observations (dated statements).

The job may be killed at any point and repeated: the result of a call is written at once, and the conversation stays due
until everything is done. The job does not claim the chat, and preserves changes that a tick or a person made meanwhile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from ulid import ULID

from shared.base.errors import ModelError, ModelUnavailable, WriteConflict
from shared.base.logs import about, log
from shared.chat.queue import JobQueue
from shared.llm.ports.embedding import Embedder
from shared.llm.ports.world import ModelProvider
from shared.recall.jobs.embed_notes import VectorBuilder
from shared.recall.jobs.summarize import Summarizer, summary_job_for
from shared.recall.notes_prompt import NotesInput, NotesPrompt, notes_prompt, title_prompt
from shared.recall.notes_reply import NotesReply, parse_notes, superseded_observations, updated_notes
from shared.recall.store.notes import NotesChange, NotesSnapshot
from shared.recall.titles import are_topics_due, is_title_due
from shared.reminders.times.zones import first_zone
from shared.values.agent import parse_zone
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.job_run import JobRun
from shared.values.notes import Notes, with_history
from shared.values.place import place_of
from shared.values.retry import FailedAttempt, GiveUp, RetryBudget, decide_retry
from shared.values.usage import ModelUse, Purpose, can_leave_out
from shared.values.wake import note_job

if TYPE_CHECKING:
    from shared.recall.store.notes import FirestoreNotes

#: the largest number of model calls in one run, and the time after the run's start until which another call may begin
MOST_CALLS: Final = 3
LONGEST_RUN: Final = timedelta(seconds=30)
#: how many times a write is tried if others change the document meanwhile
MOST_WRITES: Final = 5
#: how many observations of a place are read; of these, the ones about people in the conversation are shown to the model
MOST_KNOWN: Final = 60


@dataclass(frozen=True, kw_only=True)
class NoteTaker:
    """The stores, models and settings for taking notes. `model` is the model's name; "" disables notes."""

    store: FirestoreNotes
    models: ModelProvider
    model: str
    queue: JobQueue
    clock: Callable[[], datetime]
    #: the longest prompt in characters
    room: int
    #: each agent's time zone
    zones: Mapping[str, str] = field(default_factory=dict)
    #: makes vectors; if None, search uses words alone
    embedder: Embedder | None = None
    #: makes the summaries of chats; None disables summaries
    summarizer: Summarizer | None = None


async def note(noter: NoteTaker, job_run: JobRun) -> Mapping[str, int]:
    """Take notes of the job's conversation. Return counts of what was changed.

    Raises a StoreError or a QueueError; the run may then be repeated.
    """
    conversation = job_run.conversation
    with about(conversation=conversation):
        seen = await noter.store.read(conversation)
        if seen is None:
            log("the conversation of this job does not exist")
            return {}
        return await _Run(noter, job_run, noter.clock() + LONGEST_RUN).of(seen)


async def title(noter: NoteTaker, job_run: JobRun) -> Mapping[str, int]:
    """Give the job's conversation its first title. Return the number of titles written.

    Nothing is written if the conversation has a title, or if the model gives none now. Raises a StoreError; the run may
    be repeated.
    """
    with about(conversation=job_run.conversation):
        seen = await noter.store.read(job_run.conversation)
        if seen is None or not noter.model or not is_title_due(seen.notes):
            return {}
        try:
            return await _Run(noter, job_run, noter.clock() + LONGEST_RUN).first_title(seen)
        except ModelUnavailable:  # the title will be made together with the notes
            return {}


@dataclass(frozen=True)
class _Run:
    """One run of a job, for one conversation."""

    by: NoteTaker
    job_run: JobRun
    until: datetime

    async def of(self, seen: NotesSnapshot) -> Mapping[str, int]:
        counts = Counter[str]()
        is_due = seen.notes.due_at is not None and seen.notes.due_at <= self.by.clock()
        while is_due and self._is_to_be_noted(seen.notes) and counts["calls"] < MOST_CALLS and self._has_time:
            counts["calls"] += 1
            made = await self._write_notes(seen)
            fresh = await self.by.store.read(seen.conversation)
            if made is None or fresh is None:
                return counts
            counts["observations"] += len(made.observations)
            seen = fresh
            if made.notes.needs_abbreviation:
                break
        # while the conversation is still due, a killed run is repeated, so the summary is not lost
        if is_due and self.by.summarizer is not None and seen.notes.chat:
            await self._have_summarised(self.by.summarizer, seen)
        await self._embed(seen, is_due=is_due)
        return counts

    async def _have_summarised(self, summarizer: Summarizer, seen: NotesSnapshot) -> None:
        """Enqueue the job that summarises the chat, if a summary is due."""
        began_at = started_at(seen.conversation) or seen.notes.updated_at or self.by.clock()
        job = await summary_job_for(summarizer, seen.notes.chat, began_at, self.job_run)
        if job is not None:
            await self.by.queue.enqueue(job)

    async def first_title(self, seen: NotesSnapshot) -> Mapping[str, int]:
        source = await self._talk(seen)
        if source is None:
            return {}
        source, prompt, reply = await self._ask_payers(source, title_prompt)
        noted = parse_notes(reply, prompt, source, self.by.clock()) if reply else NotesReply()
        if not noted.title:
            log("the model gave no title")
            return {}
        kept = await self._keep(
            seen,
            NotesChange(notes=evolve(seen.notes, title=noted.title, titled_turn=seen.notes.turns, topics=noted.topics)),
        )
        return {"titles": int(kept is not None)}

    @property
    def _has_time(self) -> bool:
        return self.by.clock() <= self.until

    async def _embed(self, seen: NotesSnapshot, *, is_due: bool) -> None:
        """Make the vectors. Mark the conversation as done unless more messages need notes.

        If a vector cannot be made now, the notes are stored all the same.
        """
        notes, vectors = seen.notes, VectorBuilder(self.by.store, self.by.embedder, self.by.clock, _key(seen.notes))
        if not is_due and notes.embedding_model in {"", vectors.mark}:
            return
        if is_due and self._is_to_be_noted(notes) and not notes.needs_abbreviation:
            await self._go_on(seen)
            return
        try:
            is_whole = await vectors.segments(seen.conversation, self.until)
            vector = await vectors.abbreviation(notes, seen.conversation)
        except ModelError as error:
            log(f"no vectors: {error}")
            await self._keep(seen, NotesChange(notes=notes_without_vectors(notes, self.by.clock(), error.again_at)))
            return
        if not is_whole:
            await self._go_on(seen)
            return
        done: dict[str, Any] = {"embedding_model": vectors.mark}
        if not notes.needs_abbreviation:
            done["failures"] = 0
        if not (notes.needs_abbreviation and self._is_to_be_noted(notes)):
            later = (notes.due_at if notes.left_out else None, vectors.waits_until)
            waiting = [one for one in later if one is not None and one > self.by.clock()]
            done["due_at"] = min(waiting, default=None) if is_due else notes.due_at
        await self._keep(seen, NotesChange(notes=notes.model_copy(update=done), vector=vector))

    async def _go_on(self, seen: NotesSnapshot) -> None:
        """Enqueue another run. The conversation stays due, in case the task is lost."""
        of = f"{seen.notes.noted_seq} {self.by.clock().isoformat()}"
        await self.by.queue.enqueue(note_job(seen.conversation, of, self.by.clock(), self.job_run.traceparent))

    def _is_to_be_noted(self, notes: Notes) -> bool:
        is_wanted = has_news(notes) or is_left_out_due(notes, self.by.clock())
        return bool(self.by.model) and is_wanted and not is_given_up(notes)

    async def _write_notes(self, seen: NotesSnapshot) -> NotesChange | None:
        """Ask the model once, and write the result. Return None, without a write, if another run wrote first."""
        source = await self._talk(seen)
        if source is None:
            log("the conversation belongs to no chat, so no notes are taken")
            return await self._keep(seen, NotesChange(notes=notes_past(seen.notes, seen.notes.entries)))
        if not source.entries:  # this is stored, since otherwise every run would try again
            log("the transcript lacks entries that its conversation counts, so no notes are taken")
            up_to, left = (source.after, ()) if source.is_late else (seen.notes.entries, seen.notes.left_out)
            return await self._keep(seen, NotesChange(notes=notes_past(seen.notes, up_to, left)))
        try:
            source, prompt, reply = await self._ask_payers(source, notes_prompt)
        except ModelUnavailable as limit:
            return await self._keep(
                seen, NotesChange(notes=notes_after_limit(seen.notes, limit.again_at or self.by.clock()))
            )
        if prompt.prompt is None:
            return await self._keep(seen, NotesChange(notes=notes_past(seen.notes, prompt.up_to_seq, prompt.left_out)))
        noted = parse_notes(reply, prompt, source, self.by.clock()) if reply else NotesReply()
        if not noted.abbreviation:
            notes = notes_after_failure(seen.notes, "the model gave no notes", self.by.clock())
            return await self._keep(seen, NotesChange(notes=notes))
        return await self._keep(seen, _change(source, prompt, noted))

    async def _talk(self, seen: NotesSnapshot) -> NotesInput | None:
        notes, key = seen.notes, _key(seen.notes)
        if key is None:
            return None
        late = notes.left_out if not has_news(notes) else ()
        entries = await self.by.store.entries_after(seen.conversation, min(late) - 1 if late else notes.noted_seq)
        zone = first_zone(await self.by.store.zone(key), self.by.zones.get(key.agent, ""))
        return NotesInput(
            conversation=seen.conversation,
            key=key,
            notes=notes,
            entries=[one for one in entries if one.seq <= notes.noted_seq] if late else entries,
            is_late=bool(late),
            known=await self.by.store.observations_of_place(notes.place or place_of(key), MOST_KNOWN),
            zone=parse_zone(zone),
            wants_title=is_title_due(notes),
            wants_topics=are_topics_due(notes),
            room=self.by.room,
        )

    async def _ask_payers(
        self, source: NotesInput, ask: Callable[[NotesInput], NotesPrompt]
    ) -> tuple[NotesInput, NotesPrompt, str]:
        """Ask the model about the texts of people who can pay. A later run asks about the other texts.

        Return the input, its prompt and the reply. Raises ModelUnavailable if nobody can pay or a shared limit is hit.
        """
        waits: datetime | None = None
        while True:
            prompt = ask(source)
            try:
                return source, prompt, await self._ask_model(source, prompt) if prompt.prompt is not None else ""
            except ModelUnavailable as limit:
                if limit.again_at is None or not can_leave_out(prompt.writers, limit.payers):
                    raise
                log("notes of messages whose author is past the spending limit are taken later")
                waits = min(limit.again_at, waits or limit.again_at)
                notes = evolve(source.notes, due_at=waits)
                source = replace(source, without=source.without | limit.payers, notes=notes)

    async def _ask_model(self, source: NotesInput, prompt: NotesPrompt) -> str:
        """Return the model's complete reply; "" if it gives none now. Raises ModelUnavailable if a limit is reached."""
        assert prompt.prompt is not None
        use = ModelUse(purpose=Purpose.ABBREVIATE, chat=source.key, writers=prompt.writers)
        model = self.by.models.model(self.by.model, use)
        try:
            reply = await model.generate(prompt.prompt, prompt.schema)
        except ModelError as error:
            log(f"no notes: {error}")
            if error.again_at is not None:
                raise
            return ""
        return reply.text if reply.is_complete else ""

    async def _keep(self, seen: NotesSnapshot, change: NotesChange) -> NotesChange | None:
        """Write the change, and preserve what others changed meanwhile. Return the change as it was written; None if
        another run wrote first.
        """
        now: NotesSnapshot | None = seen
        for _ in range(MOST_WRITES):
            notes = merge_notes(change.notes, seen.notes, now.notes, self.by.clock()) if now is not None else None
            if now is None or notes is None:
                log("notes are not written: another run wrote them, or a person was deleted meanwhile")
                return None
            try:
                await self.by.store.write(now, replace(change, notes=notes))
            except WriteConflict:
                now = await self.by.store.read(seen.conversation)
                continue
            return replace(change, notes=notes)
        raise WriteConflict(f"the conversation's document changed at each of {MOST_WRITES} writes; run the job again")


def _key(notes: Notes) -> ChatKey | None:
    try:
        return ChatKey.from_id(notes.chat)
    except ValueError:
        return None


def started_at(conversation: str) -> datetime | None:
    """Return the time at which a conversation began, which is part of its id; None if the id contains no time."""
    try:
        return ULID.from_str(conversation.removeprefix("conv-")).datetime
    except ValueError:
        return None


def _change(source: NotesInput, prompt: NotesPrompt, noted: NotesReply) -> NotesChange:
    """Return the change that stores the content of a reply."""
    moments = (prompt.moments[seq] for one in noted.observations for seq in one.entries)
    return NotesChange(
        notes=updated_notes(source, prompt, noted),
        observations=noted.observations,
        superseded=superseded_observations(prompt, noted),
        # segments with vectors must be updated, since they lack the new observations
        since=min(moments, default=None),
    )


#: a model that fails is asked again after ten minutes, then less and less often, for a day; new messages restart the
#: count
RETRY_BUDGET: Final = RetryBudget(tries=8, after=timedelta(minutes=10), longest_after=timedelta(hours=12))
#: making a vector is retried without end: vectors cost almost nothing, and search works by words meanwhile
VECTOR_RETRY_BUDGET: Final = RetryBudget(tries=1_000_000, after=timedelta(minutes=10), longest_after=timedelta(hours=6))


def has_news(notes: Notes) -> bool:
    """Return whether the conversation has entries of which no notes were taken yet."""
    return notes.turns > 0 and notes.entries > notes.noted_seq


def is_given_up(notes: Notes) -> bool:
    """Return whether the model has failed the maximum number of times, and no message has come since."""
    return notes.failures >= RETRY_BUDGET.tries and notes.failed_seq >= notes.entries


def notes_after_failure(notes: Notes, why: str, now: datetime) -> Notes:
    """Return the notes with one more failure of the model, and with the time of the next try.

    After the last try, the time is None until there are new messages.
    """
    failures = notes.failures + 1 if notes.failed_seq >= notes.entries else 1
    decision = decide_retry(FailedAttempt(why=why, tries=failures), RETRY_BUDGET, now)
    due_at = None if isinstance(decision, GiveUp) else decision.at
    return evolve(notes, failures=failures, failed_seq=notes.entries, needs_abbreviation=True, due_at=due_at)


def is_left_out_due(notes: Notes, now: datetime) -> bool:
    """Return whether it is time to take notes of entries that were left out because of a limit."""
    return bool(notes.left_out) and notes.due_at is not None and notes.due_at <= now


def notes_after_limit(notes: Notes, again_at: datetime) -> Notes:
    """Return the notes, due again when a spending limit ends, at `again_at`. This does not count as a failure."""
    return evolve(notes, needs_abbreviation=has_news(notes), due_at=again_at)


def notes_past(notes: Notes, up_to_seq: int, left_out: tuple[int, ...] = ()) -> Notes:
    """Return the notes with the entries up to `up_to_seq` marked as done, because no notes can be made of them."""
    needs = notes.needs_abbreviation and up_to_seq < notes.entries
    up_to_seq = max(up_to_seq, notes.noted_seq)
    return evolve(notes, noted_seq=up_to_seq, left_out=left_out, needs_abbreviation=needs)


def notes_without_vectors(notes: Notes, now: datetime, again_at: datetime | None = None) -> Notes:
    """Return the notes with the time of the next try to make their vectors. The notes themselves are not made again.

    If a spending limit prevented the vectors, pass the time of its end (`again_at`). This does not count as a failure.
    """
    if again_at is not None:
        return evolve(notes, due_at=again_at)
    failures = notes.failures + (not notes.needs_abbreviation)
    due_at = now + VECTOR_RETRY_BUDGET.wait_after(max(1, failures))
    if notes.needs_abbreviation and notes.due_at is not None:
        due_at = min(due_at, notes.due_at)
    return evolve(notes, failures=failures, failed_seq=notes.entries, due_at=due_at)


def merge_notes(made: Notes, seen: Notes, now: Notes, at: datetime) -> Notes | None:
    """Return the notes to write: `made`, combined with changes that others stored meanwhile. `seen` are the notes on
    which `made` is based, `now` the stored ones.

    If somebody stored a due time or chose a title meanwhile, it is kept. Return None if another run has stored notes of
    the same entries, or if a person whom the notes may mention was deleted meanwhile.
    """
    if (now.noted_seq, now.left_out, now.erased_at) != (seen.noted_seq, seen.left_out, seen.erased_at):
        return None
    kept: dict[str, object] = {"due_at": now.due_at} if now.due_at != seen.due_at else {}
    if now.manually_named:
        kept["title"] = now.title
    told = now.model_dump(include={"chat", "chat_title", "place", "entries", "turns", "updated_at", "manually_named"})
    return with_history(made.model_copy(update={**told, **kept}), now, at)
