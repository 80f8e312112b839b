"""Deletes the stored data of files that only one person sent, or that were sent in only one chat."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, TypeVar

from google.cloud.firestore_v1 import DELETE_FIELD, ArrayRemove
from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.async_query import AsyncQuery
from google.cloud.firestore_v1.base_document import DocumentSnapshot
from google.cloud.firestore_v1.base_query import FieldFilter

from shared.chat.store import paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translate_errors
from shared.chat.store.queries import (
    CURATIONS_OF_ALL,
    REFERENCES_FROM,
    REFERENCES_OF_CHAT,
    REFERENCES_OF_CONVERSATION,
    REFERENCES_OF_FILE,
    REFERENCES_OF_PERSON,
)
from shared.media.store.curations import CuratedEdit, decode_edits
from shared.media.store.media import decode_media, is_own_file
from shared.privacy.store.deletion_lookup import pages_of
from shared.webchat.files import is_web_file, stored_path

if TYPE_CHECKING:
    from shared.media.blobs import StorageBlobs


@dataclass(frozen=True, kw_only=True)
class FileSending:
    """A record that a file was sent: by whom (0 for nobody), in which chat and conversation, and when."""

    person: int
    chat: str
    conversation: str
    at: datetime
    #: if the file was only forwarded: the ids of the original authors
    passed_on_from: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class SenderFilter:
    """Decides which sent files are deleted: those of a person (0 for nobody), of some chats, or of one conversation.

    A file that was sent after the cut stays, unless its conversation is deleted.
    """

    person: int = 0
    #: hashes of the person's full names. If the original author of a forward hides their account, only the name is
    #: known
    names: frozenset[int] = frozenset()
    #: ids of the documents of these chats
    chats: frozenset[str] = frozenset()
    #: instead of chats, one conversation: it may have gone on in another chat; "" for none
    conversation: str = ""
    #: None for no limit
    cut: datetime | None = None
    #: ids of conversations that are deleted as a whole
    gone: frozenset[str] = frozenset()

    @property
    def ids(self) -> frozenset[int]:
        """The ids by which `passed_on_from` may name the person: the person's id, and hashes of the person's names."""
        return self.names | ({self.person} if self.person else frozenset())

    def matches(self, sending: FileSending) -> bool:
        """Return whether the file came from the person, directly or forwarded, or from these chats, up to the cut."""
        is_there = sending.conversation == self.conversation if self.conversation else sending.chat in self.chats
        is_theirs = is_there or (self.person != 0 and sending.person == self.person)
        is_theirs = is_theirs or (bool(sending.passed_on_from) and self.ids.issuperset(sending.passed_on_from))
        return is_theirs and (self.cut is None or sending.at <= self.cut or sending.conversation in self.gone)

    def wrote(self, edit: CuratedEdit) -> bool:
        """Return whether the person wrote this description of a file, not later than the time `cut`."""
        return edit.by == self.person != 0 and (self.cut is None or edit.edited_at <= self.cut)


Result = TypeVar("Result")

#: fields that tell who sent a file, where and when
SENDING: Final = ("person", "chat", "conversation", "at", "passed_on_from", "is_own")
#: number of files that are processed together, since a person may have sent thousands
AT_ONCE: Final = 50
#: number of writes in one commit
MOST_WRITES: Final = 300


class FirestoreMediaDeletion:
    """Deletes stored files. Must be created inside the running event loop. `parts` is None if there is no bucket."""

    def __init__(self, client: AsyncClient, parts: StorageBlobs | None) -> None:
        self.client, self._parts = client, parts

    async def files_of(self, whose: SenderFilter) -> tuple[Sequence[str], Sequence[str]]:
        """Return the files that only senders matching `whose` have sent: their unique ids, and the names of their parts
        in the bucket.

        Raises StoreUnavailable or StoreRefused.
        """
        sent = {str(one.get("ref.unique_id")) async for one in self._references(whose)}
        files = await self._only_theirs(sorted(sent), whose)
        parts = await _for_each(files, self._parts_of)
        return files, [path for of_file in parts for path in of_file]

    async def _only_theirs(self, files: Sequence[str], whose: SenderFilter) -> list[str]:
        are_others = await _for_each(files, lambda one: self._is_others(one, whose))
        return [one for one, is_others in zip(files, are_others, strict=True) if not is_others]

    async def _parts_of(self, unique_id: str) -> Sequence[str]:
        with translate_errors("read a file's document"):
            found = await self.client.document(paths.media_path(unique_id)).get(retry=RETRY, timeout=CALL_SECONDS)
        media = decode_media(found.to_dict())
        parts = [one.path for one in media.parts] if media is not None else []
        return [*parts, stored_path(unique_id)] if is_web_file(unique_id) else parts

    async def erase(self, whose: SenderFilter, files: Sequence[str], parts: Sequence[str]) -> Counter[str]:
        """Delete the references to files, the documents of the files, and their stored parts.

        References are deleted last, since the files are found through them. A file that was sent again meanwhile stays.
        Raises a StoreError or BlobsUnavailable.
        """
        theirs = await self._only_theirs(files, whose)
        again = set(files).difference(theirs)
        known = [one for one in parts if one.split("/")[0] not in again]
        # documents that were written meanwhile may name more parts
        newer = [path for of_file in await _for_each(theirs, self._parts_of) for path in of_file]
        count = sum(await _for_each(theirs, self._delete_kept))
        edits = await self._delete_edits(frozenset(theirs), whose)
        objects = sum(await _for_each(list(dict.fromkeys((*known, *newer))), self._delete_part))
        references = await self._delete_references(whose)
        documents = count + edits + references + await self._forget_whose(whose)
        return +Counter(documents=documents, files=count, objects=objects)

    async def _delete_kept(self, unique_id: str) -> bool:
        document = self.client.document(paths.media_path(unique_id))
        with translate_errors("erase a file's document"):
            if not (await document.get([], retry=RETRY, timeout=CALL_SECONDS)).exists:
                return False
            await document.delete(retry=RETRY, timeout=CALL_SECONDS)
        return True

    async def _delete_edits(self, files: frozenset[str], whose: SenderFilter) -> int:
        """Delete what agents' owners wrote about these files, and what the person wrote as an owner about any file.

        Returns the number of descriptions.
        """
        count = 0
        async for one in pages_of(CURATIONS_OF_ALL.on(self.client), "find curated descriptions"):
            edits = decode_edits(one.to_dict())
            gone = [name for name, edit in edits.items() if name in files or whose.wrote(edit)]
            if gone:
                with translate_errors("erase curated descriptions"):
                    fields = {"edits": dict.fromkeys(gone, DELETE_FIELD)}
                    await one.reference.set(fields, merge=True, retry=RETRY, timeout=CALL_SECONDS)
                count += len(gone)
        return count

    async def _delete_part(self, path: str) -> bool:
        return self._parts is not None and await self._parts.delete(path)

    async def _delete_references(self, whose: SenderFilter) -> int:
        gone = [one.reference async for one in self._references(whose)]
        for start in range(0, len(gone), MOST_WRITES):
            batch: Any = self.client.batch()
            for one in gone[start : start + MOST_WRITES]:
                batch.delete(one)
            with translate_errors("erase the references to a file"):
                await batch.commit(retry=RETRY, timeout=CALL_SECONDS)
        return len(gone)

    async def _forget_whose(self, whose: SenderFilter) -> int:
        """Remove the person as original author from other people's references to files that they forwarded.

        Such references stay because these people also sent the file themselves.
        """
        ids, count = sorted(whose.ids), 0
        for of in ids:
            async for one in pages_of(self._passed_on(of).select(["at"]), "find forwards of a person's files"):
                if whose.cut is None or one.get("at") <= whose.cut:
                    with translate_errors("erase the original author of a file"):
                        left = {"passed_on_from": ArrayRemove(ids)}
                        await one.reference.update(left, retry=RETRY, timeout=CALL_SECONDS)
                    count += 1
        return count

    async def _is_others(self, unique_id: str, whose: SenderFilter) -> bool:
        query = REFERENCES_OF_FILE.on(self.client, unique_id).select(SENDING)
        async for one in pages_of(query, "find the senders of a file"):
            if not _is_sent_by(whose, one):
                return True
        return False

    async def _references(self, whose: SenderFilter) -> AsyncIterator[DocumentSnapshot[Any]]:
        queries = [REFERENCES_OF_CHAT.on(self.client, chat) for chat in sorted(whose.chats)]
        if whose.conversation:
            queries.append(REFERENCES_OF_CONVERSATION.on(self.client, whose.conversation))
        if whose.person:
            queries.append(REFERENCES_OF_PERSON.on(self.client, whose.person))
        queries += [self._passed_on(one) for one in sorted(whose.ids)]
        for query in queries:
            async for one in pages_of(query.select([*SENDING, "ref.unique_id"]), "find files that a person sent"):
                if _is_sent_by(whose, one):
                    yield one

    def _passed_on(self, of: int) -> AsyncQuery:
        return REFERENCES_FROM.on(self.client).where(filter=FieldFilter("passed_on_from", "array_contains", of))


async def _for_each(names: Sequence[str], work: Callable[[str], Awaitable[Result]]) -> list[Result]:
    """Call `work` for many names, several at the same time. Return the results in the order of the names."""
    found = list[Result]()
    for start in range(0, len(names), AT_ONCE):
        found += await asyncio.gather(*map(work, names[start : start + AT_ONCE]))
    return found


def _is_sent_by(whose: SenderFilter, reference: DocumentSnapshot[Any]) -> bool:
    known = reference.to_dict() or {}
    return whose.matches(
        FileSending(
            person=known.get("person") or 0,
            chat=known.get("chat") or "",
            conversation=known.get("conversation") or "",
            at=known["at"],
            passed_on_from=() if is_own_file(known) else tuple(known.get("passed_on_from") or ()),
        )
    )
