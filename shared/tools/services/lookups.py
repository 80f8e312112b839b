"""A cache for the answers of web services, in Firestore."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.base.errors import StoreError, ToolFailed
from shared.base.logs import log
from shared.chat.store import layout, paths
from shared.chat.store.calls import translate_errors
from shared.tools.services.fetching import Fetcher

#: the maximum seconds for reading or writing the cache, which is to save time
KEEPING_S: Final = 1.0


@dataclass(frozen=True, kw_only=True)
class LookupResult:
    """The answer of a service, fresh or cached."""

    text: str
    at: datetime

    def age(self, now: datetime) -> timedelta:
        """Return the time since the service gave the answer."""
        return now - self.at


class CachedLookups:
    """Requests web services, and caches their answers. The URLs are made by lull's code, never by a model or a page.

    If Firestore fails, the service is called each time.
    """

    def __init__(self, client: AsyncClient, fetcher: Fetcher, clock: Callable[[], datetime]) -> None:
        """`client` must belong to the running loop."""
        self._client, self._fetcher, self._clock = client, fetcher, clock

    async def get(self, url: str, fresh: timedelta, usable: timedelta) -> LookupResult:
        """Return the answer at a URL: from the cache if it is not older than `fresh`, else from the service.

        If the service fails, return a cached answer that is not older than `usable`, or else raise ToolFailed.
        """
        now = self._clock()
        kept = await self._read_cache(url)
        if kept and kept.age(now) <= fresh:
            return kept
        try:
            found = LookupResult(text=await self._fetcher.text(url), at=now)
        except ToolFailed:
            if kept and kept.age(now) <= usable:
                return kept
            raise
        await self._write_cache(url, found, until=now + max(fresh, usable))
        return found

    async def _read_cache(self, url: str) -> LookupResult | None:
        try:
            with translate_errors("look up what a service said"):
                document = await self._client.document(paths.lookup_path(url)).get(retry=None, timeout=KEEPING_S)
        except StoreError as failure:
            log(str(failure), logging.WARNING, failure)
            return None
        found = document.to_dict()
        return LookupResult(text=found["text"], at=found["at"]) if found else None

    async def _write_cache(self, url: str, found: LookupResult, until: datetime) -> None:
        document = {"text": found.text, "at": found.at, layout.EXPIRES: until}
        try:
            with translate_errors("keep what a service said"):
                await self._client.document(paths.lookup_path(url)).set(document, retry=None, timeout=KEEPING_S)
        except StoreError as failure:
            log(str(failure), logging.WARNING, failure)
