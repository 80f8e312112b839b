"""What Firestore keeps of what files show, for whoever plans; of stickers it is kept in the instance, too."""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.chat.store import paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translated
from shared.media.store.media import decode_media
from shared.values.media import Description, DescriptionOutcome

#: what is not described, or could not be, may be so later; what is described stays as it is
ASKED_AGAIN_AFTER = timedelta(hours=1)
#: an agent lists no more stickers, and no messages come with more files at once; so many are asked for at once
MOST = 200


class FirestoreDescriptions:
    """The descriptions of media, by unique id. Raises StoreUnavailable or StoreRefused."""

    def __init__(self, client: AsyncClient, clock: Callable[[], datetime]) -> None:
        """`client` belongs to the running loop."""
        self.client, self._clock = client, clock
        self._found: dict[str, Description] = {}
        self._asked: dict[str, datetime] = {}

    async def of_files(self, unique_ids: Collection[str]) -> Mapping[str, Description]:
        """What came of describing files, for good; of those that may still be described, nothing."""
        wanted = tuple(dict.fromkeys(one for one in unique_ids if one))[:MOST]
        return (await self._read(wanted))[0] if wanted else {}

    async def of_stickers(self, unique_ids: Collection[str]) -> tuple[Mapping[str, Description], Collection[str]]:
        """The same; one that is described is read once, any other every hour: every prompt lists them.

        Behind it those that were read and of which nothing is kept.
        """
        now, wanted = self._clock(), tuple(dict.fromkeys(one for one in unique_ids if one))[:MOST]
        unknown = [one for one in wanted if self._is_due(one, now)]
        missing: Collection[str] = ()
        if unknown:
            found, missing = await self._read(unknown)
            for one in unknown:  # a failure may have been taken back since
                self._found.pop(one, None)
            self._found.update(found)
            self._asked.update(dict.fromkeys(unknown, now))
        return {one: self._found[one] for one in wanted if one in self._found}, missing

    def _is_due(self, unique_id: str, now: datetime) -> bool:
        found, asked = self._found.get(unique_id), self._asked.get(unique_id)
        if found is not None and found.outcome is DescriptionOutcome.DESCRIBED:
            return False
        return asked is None or now >= asked + ASKED_AGAIN_AFTER

    async def _read(self, unique_ids: Collection[str]) -> tuple[dict[str, Description], Collection[str]]:
        """What came of describing files, for good, and those of which nothing is kept."""
        documents = [self.client.document(paths.media_path(one)) for one in unique_ids]
        with translated("read what files show"):
            found = self.client.get_all(documents, retry=RETRY, timeout=CALL_SECONDS)
            kept = {one.id: decode_media(one.to_dict()) async for one in found}
        told = {name: one.description for name, one in kept.items() if one is not None}
        missing = [name for name, one in kept.items() if one is None]
        return {name: one for name, one in told.items() if one is not None and one.outcome.is_final}, missing
