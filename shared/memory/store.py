"""Memories in Firestore.

Each owner has one document, with a field for each memory, so that simultaneous writes do not overwrite each other.

The time of a memory's last use is a separate field. So writing this time never restores a memory that was forgotten
meanwhile.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from google.cloud.firestore_v1 import DELETE_FIELD
from pydantic import ValidationError

from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, FirestoreStore, translate_errors
from shared.chat.store.queries import MEMORIES_OF_ALL, NAME
from shared.chat.store.writes import CommitContext, LogLine, Record, Write, WriteBatch, WriteMode
from shared.values.chat_key import ChatKey
from shared.values.memory import Memory, MemoryChange, MemoryOwner, MemoryScope, memories_of_chat


@dataclass(frozen=True)
class MemoryChangeRecord(Record):
    """The record that writes a change of one owner's memories."""

    change: MemoryChange

    def log_line(self) -> LogLine:
        told = {"scope": self.change.owner.scope.value, "kept": str(len(self.change.kept))}
        return LogLine(text="memories changed", fields={**told, "gone": str(len(self.change.gone))})

    def writes(self, _: CommitContext) -> Iterator[Write]:
        yield change_write(self.change)


def change_write(change: MemoryChange) -> Write:
    """Return the database write for a change of memories. Repeating this write does no harm."""
    memories = {one.id: one.model_dump(exclude={"used_at"}) for one in change.kept}
    used = dict(change.used)
    document: layout.Document = {
        "memories": {**memories, **dict.fromkeys(change.gone, DELETE_FIELD)},
        "used": {**used, **dict.fromkeys(change.gone, DELETE_FIELD)},
        "forgotten": {
            **{one.id: one.model_dump() for one in change.forgotten},
            **dict.fromkeys(change.renewed, DELETE_FIELD),
        },
    }
    path = paths.memories_path(change.owner)
    return Write(path=path, document={name: one for name, one in document.items() if one}, mode=WriteMode.MERGE)


def decode_memories(document: layout.Document | None) -> tuple[Memory, ...]:
    """Return the memories in a document, oldest first. Memories of an unknown form are left out."""
    return _decode(document, "memories")


def decode_forgotten(document: layout.Document | None) -> tuple[Memory, ...]:
    """Return the marks of forgotten facts (hashes of their words) in a document, oldest first."""
    return tuple(sorted(_decode(document, "forgotten"), key=lambda one: one.changed_at))


def _decode(document: layout.Document | None, field: str) -> tuple[Memory, ...]:
    found = (document or {}).get(field)
    used = (document or {}).get("used")
    used = used if isinstance(used, Mapping) else {}
    memories = list[Memory]()
    for name, one in found.items() if isinstance(found, Mapping) else ():
        with suppress(ValidationError):
            memories.append(Memory.model_validate({**one, "used_at": used.get(name)}))
    return tuple(sorted(memories, key=lambda one: (one.made_at, one.id)))


@dataclass(frozen=True)
class OwnerPage:
    """A page of owners with their memories, and the path after which the next page begins; "" on the last page."""

    owners: Sequence[tuple[MemoryOwner, tuple[Memory, ...]]]
    next_after: str


def memory_owner_in(path: str) -> MemoryOwner | None:
    """Return the owner of the memories in the document with this path; None if it is not a document of memories."""
    match path.split("/"):
        case [paths.PEOPLE, person, paths.MEMORIES, agent] if person.isascii() and person.isdecimal():
            return MemoryOwner(scope=MemoryScope.PERSON, agent=agent, person=int(person))
        case [paths.CHATS, chat, paths.MEMORIES, "current"]:
            with suppress(ValueError):
                return memories_of_chat(ChatKey.from_id(chat))
        case [paths.BOTS, agent, paths.MEMORIES, "current"]:
            return MemoryOwner(scope=MemoryScope.AGENT, agent=agent)
    return None


class FirestoreMemories(FirestoreStore):
    """The memories of people, chats and agents. Every method may raise StoreUnavailable or StoreRefused."""

    async def of(self, owners: Sequence[MemoryOwner]) -> Mapping[MemoryOwner, tuple[Memory, ...]]:
        """Return each owner's memories, oldest first, followed by the marks of the owner's forgotten facts.

        One request reads one document for each owner.
        """
        by_path = {paths.memories_path(owner): owner for owner in owners}
        references = [self.client.document(path) for path in by_path]
        found = dict[MemoryOwner, tuple[Memory, ...]]()
        with translate_errors("read memories"):
            async for snapshot in self.client.get_all(references, retry=RETRY, timeout=CALL_SECONDS):
                document = snapshot.to_dict()
                found[by_path[snapshot.reference.path]] = (*decode_memories(document), *decode_forgotten(document))
        return found

    async def owners(self, agents: Collection[str], after: str, limit: int) -> OwnerPage:
        """Return a page of the owners of these agents' memories, each with its memories, ordered by document path.

        `after` is the path at which the last page ended; "" for the first page. Costs one read for each owner,
        including those of other agents.
        """
        found = list[tuple[MemoryOwner, tuple[Memory, ...]]]()
        page = MEMORIES_OF_ALL.on(self.client).order_by(NAME).limit(limit + 1)
        while True:
            begun = page.start_after({NAME: self.client.document(after)}) if after else page
            with translate_errors("list memories"):
                read = await begun.get(retry=RETRY, timeout=CALL_SECONDS)
            for one in read:
                if len(found) == limit:
                    return OwnerPage(found, after)
                after, owner, kept = one.reference.path, memory_owner_in(one.reference.path), one.to_dict()
                if owner is not None and owner.agent in agents:
                    found.append((owner, (*decode_memories(kept), *decode_forgotten(kept))))
            if len(read) <= limit:
                return OwnerPage(found, "")

    async def change(self, changes: Iterable[MemoryChange]) -> None:
        """Write changes, each into its own fields. May be repeated, and overwrites no simultaneous change.

        A tick instead writes its changes in its commit (`MemoryChangeRecord`).
        """
        batch = WriteBatch(self.client)
        for change in changes:
            batch.add(change_write(change))
        with translate_errors("change memories"):
            await batch.commit(retry=RETRY, timeout=CALL_SECONDS)
