"""The sources of an export. Each source yields one kind of data about a person, as lines or as files.

The rows of a source always have the same order, and each row has a cursor. Reading can be continued at any cursor.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from shared.chat.document_json import to_json
from shared.privacy.export.own_entries import (
    ALWAYS,
    OF_OTHERS,
    ExportableEntries,
    GroupPresence,
    GroupPresenceFinder,
    line_of,
)
from shared.privacy.store.belongings import PersonChat, PersonConversation
from shared.recall.store.memberships import Membership
from shared.values.notes import Observation
from shared.values.stored_media import StoredPart

if TYPE_CHECKING:
    from shared.privacy.store.belongings import FirestoreBelongings

#: fields of a reminder that are left out: those for indexes, and those with ids of other people
_NOT_TOLD: Final = OF_OTHERS | {"open_in", "open_for", "expires_at"}
#: file extensions by MIME type
_ENDINGS: Final = {
    **{"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp", "image/gif": "gif"},
    **{"audio/ogg": "ogg", "audio/mpeg": "mp3", "audio/mp4": "m4a", "audio/wav": "wav", "audio/webm": "webm"},
    **{"video/mp4": "mp4", "video/webm": "webm", "application/pdf": "pdf", "text/plain": "txt"},
}


@dataclass(frozen=True, kw_only=True)
class ExportSubject:
    """The person who asked for an export, and the chats and conversations that contain data about the person."""

    person: int
    belongings: FirestoreBelongings
    chats: Sequence[PersonChat]
    conversations: Sequence[PersonConversation]
    #: when the person asked
    asked_at: datetime
    #: when the person was in each group, for the groups that were looked up so far
    _presences: dict[tuple[Membership, ...], GroupPresence] = field(default_factory=dict, init=False)

    async def entries_in(self, conversation: PersonConversation) -> ExportableEntries:
        """Return an object that selects the person's entries in a conversation."""
        is_private, presence = _is_own(conversation.chat, self.person), await self.presence_in(conversation.chat)
        return ExportableEntries(self.person, is_private=is_private, presence=presence)

    async def presence_in(self, chat: PersonChat) -> GroupPresence:
        """Return when the person was in a chat. Entries are read only if the person left, or may have left."""
        if _is_own(chat, self.person):
            return ALWAYS
        if chat.memberships not in self._presences:
            finder = GroupPresenceFinder(self.person, chat.memberships, self.asked_at)
            for one in self.conversations if finder.needs_entries else ():
                if one.chat.memberships == chat.memberships and not _is_own(one.chat, self.person):
                    async for entry in self.belongings.entries(one.id):
                        finder.see(entry)
            self._presences[chat.memberships] = finder.result()
        return self._presences[chat.memberships]


@dataclass(frozen=True, kw_only=True)
class ExportLine:
    """One line of the source's file, a JSON object."""

    cursor: str
    fields: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class ExportFile:
    """A file from the media bucket, with its name in the export and its cursor."""

    cursor: str
    name: str
    part: StoredPart


ExportRow: TypeAlias = ExportLine | ExportFile
ExportRowReader: TypeAlias = Callable[[ExportSubject, str], AsyncGenerator[ExportRow, None]]


@dataclass(frozen=True, kw_only=True)
class ExportSource:
    """One kind of data: the name of its file in the export, and a function that reads its rows after a cursor.

    The cursor "" stands for the beginning.
    """

    name: str
    rows: ExportRowReader
    #: the collections from which the rows come
    of: tuple[str, ...]


async def _messages(subject: ExportSubject, cursor: str) -> AsyncGenerator[ExportRow, None]:
    begun, _, skipped = cursor.partition(" ")
    for conversation in subject.conversations:
        if conversation.id < begun:
            continue
        skip = int(skipped) if conversation.id == begun else 0
        theirs = await subject.entries_in(conversation)
        async for entry in subject.belongings.entries(conversation.id):
            taken = theirs.of(entry)
            if taken is not None and entry.seq > skip:
                fields = line_of(taken, _place(conversation))
                yield ExportLine(cursor=f"{conversation.id} {entry.seq}", fields=fields)


def _simple(rows: Callable[[ExportSubject], AsyncIterator[Mapping[str, Any]]]) -> ExportRowReader:
    """Return a reader for a source with few rows. To continue at a cursor, the reader starts at the beginning and skips
    rows.
    """

    async def beyond(subject: ExportSubject, cursor: str) -> AsyncGenerator[ExportRow, None]:
        numbers = count(1)
        async for fields in rows(subject):
            number = next(numbers)
            if number > int(cursor or 0):
                yield ExportLine(cursor=str(number), fields=to_json(fields))

    return beyond


async def _about(subject: ExportSubject) -> AsyncIterator[Mapping[str, Any]]:
    yield {"person": subject.person, **await subject.belongings.profile(subject.person)}
    for chat in subject.chats:
        told = {"chat": chat.ids[0], "agent": chat.agent, "is_private": chat.is_private}
        # a person who left a group must not see the group's new title
        yield told if (await subject.presence_in(chat)).is_over else {**told, "title": chat.title}


async def _notes(subject: ExportSubject) -> AsyncIterator[Mapping[str, Any]]:
    """Yield the notes of the person's private chats. Notes of a group are left out, since they are made of everybody's
    words.
    """
    for conversation in subject.conversations:
        if _is_own(conversation.chat, subject.person):
            yield {**_place(conversation), **await subject.belongings.notes(conversation)}
    for chat in subject.chats:
        if _is_own(chat, subject.person) and (summaries := await subject.belongings.summaries(chat)):
            yield {"chat": chat.ids[0], "summaries": summaries}


