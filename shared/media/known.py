"""Descriptions that an agent can use without asking a model: first curated files, then the edits of the agent's owner,
then stored descriptions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from shared.values.curated import ByName, curated_of
from shared.values.media import Description, DescriptionOutcome, MediaRef
from shared.values.reference import FileReference

if TYPE_CHECKING:
    from shared.media.store.curations import FirestoreCurations
    from shared.media.store.descriptions import FirestoreDescriptions
    from shared.media.store.media import FirestoreMedia


@dataclass(frozen=True, kw_only=True)
class KnownMedia:
    """The descriptions that one agent can use: of files that people send, and of the agent's own stickers.

    Nobody sends the agent its own stickers, so the agent itself requests their descriptions through `requests`. If
    `requests` is None, no model describes files, and nothing is requested.
    """

    agent: str
    curated: ByName
    kept: FirestoreDescriptions
    requests: FirestoreMedia | None
    clock: Callable[[], datetime]
    #: the descriptions that the agent's owner wrote in the console; None if there are none
    edits: FirestoreCurations | None = None

    async def of_files(self, refs: Collection[MediaRef]) -> Mapping[str, Description]:
        """Map the files' unique ids to their final descriptions. Raises StoreUnavailable or StoreRefused."""
        written = await self._curated_descriptions(refs)
        others = [ref.unique_id for ref in refs if ref.unique_id not in written]
        return {**await self.kept.of_files(others), **written}

    async def of_stickers(self, stickers: Collection[MediaRef]) -> Mapping[str, Description]:
        """Map unique ids of stickers to descriptions. Request missing ones. Raises StoreUnavailable or StoreRefused."""
        written = await self._curated_descriptions(stickers)
        others = {ref.unique_id: ref for ref in stickers if ref.unique_id and ref.unique_id not in written}
        kept, unknown = await self.kept.of_stickers(others)
        if unknown and self.requests is not None:
            await self.requests.leave([self._own_reference(others[one]) for one in unknown])
        found = {**kept, **written}
        return {name: one for name, one in found.items() if one.outcome is DescriptionOutcome.DESCRIBED and one.shows}

    async def _curated_descriptions(self, refs: Collection[MediaRef]) -> dict[str, Description]:
        """Return the descriptions in curated files and, for other files, the edits of the agent's owner."""
        found = {ref.unique_id: curated_of(ref, self.curated) for ref in refs if ref.unique_id}
        written = {name: one for name, one in found.items() if one is not None}
        if self.edits is None or len(written) == len(found):
            return written
        edits = await self.edits.of_agent(self.agent)
        return {name: edits[name].as_description for name in found if name in edits} | written

    def _own_reference(self, ref: MediaRef) -> FileReference:
        """Return the reference to one of the agent's own stickers, which no person sent."""
        now = self.clock()
        return FileReference(ref=ref, agent=self.agent, at=now, try_at=now)
