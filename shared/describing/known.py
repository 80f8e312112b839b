"""What an agent knows of files without asking anybody: what somebody wrote of them, then what Firestore keeps."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from shared.models.curated import ByName, curated_of
from shared.models.media import Description, MediaRef, Outcome
from shared.ports.media import KeptDescriptions


@dataclass(frozen=True)
class KnownMedia:
    """The descriptions that one agent has at hand, of what people send and of its own stickers."""

    curated: ByName
    kept: KeptDescriptions

    async def known(self, refs: Collection[MediaRef]) -> Mapping[str, Description]:
        """By unique id, what came of describing files, for good. Raises StoreUnavailable or StoreRefused."""
        written = self._written(refs)
        return {**await self.kept.known(_others(refs, written)), **written}

    async def descriptions(self, stickers: Collection[MediaRef]) -> Mapping[str, str]:
        """By unique id, what stickers show. Raises StoreUnavailable or StoreRefused."""
        written = self._written(stickers)
        found = {**await self.kept.of_stickers(_others(stickers, written)), **written}
        return {name: one.shows for name, one in found.items() if one.outcome is Outcome.DESCRIBED and one.shows}

    def _written(self, refs: Collection[MediaRef]) -> dict[str, Description]:
        found = {ref.unique_id: curated_of(ref, self.curated) for ref in refs if ref.unique_id}
        return {name: one for name, one in found.items() if one is not None}


def _others(refs: Collection[MediaRef], known: Collection[str]) -> list[str]:
    return [ref.unique_id for ref in refs if ref.unique_id and ref.unique_id not in known]
