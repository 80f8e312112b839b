"""What whoever runs lull may ask Firestore of media: counts, and files that were given up."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.async_query import AsyncQuery

from shared.adapters.firestore import paths
from shared.adapters.firestore.calls import CALL_SECONDS, RETRY, translated
from shared.adapters.firestore.media import MOST_REFERENCES, decode_media, encode_media, references_in
from shared.adapters.firestore.queries import MEDIA_OF_OUTCOME, OPEN_OF_FILE, OPEN_REFERENCES
from shared.adapters.firestore.writes import Batch, Mode, Write
from shared.models.kept_media import KeptMedia
from shared.models.media import Outcome
from shared.ports.media import MediaCounts


class FirestoreMediaUpkeep:
    """One client per instance, made inside the running loop."""

    def __init__(self, project: str) -> None:
        """Open the client; the emulator's address is the official client's own setting."""
        self.client = AsyncClient(project=project)

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
        """Have the next sweep's run try a file as if it had never been tried; its senders' chats are told anew."""
        fresh = {"description": None, "tries": 0, "claimed_until": None, "next_try_at": None, "updated_at": now}
        batch = Batch(self.client)
        again = encode_media(media.model_copy(update=fresh))
        batch.add(Write(path=paths.media_path(media.unique_id), document=again, mode=Mode.UPDATE))
        query = OPEN_OF_FILE.on(self.client, media.unique_id, False).limit(MOST_REFERENCES)
        with translated("give a file back"):
            for one in references_in(await query.get(retry=RETRY, timeout=CALL_SECONDS)):
                opened = {"is_open": True, "is_awaited": False, "try_at": now}
                batch.add(Write(path=paths.reference_path(one.id), document=opened, mode=Mode.UPDATE))
            await batch.commit(retry=RETRY, timeout=CALL_SECONDS)


async def _count(query: AsyncQuery) -> int:
    count: Any = query.count()  # a decorator hides its types
    with translated("count what was sent"):
        counts = await count.get(retry=RETRY, timeout=CALL_SECONDS)
    return int(counts[0][0].value)
