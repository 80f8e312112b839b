"""The chat's conversation, as the chat counts it: the places of its entries, its turns, and an earlier one taken up."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta

from shared.chat.store.conversations import ConversationState
from shared.chat.store.transcripts import TranscriptPart
from shared.chat.store.writes import Record
from shared.values.chat import Chat, ConversationInfo
from shared.values.decision import DecisionTier
from shared.values.described import textless_files
from shared.values.evolve import evolve
from shared.values.message import AnyEntry, Edit, Message
from shared.values.segment import SegmentStart

#: the window's document is at most 1 MiB; it holds what one round takes in (`shared/turn/quarantine.py`)
WINDOW_BYTES = 900_000
#: a page of the transcript is written by the commit that gives a chat back, one for all that a tick noted. Until then
#: its entries are in the chat's document, which is written anyway, unless they are longer than this
UNPAGED_BYTES = 50_000


def numbered(chat: Chat, entry: AnyEntry) -> tuple[Chat, AnyEntry]:
    """An entry with its place in the transcript, an utterance with its turn too; and the chat that counts on."""
    chat = chat.with_part(evolve(chat.talk, seq=chat.talk.seq + 1))
    if not isinstance(entry, Message) or entry.is_service or entry.is_command:
        return chat, evolve(entry, seq=chat.talk.seq)
    is_next = not chat.talk.turn or (chat.talk.is_answered and not entry.author.is_agent)
    chat = chat.with_part(evolve(chat.talk, turn=chat.talk.turn + is_next, is_answered=entry.author.is_agent))
    return chat, evolve(entry, seq=chat.talk.seq, turn=chat.talk.turn)


def with_own_marks(chat: Chat, noted: Iterable[AnyEntry], *, is_first: bool) -> Chat:
    """The chat after new entries: it knows which of the agent's messages among them are marked.

    `is_first`: whether nothing was said there before, so that all of its messages come after the first of these.
    """
    marks = chat.talk.own_marks
    for entry in noted:
        if isinstance(entry, Message | Edit) and (entry.author.is_agent or (is_first and not marks.since)):
            marks = marks.with_message(entry.message_id, is_marked=entry.author.is_agent and entry.holds_outside)
    return chat if marks == chat.talk.own_marks else chat.with_part(evolve(chat.talk, own_marks=marks))


def with_seen_files(chat: Chat, window: Sequence[AnyEntry]) -> Chat:
    """The chat: messages of the agent's are not marked that only files marked in which there is no text after all."""
    seen, said = textless_files(window), [e for e in window if isinstance(e, Message) and e.unseen]
    cleared = [one.message_id for one in said if all(map(seen.get, one.unseen))]
    left = tuple(one for one in chat.talk.own_marks.marked if one not in cleared)
    return chat.with_part(evolve(chat.talk, own_marks=evolve(chat.talk.own_marks, marked=left)))


def begun(chat: Chat, conversation: str, begun_by: int) -> Chat:
    """The chat with another conversation, still empty. `begun_by`: the update with its first words."""
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


def resumed(chat: Chat, kept: ConversationInfo, window: Sequence[AnyEntry]) -> Chat:
    """The chat with a conversation that it had. `window`: the newest entries of that one, as far as they are known.

    Its transcript tells the last number better than its document, which a tick that died may have left behind.
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
        # what was said before the group became a supergroup has other ids now
        moves=evolve(chat.moves, moved_seq=kept.moved_seq if kept.chat == chat.key.id else seq),
        recall=evolve(chat.recall, rests_at=None, busy_since=None, segment=kept.segment),
    )


#: a conversation that never rests is noted all the same, so often
LONGEST_TALK = timedelta(hours=6)


def is_talk(entry: AnyEntry) -> bool:
    """Whether something is said that is worth notes: not by who may have no answer."""
    if not isinstance(entry, Message | Edit):
        return False
    return entry.decision is None or entry.decision.tier is not DecisionTier.ACCESS


def talking(chat: Chat, now: datetime, rest: timedelta) -> Chat:
    """The chat after something was said: its conversation rests once nothing more is said for the time of a `rest`.

    For as long it stays due even if people go on, so that whoever looks for what is due finds it.
    """
    is_over = chat.recall.rests_at is not None and chat.recall.rests_at + rest <= now
    began = now if chat.recall.busy_since is None or is_over else chat.recall.busy_since
    return chat.with_part(evolve(chat.recall, busy_since=began, rests_at=min(now + rest, began + LONGEST_TALK)))


def left(chat: Chat, now: datetime) -> Chat:
    """The chat as its conversation is left: that one rests from now on."""
    return evolve(
        chat,
        recall=evolve(chat.recall, busy_since=None, rests_at=now),
        talk=evolve(chat.talk, has_past=chat.talk.has_past or chat.talk.turn > 0),
    )


def newest(entries: Sequence[AnyEntry], most: int) -> tuple[AnyEntry, ...]:
    """The last entries that fit into one document."""
    kept: list[AnyEntry] = []
    size = 0
    for entry in reversed(entries[-most:]):
        size += weight_of((entry,))
        if size > WINDOW_BYTES and kept:
            break
        kept.append(entry)
    return tuple(reversed(kept))


def conversation_records(chat: Chat, entries: Sequence[AnyEntry], window: Sequence[AnyEntry]) -> Iterator[Record]:
    """The conversation as it is now: the `entries` that are new in its transcript, and its own document."""
    yield transcript_part(chat, entries)
    yield ConversationState(chat=chat, newest_at=window[-1].at if window else None, entries=tuple(window))


def transcript_part(chat: Chat, entries: Sequence[AnyEntry]) -> TranscriptPart:
    """The entries as they are appended to the conversation's transcript."""
    return TranscriptPart(conversation=chat.conversation, entries=tuple(entries))


def fits_into_chat(entries: Sequence[AnyEntry]) -> bool:
    """Whether entries may stand in the chat's document for as long as a tick holds it."""
    return weight_of(entries) <= UNPAGED_BYTES


def weight_of(entries: Iterable[AnyEntry]) -> int:
    """The bytes of entries, as JSON."""
    return sum(len(entry.model_dump_json().encode(errors="replace")) for entry in entries)


#: the turn at which a conversation gets its first title, unless a person named it
FIRST_TITLE_TURN = 5


def gets_first_title(before: Chat, chat: Chat) -> bool:
    """Whether a conversation has just come to the turn at which it gets its first title. `before`: the chat before."""
    reached_before = before.talk.turn if before.conversation == chat.conversation else 0
    return not chat.talk.conversation_title and reached_before < FIRST_TITLE_TURN <= chat.talk.turn
