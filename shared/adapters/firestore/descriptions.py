"""What Firestore keeps of what stickers show, kept in the instance, too: a prompt lists them with every plan."""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.adapters.firestore import paths
from shared.adapters.firestore.calls import CALL_SECONDS, RETRY, translated

#: what is not described yet may be so later; what is described stays as it is
ASKED_AGAIN_AFTER = timedelta(hours=1)
#: an agent lists no more stickers; the same number is asked for at once
MOST = 200


class FirestoreDescriptions:
    """The descriptions of media, by unique id."""

    def __init__(self, client: AsyncClient, clock: Callable[[], datetime]) -> None:
        """`client` belongs to the running loop."""
        self.client, self._clock = client, clock
        self._found: dict[str, str] = {}
        self._asked: dict[str, datetime] = {}

    async def descriptions(self, unique_ids: Collection[str]) -> Mapping[str, str]:
        """Those of them that are described; each is read once, and one that is not described every hour."""
        now, wanted = self._clock(), tuple(dict.fromkeys(unique_ids))[:MOST]
        unknown = [one for one in wanted if one not in self._found and self._is_due(one, now)]
        if unknown:
            await self._read(unknown, now)
        return {one: self._found[one] for one in wanted if one in self._found}

    def _is_due(self, unique_id: str, now: datetime) -> bool:
        asked = self._asked.get(unique_id)
        return asked is None or now >= asked + ASKED_AGAIN_AFTER

    async def _read(self, unique_ids: Collection[str], now: datetime) -> None:
        documents = [self.client.document(paths.media_path(one)) for one in unique_ids]
        with translated("read what stickers show"):
            found = self.client.get_all(documents, ["description"], retry=RETRY, timeout=CALL_SECONDS)
            read = {one.id: (one.to_dict() or {}).get("description") async for one in found}
        self._asked.update(dict.fromkeys(unique_ids, now))
        self._found.update({name: text for name, text in read.items() if isinstance(text, str) and text})
