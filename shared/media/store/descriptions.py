"""Reads descriptions from Firestore for planning, and caches those of stickers in memory."""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.chat.store import paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translate_errors
from shared.media.store.media import decode_media
from shared.values.media import Description, DescriptionOutcome

#: how long a missing or failed description is cached; a successful one never changes
ASKED_AGAIN_AFTER = timedelta(hours=1)
#: the most descriptions read at once; no prompt lists more stickers, and no batch has more files
MOST = 200


class FirestoreDescriptions:
    """The stored descriptions of files, by unique id. Methods may raise StoreUnavailable or StoreRefused."""

    def __init__(self, client: AsyncClient, clock: Callable[[], datetime]) -> None:
        """`client` must have been made inside the running event loop."""
        self.client, self._clock = client, clock
        self._found: dict[str, Description] = {}
        self._asked: dict[str, datetime] = {}

    async def of_files(self, unique_ids: Collection[str]) -> Mapping[str, Description]:
        """Return the final descriptions as a map from unique id. Files without a final description are left out."""
        wanted = tuple(dict.fromkeys(one for one in unique_ids if one))[:MOST]
        return (await self._read(wanted))[0] if wanted else {}

    async def of_stickers(self, unique_ids: Collection[str]) -> tuple[Mapping[str, Description], Collection[str]]:
        """Return the final descriptions, and the ids for which nothing is stored.

        Every prompt lists stickers. So results are cached: successful descriptions for good, anything else for an hour.
        """
        now, wanted = self._clock(), tuple(dict.fromkeys(one for one in unique_ids if one))[:MOST]
        unknown = [one for one in wanted if self._is_due(one, now)]
        missing: Collection[str] = ()
        if unknown:
            found, missing = await self._read(unknown)
            for one in unknown:  # an operator may have reset a failure since
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
        """Return the final descriptions by unique id, and the ids that have no document, or none that can be read."""
        documents = [self.client.document(paths.media_path(one)) for one in unique_ids]
        with translate_errors("read what files show"):
            found = self.client.get_all(documents, retry=RETRY, timeout=CALL_SECONDS)
            kept = {one.id: decode_media(one.to_dict()) async for one in found}
        known = {name: one.description for name, one in kept.items() if one is not None}
        missing = [name for name, one in kept.items() if one is None]
        return {name: one for name, one in known.items() if one is not None and one.outcome.is_final}, missing
