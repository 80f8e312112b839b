"""The conversation of a chat: numbers of entries and turns, and how conversations begin, are left and are resumed."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta

from shared.chat.store.conversations import ConversationState
from shared.chat.store.transcripts import TranscriptPart
from shared.chat.store.writes import Record
from shared.chat.tick_record import TickRecord
from shared.values.chat import Chat, ConversationInfo
from shared.values.decision import DecisionTier
from shared.values.described import textless_files
from shared.values.evolve import evolve
from shared.values.message import AnyEntry, Edit, Message
from shared.values.segment import SegmentStart

#: a document has at most 1 MiB; the window must hold what one round reads (`shared/turn/quarantine.py`)
WINDOW_BYTES = 900_000
#: a tick's entries are written as one page when the chat is released. Until then, they are in the chat's document,
#: which every commit writes anyway. If they are longer than this, they get pages at once
UNPAGED_BYTES = 50_000


def number_entry(chat: Chat, entry: AnyEntry) -> tuple[Chat, AnyEntry]:
    """Return the chat with new counters, and the entry with its number. A turn's message also gets the turn number."""
    chat = chat.with_part(evolve(chat.talk, seq=chat.talk.seq + 1))
    if not isinstance(entry, Message) or entry.is_service or entry.is_command:
        return chat, evolve(entry, seq=chat.talk.seq)
    is_next = not chat.talk.turn or (chat.talk.is_answered and not entry.author.is_agent)
    chat = chat.with_part(evolve(chat.talk, turn=chat.talk.turn + is_next, is_answered=entry.author.is_agent))
    return chat, evolve(entry, seq=chat.talk.seq, turn=chat.talk.turn)


def with_own_marks(chat: Chat, noted: Iterable[AnyEntry], *, is_first: bool) -> Chat:
    """Return the chat with an updated record of which of the agent's messages contain untrusted text.

    `is_first`: these are the chat's first messages, so the record covers all messages of the agent.
    """
    marks = chat.talk.own_marks
    for entry in noted:
        if isinstance(entry, Message | Edit) and (entry.author.is_agent or (is_first and not marks.since)):
            marks = marks.with_message(entry.message_id, is_marked=entry.author.is_agent and entry.holds_outside)
    return chat if marks == chat.talk.own_marks else chat.with_part(evolve(chat.talk, own_marks=marks))


def with_seen_files(chat: Chat, window: Sequence[AnyEntry]) -> Chat:
    """Return the chat with fewer messages marked as untrusted.

    A message that was untrusted only because of undescribed files is unmarked once all of these files were described as
    containing no text.
    """
    seen, said = textless_files(window), [e for e in window if isinstance(e, Message) and e.unseen]
    cleared = [one.message_id for one in said if all(map(seen.get, one.unseen))]
    marked = tuple(one for one in chat.talk.own_marks.marked if one not in cleared)
    return chat.with_part(evolve(chat.talk, own_marks=evolve(chat.talk.own_marks, marked=marked)))


def begin_conversation(chat: Chat, conversation: str, begun_by: int) -> Chat:
    """Return the chat with a new, empty conversation. `begun_by`: the id of the update that begins it."""
    return evolve(
        chat,
        conversation=conversation,
        talk=evolve(
            chat.talk,
            begun_by=begun_by,
            conversation_title="",
            seq=0,
            shown_seq=0,
            unmarked_seq=0,
            turn=0,
            is_answered=False,
            unpaged=(),
            keyboards=(),
        ),
        moves=evolve(chat.moves, moved_seq=0),
        recall=evolve(chat.recall, segment=SegmentStart(), rests_at=None, busy_since=None),
        planning=evolve(chat.planning, waits_until=None),
    )


