"""Restoring: conversations, chats and all else of an archive into a database, to which nothing of it is ever lost.

Who was forgotten since stays so: the archive tells of them, and what comes back of them is erased again at the end.

Plans are not restored: nobody can tell what of them was sent after the archive was made, and nothing is sent twice. The
next message in a chat plans afresh, with the conversation before it.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from shared.archiving.erasures import read_erasure
from shared.archiving.names import conversation_of, is_erasure
from shared.archiving.reading import read_transcript
from shared.errors import RestoreRefused, TranscriptUnreadable
from shared.flows.archive import restore_documents
from shared.flows.erase_again import erase_again, keep_erasures
from shared.flows.erase_run import Eraser
from shared.models.chat import Chat
from shared.models.chat_key import ChatKey, ChatKind
from shared.models.erasure import Erasure
from shared.models.transcript import Transcript
from shared.ports.upkeep import Archive, Documents, Restoring

#: a chat's wakes are named by its generation, and a name stays taken for some time: a restored chat is far beyond them
GENERATIONS_AHEAD = 1_000_000


@dataclass(frozen=True, kw_only=True)
class RestoreProgress:
    """How far it came."""

    done: int
    of: int


@dataclass(frozen=True, kw_only=True)
class Restorer:
    """What restoring needs. `tell` hears of the progress; `warn` hears sentences that quote nothing.

    `eraser` is of that database, without archives: what was forgotten is erased again there.
    """

    database: Restoring
    eraser: Eraser
    archive: Archive
    tell: Callable[[RestoreProgress], None]
    warn: Callable[[str], None]
    #: what is in no transcript; none: it is not restored
    documents: Documents | None = None


@dataclass(kw_only=True)
class Restored:
    """What came of it: files by what became of them (restored, there, unreadable), and chats and documents likewise.

    `erasures`: those that were carried out again (erased), that the sweep has to (left), or that no one can read.
    """

    conversations: Counter[str] = field(default_factory=Counter)
    chats: Counter[str] = field(default_factory=Counter)
    documents: Counter[str] = field(default_factory=Counter)
    erasures: Counter[str] = field(default_factory=Counter)


async def restore(restorer: Restorer, *, adds: bool = False) -> Restored:
    """Add everything that the archive has and the database has not; it may be repeated.

    Raises RestoreRefused for a database that is not empty, unless it `adds`; StoreUnavailable, StoreRefused,
    ArchiveUnavailable.
    """
    if not adds and not await restorer.database.is_empty():
        raise RestoreRefused(
            "the database has conversations already, and nothing was restored. To add those that are missing and "
            "leave all others as they are, say so: ADD=yes"
        )
    files = await restorer.archive.names()
    names = [name for name in files if conversation_of(name)]
    restored, chats, ends = Restored(), dict[str, Chat](), dict[str, tuple[int, int]]()
    archived = await _erasures(restorer, [name for name in files if is_erasure(name)], restored)
    await keep_erasures(restorer.eraser, archived)  # first: if this dies, the sweep erases what there is by then
    for number, name in enumerate(names, start=1):
        transcript = await _read(restorer, name)
        if transcript is None:
            restored.conversations["unreadable"] += 1
        else:
            restored.conversations[_what(await restorer.database.add(transcript))] += 1
            ends[transcript.conversation] = (transcript.seq, transcript.turn)
            if transcript.chat is not None:
                chats[transcript.chat.key.id] = _newer(chats.get(transcript.chat.key.id), transcript.chat)
        restorer.tell(RestoreProgress(done=number, of=len(names)))
    if restorer.documents is not None:
        known = [one async for one in restorer.eraser.log.all()]
        restored.documents = await restore_documents(restorer.documents, restorer.archive, files, known, restorer.warn)
    for chat in chats.values():  # last: a chat's conversation is there before anything goes on with it
        restored.chats[_what(await restorer.database.add_chat(_resumed(chat, ends)))] += 1
        if chat.moved_from:
            await restorer.database.add_chat(_old(chat))
    restored.erasures += await erase_again(restorer.eraser)
    return restored


async def _erasures(restorer: Restorer, names: Sequence[str], restored: Restored) -> Sequence[Erasure]:
    found = list[Erasure]()
    for name in names:
        try:
            found.append(read_erasure(await restorer.archive.get(name)))
        except TranscriptUnreadable as error:
            restorer.warn(f"{name}: {error}; left out")
            restored.erasures["unreadable"] += 1
    return found


async def _read(restorer: Restorer, name: str) -> Transcript | None:
    content = await restorer.archive.get(name)
    try:
        return read_transcript(content, lambda line, what: restorer.warn(f"{name}: line {line} {what}; left out"))
    except TranscriptUnreadable as error:
        restorer.warn(f"{name}: {error}; left out")
        return None


def _newer(known: Chat | None, chat: Chat) -> Chat:
    """Of what two files say of one chat, what is newer."""
    return chat if known is None or (chat.generation, chat.seq) >= (known.generation, known.seq) else known


def _resumed(chat: Chat, ends: Mapping[str, tuple[int, int]]) -> Chat:
    """A chat that goes on: it counts its conversation's entries and turns from the newest that there are.

    A page is created by its number: a chat that counted from further back could write no more.
    """
    seq, turn = ends.get(chat.conversation, (0, 0))
    newest = {"seq": max(chat.seq, seq), "turn": max(chat.turn, turn)}
    return chat.model_copy(update={**newest, "generation": chat.generation + GENERATIONS_AHEAD})


def _old(chat: Chat) -> Chat:
    """What the chat of a group's old id says: where the group went when it became a supergroup."""
    key = ChatKey(agent=chat.key.agent, chat_id=chat.moved_from)
    generation = chat.generation + GENERATIONS_AHEAD
    return Chat(key=key, kind=ChatKind.GROUP, moved_to=chat.key.chat_id, generation=generation)


def _what(was_added: bool) -> str:
    return "restored" if was_added else "there"
