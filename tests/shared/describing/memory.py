"""What is kept of files, in memory, for sources that only look."""

from dataclasses import dataclass, field
from typing import Any

from shared.models.kept_media import KeptMedia


@dataclass
class MemoryMedia:
    """The part of the store that a source reads."""

    kept: dict[str, KeptMedia] = field(default_factory=dict)

    async def find(self, unique_id: str) -> KeptMedia | None:
        return self.kept.get(unique_id)

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"nobody asks for {name} here")
