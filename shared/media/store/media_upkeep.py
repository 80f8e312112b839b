"""What whoever runs lull may ask Firestore of media: counts, and files that were given up."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import Any

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.async_query import AsyncQuery
from google.cloud.firestore_v1.base_document import DocumentSnapshot

from shared.chat.store import paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translated
from shared.chat.store.queries import (
    MEDIA_OF_OUTCOME,
    NAME,
    OPEN_REFERENCES,
    REFERENCES_OF_CHAT,
    REFERENCES_OF_FILE,
    REFERENCES_OF_PERSON,
)
from shared.chat.store.writes import Batch, Mode, Write
from shared.media.ports import MediaCounts
from shared.media.store.media import MOST_REFERENCES, decode_media, encode_media, references_in
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.kept_media import KeptMedia
from shared.values.media import Outcome
from shared.values.reference import Reference


class FirestoreMediaUpkeep:
    """One client per instance, made inside the running loop. Raises StoreUnavailable or StoreRefused."""

    def __init__(self, project: str, page: int = MOST_REFERENCES) -> None:
        """Open the client; the emulator's address is the official client's own setting.

        `page`: references that are read, and written in one commit, at once.
        """
        self.client, self._page = AsyncClient(project=project), page

    async def counts(self) -> MediaCounts:
        """How many files there are, by what came of them; a count costs a read for every thousand."""
        by_outcome = {one: await _count(MEDIA_OF_OUTCOME.on(self.client, one.value)) for one in Outcome}
        return MediaCounts(by_outcome=by_outcome, open_references=await _count(OPEN_REFERENCES.on(self.client, True)))

    async def given_up(self, limit: int) -> Sequence[KeptMedia]:
        """Files that could not be described, however often they were tried."""
        query = MEDIA_OF_OUTCOME.on(self.client, Outcome.PERMANENT_FAILURE.value).limit(limit)
        with translated("list files that were given up"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        return [one for one in (decode_media(document.to_dict()) for document in found) if one is not None]

    async def give_back(self, media: KeptMedia, now: datetime) -> None:
        """Have the next sweep's run try a file, as if it had never been tried; its senders' chats are told anew.

        The file is last: what ends before it leaves a file that is still given up, and so is given back again.
        """
        opened = {"is_open": True, "is_awaited": False, "try_at": now}
        batch = Batch(self.client)
        async for page in self._pages(REFERENCES_OF_FILE.on(self.client, media.unique_id)):
            for one in page:
                batch.add(Write(path=one.reference.path, document=opened, mode=Mode.UPDATE))
            if len(page) == self._page:
                await _commit(batch)
                batch = Batch(self.client)
        again = encode_media(
            evolve(media, description=None, tries=0, claimed_until=None, next_try_at=None, updated_at=now)
        )
        batch.add(Write(path=paths.media_path(media.unique_id), document=again, mode=Mode.UPDATE))
        await _commit(batch)

    async def of_chat(self, key: ChatKey) -> Sequence[Reference]:
        """What was sent in a chat, the oldest first."""
        return await self._references(REFERENCES_OF_CHAT.on(self.client, key.id))

    async def of_person(self, person: int) -> Sequence[Reference]:
        """What a person sent, in all chats of all agents, the oldest first."""
        return await self._references(REFERENCES_OF_PERSON.on(self.client, person))

    async def _references(self, query: AsyncQuery) -> Sequence[Reference]:
        return [one async for page in self._pages(query) for one in references_in(page)]

    async def _pages(self, query: AsyncQuery) -> AsyncIterator[Sequence[DocumentSnapshot[Any]]]:
        """All documents of a query; the last page is shorter than the others, and may be empty."""
        page = query.order_by(NAME).limit(self._page)
        while True:
            with translated("find who sent a file"):
                found = await page.get(retry=RETRY, timeout=CALL_SECONDS)
            yield found
            if len(found) < self._page:
                return
            page = page.start_after(found[-1])


async def _commit(batch: Batch) -> None:
    with translated("give a file back"):
        await batch.commit(retry=RETRY, timeout=CALL_SECONDS)


async def _count(query: AsyncQuery) -> int:
    count: Any = query.count()  # a decorator hides its types
    with translated("count what was sent"):
        counts = await count.get(retry=RETRY, timeout=CALL_SECONDS)
    return int(counts[0][0].value)