async def _memories(subject: ExportSubject) -> AsyncIterator[Mapping[str, Any]]:
    async for memory in subject.belongings.memories(subject.person, subject.chats):
        yield {name: value for name, value in memory.items() if name not in OF_OTHERS | {"also_by"}}


async def _observations(subject: ExportSubject) -> AsyncIterator[Mapping[str, Any]]:
    for conversation in subject.conversations:
        is_own = _is_own(conversation.chat, subject.person)
        found = [one async for one in subject.belongings.observations(conversation.id)]
        about = [one for one in found if is_own or subject.person in one.about]
        taken = await _own_entries(subject, conversation, about) if about and not is_own else None
        for one in about:
            # an observation that is based on others' words would reveal what these people wrote to each other
            if taken is None or taken.issuperset(one.entries):
                yield {**_place(conversation), **one.model_dump(mode="json", exclude={"agent", "place"})}


async def _own_entries(
    subject: ExportSubject, conversation: PersonConversation, about: Sequence[Observation]
) -> set[int]:
    """Return the numbers of the entries that the person may export, up to the last entry that an observation cites."""
    last = max((seq for one in about for seq in one.entries), default=0)
    theirs, taken = await subject.entries_in(conversation), set[int]()
    async for entry in subject.belongings.entries(conversation.id):
        if entry.seq > last:
            break
        if theirs.of(entry) is not None:
            taken.add(entry.seq)
    return taken


async def _reminders(subject: ExportSubject) -> AsyncIterator[Mapping[str, Any]]:
    async for reminder in subject.belongings.reminders(subject.person):
        yield {name: value for name, value in reminder.items() if name not in _NOT_TOLD}


async def _requests(subject: ExportSubject) -> AsyncIterator[Mapping[str, Any]]:
    async for told in subject.belongings.requests(subject.person):
        yield told


async def _usage(subject: ExportSubject) -> AsyncIterator[Mapping[str, Any]]:
    async for used in subject.belongings.usage(subject.person, subject.chats):
        yield used


async def _incidents(subject: ExportSubject) -> AsyncIterator[Mapping[str, Any]]:
    """Yield the incidents of the person's private chats. Incidents of a group are left out, since they may quote
    others.
    """
    for chat in subject.chats:
        if _is_own(chat, subject.person):
            async for incident in subject.belongings.incidents(chat):
                yield incident


async def _marks(subject: ExportSubject) -> AsyncIterator[Mapping[str, Any]]:
    """Yield the owner's verdicts on the person's messages, without the owner's id."""
    async for mark in subject.belongings.marks(subject.person):
        yield {name: value for name, value in mark.items() if name != "by"}


async def _console(subject: ExportSubject) -> AsyncIterator[Mapping[str, Any]]:
    """Yield what the person did and wrote in the console as an agent's owner, without the ids of other people."""
    async for record in subject.belongings.console_records(subject.person):
        yield {name: value for name, value in record.items() if name not in _NOT_TOLD}
    async for written in subject.belongings.written_as_owner(subject.person):
        yield {name: value for name, value in written.items() if name not in {"person", "by"}}


async def _media(subject: ExportSubject) -> AsyncIterator[Mapping[str, Any]]:
    async for told, parts in subject.belongings.files(subject.person):
        names = [_file_name(told["file"]["unique_id"], number, part) for number, part in enumerate(parts, start=1)]
        yield {**told, "copies": names}


async def _files(subject: ExportSubject, cursor: str) -> AsyncGenerator[ExportRow, None]:
    numbers, given = count(1), set[str]()
    async for told, parts in subject.belongings.files(subject.person):
        name = told["file"]["unique_id"]
        for place, part in enumerate(parts if name not in given else (), start=1):
            number = next(numbers)
            if number > int(cursor or 0):
                yield ExportFile(cursor=str(number), name=_file_name(name, place, part), part=part)
        given.add(name)


def _file_name(unique_id: str, number: int, part: StoredPart) -> str:
    return f"media/{unique_id}-{number}.{_ENDINGS.get(part.mime_type, 'bin')}"


def _is_own(chat: PersonChat, person: int) -> bool:
    """Return whether a chat is the person's private chat with an agent or with a channel. Nobody can leave such a
    chat.
    """
    return (chat.is_private and chat.chat_id == person) or (chat.topic_id < 0 and bool(chat.memberships))


def _place(conversation: PersonConversation) -> Mapping[str, Any]:
    chat = conversation.chat
    return {"conversation": conversation.id, "chat": chat.ids[0], "agent": chat.agent}


#: In the order in which they are gathered. A position in an export has the source's index, so a new source must be the
#: last.
SOURCES: Final = (
    ExportSource(name="about", rows=_simple(_about), of=("people", "chats", "memberships")),
    ExportSource(name="messages", rows=_messages, of=("conversations/messages",)),
    ExportSource(
        name="conversations", rows=_simple(_notes), of=("conversations", "conversations/compression", "summaries")
    ),
    ExportSource(name="memories", rows=_simple(_memories), of=("people/memories", "chats/memories", "bots/memories")),
    ExportSource(name="observations", rows=_simple(_observations), of=("conversations/observations",)),
    ExportSource(name="reminders", rows=_simple(_reminders), of=("events",)),
    ExportSource(name="media", rows=_simple(_media), of=("references", "media", "bots/curations")),
    ExportSource(name="files", rows=_files, of=("media",)),
    ExportSource(name="requests", rows=_simple(_requests), of=("requests", "bots")),
    ExportSource(name="usage", rows=_simple(_usage), of=("usage", "accounts")),
    ExportSource(name="incidents", rows=_simple(_incidents), of=("incidents",)),
    ExportSource(name="marks", rows=_simple(_marks), of=("marks",)),
    ExportSource(name="console", rows=_simple(_console), of=("console_records", "marks", "bots/curations")),
)
