"""Files that only somebody sent, or that were sent nowhere but in a chat: what is kept of them, and their parts."""

from collections import Counter
from collections.abc import AsyncIterator, Sequence
from typing import Any, Final, Protocol

from google.cloud.firestore_v1 import ArrayRemove
from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.async_query import AsyncQuery
from google.cloud.firestore_v1.base_document import DocumentSnapshot
from google.cloud.firestore_v1.base_query import FieldFilter

from shared.adapters.firestore import paths
from shared.adapters.firestore.calls import CALL_SECONDS, RETRY, translated
from shared.adapters.firestore.erasing_finding import pages_of
from shared.adapters.firestore.media import decode_media
from shared.adapters.firestore.queries import (
    REFERENCES_FROM,
    REFERENCES_OF_CHAT,
    REFERENCES_OF_FILE,
    REFERENCES_OF_PERSON,
)
from shared.adapters.firestore.records.references import is_own
from shared.ports.erasing import Senders, Sending

#: what tells who sent a file, and where
SENDING: Final = ("person", "chat", "conversation", "at", "passed_on_from", "is_own")


class Parts(Protocol):
    """The bucket of media."""

    async def delete(self, path: str) -> bool:
        """Delete a part; false: it was there no more. Raises BlobsUnavailable."""


class FirestoreMediaErasing:
    """One client per instance, made inside the running loop. `parts` is none where there is no bucket."""

    def __init__(self, client: AsyncClient, parts: Parts | None) -> None:
        """`client` belongs to the running loop."""
        self.client, self._parts = client, parts

    async def files_of(self, whose: Senders) -> tuple[Sequence[str], Sequence[str]]:
        """The unique ids of files that nobody else sent; and their parts."""
        sent = {str(one.get("ref.unique_id")) async for one in self._references(whose)}
        files = [one for one in sorted(sent) if not await self._is_others(one, whose)]
        parts = list[str]()
        for unique_id in files:
            parts += await self._parts_of(unique_id)
        return files, parts

    async def _parts_of(self, unique_id: str) -> Sequence[str]:
        with translated("read what is kept of a file"):
            found = await self.client.document(paths.media_path(unique_id)).get(retry=RETRY, timeout=CALL_SECONDS)
        media = decode_media(found.to_dict())
        return [one.path for one in media.parts] if media is not None else []

    async def erase(self, whose: Senders, files: Sequence[str], parts: Sequence[str]) -> Counter[str]:
        """Delete references, what is kept of the files, and the parts; references go last: by them files are found.

        A file that was sent again meanwhile, by whomever, stays.
        """
        counts = Counter[str]()
        again = {one for one in files if await self._is_others(one, whose)}
        parts = [one for one in parts if one.split("/")[0] not in again]
        for unique_id in (one for one in files if one not in again):  # what was written meanwhile names parts, too
            parts = [*parts, *await self._parts_of(unique_id)]
            document = self.client.document(paths.media_path(unique_id))
            with translated("erase what is kept of a file"):
                if (await document.get([], retry=RETRY, timeout=CALL_SECONDS)).exists:
                    await document.delete(retry=RETRY, timeout=CALL_SECONDS)
                    counts += Counter(documents=1, files=1)
        for path in dict.fromkeys(parts):
            if self._parts is not None and await self._parts.delete(path):
                counts["objects"] += 1
        gone = [one.reference async for one in self._references(whose)]
        for one in gone:
            with translated("erase who sent a file"):
                await one.delete(retry=RETRY, timeout=CALL_SECONDS)
        return counts + Counter(documents=len(gone) + await self._forget_whose(whose))

    async def _forget_whose(self, whose: Senders) -> int:
        """Have references to what others sent as their own, too, tell no more that it was passed on from them."""
        ids, count = sorted(whose.ids), 0
        for of in ids:
            async for one in pages_of(self._passed_on(of).select(["at"]), "find what somebody passed on"):
                if whose.cut is None or one.get("at") <= whose.cut:
                    with translated("erase whose a file was"):
                        left = {"passed_on_from": ArrayRemove(ids)}
                        await one.reference.update(left, retry=RETRY, timeout=CALL_SECONDS)
                    count += 1
        return count

    async def _is_others(self, unique_id: str, whose: Senders) -> bool:
        query = REFERENCES_OF_FILE.on(self.client, unique_id).select(SENDING)
        async for one in pages_of(query, "find who sent a file"):
            if not _is_sent_by(whose, one):
                return True
        return False

    async def _references(self, whose: Senders) -> AsyncIterator[DocumentSnapshot[Any]]:
        queries = [REFERENCES_OF_CHAT.on(self.client, chat) for chat in sorted(whose.chats)]
        if whose.person:
            queries.append(REFERENCES_OF_PERSON.on(self.client, whose.person))
        queries += [self._passed_on(one) for one in sorted(whose.ids)]
        for query in queries:
            async for one in pages_of(query.select([*SENDING, "ref.unique_id"]), "find what somebody sent"):
                if _is_sent_by(whose, one):
                    yield one

    def _passed_on(self, of: int) -> AsyncQuery:
        return REFERENCES_FROM.on(self.client).where(filter=FieldFilter("passed_on_from", "array_contains", of))


def _is_sent_by(whose: Senders, reference: DocumentSnapshot[Any]) -> bool:
    known = reference.to_dict() or {}
    return whose.sent(
        Sending(
            person=known.get("person") or 0,
            chat=known.get("chat") or "",
            conversation=known.get("conversation") or "",
            at=known["at"],
            passed_on_from=() if is_own(known) else tuple(known.get("passed_on_from") or ()),
        )
    )