def resume_conversation(chat: Chat, kept: ConversationInfo, window: Sequence[AnyEntry]) -> Chat:
    """Return the chat with one of its earlier conversations, `kept`, as the current one. `window`: the newest known
    entries of that conversation.

    If the window and the conversation's document differ in a number, the larger one counts, since a killed tick may
    have left the document outdated.
    """
    newest = max((entry.seq for entry in window), default=0)
    said = [e for e in window if isinstance(e, Message) and not (e.is_service or e.is_command)]
    seq = max(kept.entries, newest)
    return evolve(
        chat,
        conversation=kept.id,
        talk=evolve(
            chat.talk,
            seq=seq,
            shown_seq=seq,
            turn=max((kept.turns, *(entry.turn for entry in said))),
            is_answered=bool(said) and said[-1].author.is_agent,
            conversation_title=kept.title if kept.manually_named else "",
            model=kept.model,
            begun_by=0,
            keyboards=(),
            unmarked_seq=0,
            unpaged=(),
        ),
        planning=evolve(chat.planning, waits_until=None),
        # messages from before the group became a supergroup have other ids now
        moves=evolve(chat.moves, moved_seq=kept.moved_seq if kept.chat == chat.key.id else seq),
        recall=evolve(chat.recall, rests_at=None, busy_since=None, segment=kept.segment),
    )


#: notes are written at least this often, even if the conversation never rests
LONGEST_TALK = timedelta(hours=6)


def is_talk(entry: AnyEntry) -> bool:
    """Return whether notes should cover an entry: the entry is text, and its author may get an answer."""
    if not isinstance(entry, Message | Edit):
        return False
    return entry.decision is None or entry.decision.tier is not DecisionTier.ACCESS


def note_activity(chat: Chat, now: datetime, rest: timedelta) -> Chat:
    """Return the chat after new text, with the new time at which its conversation comes to rest.

    A conversation comes to rest when nobody has written for `rest`, and at the latest LONGEST_TALK after it became
    busy. If people go on writing after that latest time, it is kept for another `rest`, so that the search for resting
    conversations finds the conversation. Then a new busy time begins.
    """
    is_over = chat.recall.rests_at is not None and chat.recall.rests_at + rest <= now
    began = now if chat.recall.busy_since is None or is_over else chat.recall.busy_since
    return chat.with_part(evolve(chat.recall, busy_since=began, rests_at=min(now + rest, began + LONGEST_TALK)))


def leave_conversation(chat: Chat, now: datetime) -> Chat:
    """Return the chat with its conversation at rest, because the chat changes to another conversation."""
    return evolve(
        chat,
        recall=evolve(chat.recall, busy_since=None, rests_at=now),
        talk=evolve(chat.talk, has_past=chat.talk.has_past or chat.talk.turn > 0),
    )


def newest(entries: Sequence[AnyEntry], most: int) -> tuple[AnyEntry, ...]:
    """Return the last entries, at most `most`, as far as they fit into one document."""
    kept: list[AnyEntry] = []
    size = 0
    for entry in reversed(entries[-most:]):
        size += weight_of((entry,))
        if size > WINDOW_BYTES and kept:
            break
        kept.append(entry)
    return tuple(reversed(kept))


def conversation_records(
    chat: Chat,
    entries: Sequence[AnyEntry],
    window: Sequence[AnyEntry],
    tick: TickRecord | None = None,
    *,
    is_current: bool = True,
) -> Iterator[Record]:
    """Yield the record that appends a conversation's new entries, and the record that updates its document.

    `is_current`: whether the conversation stays the current one of the chat.
    """
    yield transcript_part(chat, entries, tick)
    yield ConversationState(
        chat=chat,
        newest_at=window[-1].at if window else None,
        entries=tuple(window),
        added=tuple(entries),
        is_current=is_current,
    )


def transcript_part(chat: Chat, entries: Sequence[AnyEntry], tick: TickRecord | None = None) -> TranscriptPart:
    """Return the record that appends entries to the transcript, with the record of the tick that writes them."""
    return TranscriptPart(conversation=chat.conversation, entries=tuple(entries), record=tick)


def fits_into_chat(entries: Sequence[AnyEntry]) -> bool:
    """Return whether the entries are small enough for the chat's document."""
    return weight_of(entries) <= UNPAGED_BYTES


def weight_of(entries: Iterable[AnyEntry]) -> int:
    """Return the size of the entries as JSON, in bytes."""
    return sum(len(entry.model_dump_json().encode(errors="replace")) for entry in entries)


#: the turn at which a conversation gets its first title, unless a person has named it
FIRST_TITLE_TURN = 5


def gets_first_title(before: Chat, chat: Chat) -> bool:
    """Return whether a conversation without a title reached FIRST_TITLE_TURN since the chat's state `before`."""
    reached_before = before.talk.turn if before.conversation == chat.conversation else 0
    return not chat.talk.conversation_title and reached_before < FIRST_TITLE_TURN <= chat.talk.turn
