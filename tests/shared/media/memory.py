"""A media store in memory, for sources that only read."""

from dataclasses import dataclass, field

from shared.media.store.media import FirestoreMedia
from shared.values.stored_media import StoredMedia


@dataclass
class MemoryMedia(FirestoreMedia):
    """The part of the store that a source of descriptions reads."""

    kept: dict[str, StoredMedia] = field(default_factory=dict)

    async def find(self, unique_id: str) -> StoredMedia | None:
        return self.kept.get(unique_id)
