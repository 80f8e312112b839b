"""Records of a conversation: its transcript in pages, its window, its own document. And how entries are read back."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from google.cloud.firestore_v1.base_document import DocumentSnapshot
from pydantic import TypeAdapter, ValidationError

from shared.base.logs import log
from shared.chat.records import ConversationState, NoWindow, TranscriptPart, Window
from shared.chat.store import layout, paths
from shared.chat.store.writes import Commit, Mode, Write, writes_of
from shared.values.chat import Chat
from shared.values.message import AnyEntry
from shared.values.place import place_of
from shared.values.transcript import opening_of, participants_in, people_in

_ENTRY: TypeAdapter[AnyEntry] = TypeAdapter(AnyEntry)
_ENTRIES: TypeAdapter[tuple[AnyEntry, ...]] = TypeAdapter(tuple[AnyEntry, ...])

#: a document holds 1 MiB; pages stay far below
PAGE_BYTES = 300_000


@writes_of.register
def _transcript_part(record: TranscriptPart, _: Commit) -> Iterator[Write]:
    for page in pages_of(record.entries):
        path = paths.page_path(record.conversation, page[0].seq)
        yield Write(path=path, document=encode_page(page), mode=Mode.CREATE)


@writes_of.register
def _window(record: Window, commit: Commit) -> Iterator[Write]:
    chat = commit.chat
    yield Write(path=paths.window_path(chat.key), document=encode_window(chat, record.entries), mode=Mode.SET)


@writes_of.register
def _no_window(_: NoWindow, commit: Commit) -> Iterator[Write]:
    yield Write(path=paths.window_path(commit.chat.key), document={}, mode=Mode.DELETE)


@writes_of.register
def _conversation(record: ConversationState, _: Commit) -> Iterator[Write]:
    document = layout.encode_conversation(record.chat, record.newest_at) | told_by(record.entries)
    document["place"] = place_of(record.chat.key)
    yield Write(path=paths.conversation_path(record.chat.conversation), document=document, mode=Mode.MERGE)


def encode_page(entries: Sequence[AnyEntry]) -> layout.Document:
    """Some consecutive entries of a transcript, with the ids of all of whom they tell, and what speakers are called.

    By the ids pages are found, and so conversations. A list of them in the conversation's own document would grow with
    a public group until nothing could be written there any more.
    """
    return {
        "first_seq": entries[0].seq,
        "entries": [entry.model_dump() for entry in entries],
        "people": sorted(people_in(entries)),
        "names": {str(one.id): one.name for one in participants_in(entries)},
    }


def pages_of(entries: tuple[AnyEntry, ...]) -> Iterator[tuple[AnyEntry, ...]]:
    """The entries of one commit in as few documents as hold them.

    A busy group's minute is one document and one write, instead of sixty.
    """
    page: list[AnyEntry] = []
    size = 0
    for entry in entries:
        length = len(json.dumps(entry.model_dump(mode="json"), ensure_ascii=False).encode(errors="replace"))
        if page and size + length > PAGE_BYTES:
            yield tuple(page)
            page, size = [], 0
        page.append(entry)
        size += length
    if page:
        yield tuple(page)


def encode_window(chat: Chat, entries: tuple[AnyEntry, ...]) -> layout.Document:
    """The newest entries as one document; current while it ends where the chat's document says.

    The entries are one JSON text: each tick reads and writes all of them, and a text takes a tenth of the time that as
    many maps take.
    """
    return {"seq": chat.talk.seq, "conversation": chat.conversation, "entries": _ENTRIES.dump_json(entries).decode()}


def is_current(window: layout.Document, chat: Chat) -> bool:
    """Whether a window's document ends where the pages of the chat's conversation do."""
    return bool(
        window.get("seq") == chat.talk.seq - len(chat.talk.unpaged) and window.get("conversation") == chat.conversation
    )


def decode_window(document: layout.Document | None) -> tuple[AnyEntry, ...]:
    """The entries of a window. Raises ValidationError if it is of another form, or one of them of an unknown kind."""
    return _ENTRIES.validate_json((document or {}).get("entries"))  # type: ignore[arg-type]  # it looks for itself


def decode_entries(document: layout.Document | None) -> tuple[AnyEntry, ...]:
    """The entries of a page. Raises ValidationError if one of them is of an unknown kind."""
    return _ENTRIES.validate_python((document or {}).get("entries"))


def readable(pages: Iterable[DocumentSnapshot[Any]]) -> Iterator[AnyEntry]:
    """The entries of some pages of a transcript, without those of a kind that only a newer lull knows."""
    for page in pages:
        yield from _readable((page.to_dict() or {}).get("entries"), page.id)


def readable_window(document: layout.Document) -> tuple[AnyEntry, ...]:
    """The entries of a window, without those of a kind that only a newer lull knows; none of one of another form."""
    try:
        entries = json.loads(document.get("entries", ""))
    except (TypeError, ValueError):
        return ()
    return tuple(_readable(entries, "the window"))


def _readable(entries: Any, name: str) -> Iterator[AnyEntry]:
    for entry in entries if isinstance(entries, list) else ():
        try:
            yield _ENTRY.validate_python(entry)
        except ValidationError:
            log("an entry of a transcript cannot be read and is left out", page=name)


def told_by(entries: tuple[AnyEntry, ...]) -> layout.Document:
    """What the newest entries tell of a conversation, to be merged: its first words."""
    opening = opening_of(entries)
    return {"opening": opening} if opening else {}
