"""The ports of media: where files' bytes are, and who finds out what they show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from shared.values.kept_media import KeptMedia, StoredPart
    from shared.values.media import Description, MediaRef, Outcome
    from shared.values.prepared import Prepared
    from shared.values.reference import Reference


class MediaSource(Protocol):
    """One of the places that a description may come from."""

    async def describe(self, reference: Reference) -> Description | None:
        """What it knows of a file; none: it knows nothing, and the next one is asked.

        Raises StoreUnavailable, StoreRefused, or Contended while another run describes the file.
        """


class MediaFiles(Protocol):
    """The bytes of what people sent. Every failure is told in words that may go to a model."""

    async def shown(self, ref: MediaRef) -> Prepared | None:
        """What a model is shown of a file: decoded, bounded, without metadata; none if it cannot be had now.

        Never raises: what a plan can do without does not fail it.
        """


class Blobs(Protocol):
    """Where decoded parts are stored. Raises BlobsUnavailable."""

    async def put(self, part: StoredPart, content: bytes) -> None:
        """Store a part, once: one of that name stays as it is."""

    async def get(self, part: StoredPart) -> bytes | None:
        """The bytes of a part; none: they are there no more."""


@dataclass(frozen=True, kw_only=True)
class MediaSnapshot:
    """What is kept of a file as this run wrote it, and the version that its next write must still find."""

    media: KeptMedia
    version: object


@dataclass(frozen=True, kw_only=True)
class MediaCounts:
    """How many files there are by what came of describing them, and how many references whose chats are not told."""

    by_outcome: Mapping[Outcome, int]
    open_references: int
