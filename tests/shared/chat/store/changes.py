"""Builders of commits for tests: a chat with entries, a window, read updates, a plan."""

from collections.abc import Iterator, Sequence
from typing import Any, TypedDict, Unpack

from shared.chat.store.chats import ChatCommit, ReadUpdates
from shared.chat.store.conversations import ConversationState
from shared.chat.store.incidents import NewIncident
from shared.chat.store.plans import CurrentPlan
from shared.chat.store.transcripts import TranscriptPart, Window
from shared.chat.store.writes import CommitContext, Record, Write
from shared.tasks.plan import Plan
from shared.values.chat import Chat
from shared.values.incident import Incident
from shared.values.message import AnyEntry
from tests.shared.examples import NOW


class Written(TypedDict, total=False):
    """What a commit writes besides the chat's document."""

    read: Sequence[int]
    entries: Sequence[AnyEntry]
    window: Sequence[AnyEntry]
    plan: Plan | None
    #: whether the conversation's own document is written too
    conversation: bool
    incidents: Sequence[Incident]


def change_of(chat: Chat, **written: Unpack[Written]) -> ChatCommit:
    """Return a commit as a session makes it."""
    return ChatCommit(chat=chat, records=tuple(_records(chat, written)))


def _records(chat: Chat, written: Written) -> Iterator[Record]:
    window = written.get("window")
    if read := written.get("read"):
        yield ReadUpdates(tuple(read))
    if entries := written.get("entries"):
        yield TranscriptPart(conversation=chat.conversation, entries=tuple(entries))
    if window is not None:
        yield Window(tuple(window))
    if written.get("conversation"):
        yield ConversationState(chat=chat, newest_at=window[-1].at if window else None)
    if (plan := written.get("plan")) is not None:
        yield CurrentPlan(plan)
    yield from map(NewIncident, written.get("incidents", ()))


def written_by(record: Record, chat: Chat) -> list[tuple[str, str, dict[str, Any]]]:
    """List the mode, path and document of each write that a record makes."""
    writes: list[Write] = list(record.writes(CommitContext(chat=chat, at=NOW)))
    return [(write.mode.value, write.path, write.document) for write in writes]
