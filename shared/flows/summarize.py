"""Summarising one chat: what was said in its last 7 and 30 days, by elapsed time; quiet chats are never looked at.

The new summary is kept before the old one goes: prompts show the old one until then. A run that dies between the two
is followed by one that only has to show what is kept.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from shared.errors import ModelError, ModelUnavailable
from shared.logs import about, log
from shared.models.agent import zone_named
from shared.models.chat import Chat
from shared.models.occasion import Occasion
from shared.models.place import place_of
from shared.models.summary import ChatSummary, Span, SpanConversation
from shared.models.usage import ModelUse, Purpose, can_leave_out
from shared.models.wake import Job, background_job
from shared.ports.chats import JobQueue
from shared.ports.notes import NotesStore
from shared.ports.summaries import Summaries
from shared.ports.world import Models
from shared.scheduling.zones import first_zone
from shared.summarizing.asking import SCHEMA, Days, summary_asked, summary_in

#: conversations of a span, those of them whose newest messages are read, and observations of the place
MOST_CONVERSATIONS, MOST_READ, MOST_OBSERVATIONS = 50, 5, 100
#: how long a summary waits for somebody who is past their limit
PATIENCE = timedelta(days=1)
#: what waits for a limit is asked for at full hours: of one name, it is asked for once
EPOCH, HOUR = datetime(1970, 1, 1, tzinfo=UTC), timedelta(hours=1)


@dataclass(frozen=True, kw_only=True)
class SummaryTerms:
    """How large a summary of a span is, in tokens, and how often another is made."""

    tokens: int
    every: timedelta


@dataclass(frozen=True, kw_only=True)
class Summarizer:
    """What summarising needs. `model` is the name of the one that is asked; empty: none is."""

    store: Summaries
    notes: NotesStore
    models: Models
    model: str
    terms: Mapping[Span, SummaryTerms]
    clock: Callable[[], datetime]
    #: where a chat waits for a limit to go on
    queue: JobQueue
    #: characters of a prompt
    room: int
    #: by agent, the zone of its times
    zones: Mapping[str, str] = field(default_factory=dict)
    #: by agent, what it is called
    names: Mapping[str, str] = field(default_factory=dict)


async def summary_job_for(summarizer: Summarizer, chat: str, began_at: datetime, occasion: Occasion) -> Job | None:
    """The call that summarises a chat in which something was said, if a summary is due; two reads.

    `began_at` is when the chat began, as far as is known: the time until its first summary counts from there.
    """
    if not summarizer.model:
        return None
    now, kept = summarizer.clock(), await summarizer.store.kept(chat)
    for span in Span:
        if span not in kept:
            await summarizer.store.keep(chat, span, ChatSummary(made_at=began_at))
    last = {span: kept.get(span, ChatSummary(made_at=began_at)) for span in Span}
    due = [span for span, one in last.items() if one.is_due(now, summarizer.terms[span].every)]
    if not due:
        return None
    of = " ".join(f"{span.value} {last[span].counts_from.isoformat()}" for span in due)
    return background_job({"job": "summarize", "chat": chat}, of, now, occasion.traceparent)


async def summarize(summarizer: Summarizer, occasion: Occasion) -> Mapping[str, int]:
    """How many summaries of this occasion's chat were made, and shown. At a limit it is asked for again by itself.

    Raises a StoreError or a QueueError: then the same may be asked for again.
    """
    with about(chat=occasion.chat):
        chat = await summarizer.store.chat(occasion.chat)
        if chat is None:
            log("there is no such chat")
            return {}
        made = shown = 0
        kept, seen = await summarizer.store.kept(occasion.chat), await summarizer.store.shown(occasion.chat)
        for span in Span:
            last = kept.get(span)
            if last is None:
                continue
            if last.is_due(summarizer.clock(), summarizer.terms[span].every):
                try:
                    new = await _made(summarizer, chat, span, last)
                except ModelUnavailable as limit:
                    await _wait(summarizer, occasion, limit.again_at or summarizer.clock())
                    break
                if new is None:
                    continue
                await summarizer.store.keep(occasion.chat, span, new)
                last, made = new, made + 1
            if last.text and (span not in seen or seen[span].made_at < last.made_at):
                await summarizer.store.show(occasion.chat, span, last)
                shown += 1
        return {"made": made, "shown": shown}


async def _wait(by: Summarizer, occasion: Occasion, goes_on: datetime) -> None:
    """Have the chat summarised when a limit goes on: by one call, whoever met the limit within the same hour."""
    at = goes_on + (EPOCH - goes_on) % HOUR
    body, of = {"job": "summarize", "chat": occasion.chat}, f"limit {at.isoformat()}"
    await by.queue.enqueue(background_job(body, of, at, occasion.traceparent))


async def _made(by: Summarizer, chat: Chat, span: Span, last: ChatSummary) -> ChatSummary | None:
    """A new summary; the last one, with when that was found, if nothing was said; none if the model gives none.

    Raises ModelUnavailable at a limit.
    """
    now, days = by.clock(), await _days(by, chat, span, last)
    # somebody past their limit is waited for until theirs goes on with the next day, and no longer: others need it, too
    is_late = now >= last.counts_from + by.terms[span].every + PATIENCE
    while True:
        asked = summary_asked(days)
        if asked.prompt is None:
            return last.model_copy(update={"looked_at": now})
        use = ModelUse(purpose=Purpose.SUMMARIZE, chat=chat.key, writers=asked.writers)
        try:
            reply = await by.models.model(by.model, use).generate(asked.prompt, SCHEMA)
            break
        except ModelError as error:
            log(f"no summary: {error}")
            if is_late and can_leave_out(asked.writers, error.payers):
                days = replace(days, without=days.without | error.payers)
            elif error.again_at is not None:
                raise
            else:
                return None
    found = summary_in(reply.text, asked, now) if reply.is_complete else None
    log("summarised" if found else "no summary: the model gave none", span=span.value)
    return found


async def _days(by: Summarizer, chat: Chat, span: Span, last: ChatSummary) -> Days:
    since = by.clock() - span.length
    found = await by.store.conversations(chat.ids, since, MOST_CONVERSATIONS)
    return Days(
        span=span,
        key=chat.key,
        now=by.clock(),
        conversations=await _with_entries(by, found),
        observations=await by.notes.known(place_of(chat.key), MOST_OBSERVATIONS),
        before=last,
        zone=zone_named(first_zone(await by.notes.zone(chat.key), by.zones.get(chat.key.agent, ""))),
        own_name=by.names.get(chat.key.agent, ""),
        tokens=by.terms[span].tokens,
        room=by.room,
    )


async def _with_entries(by: Summarizer, found: Sequence[SpanConversation]) -> Sequence[SpanConversation]:
    read = [replace(one, newest=await by.store.newest_entries(one.id)) for one in found[:MOST_READ]]
    return (*read, *found[MOST_READ:])
