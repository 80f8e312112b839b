"""The ports of media: what is known of what files show, where their bytes are, who finds out, and who makes some."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from shared.models.chat_key import ChatKey
    from shared.models.kept_media import KeptMedia, StoredPart
    from shared.models.media import Description, MediaRef
    from shared.models.outgoing import MadeFile, WantedFile
    from shared.models.prepared import PreparedPart
    from shared.models.reference import Reference
    from shared.models.update import InboxUpdate


class Descriptions(Protocol):
    """What is known of files without asking anybody. Raises StoreUnavailable or StoreRefused."""

    async def known(self, refs: Collection[MediaRef]) -> Mapping[str, Description]:
        """By unique id, what came of describing them, for good; of a file that may still be described, nothing."""


class MediaSource(Protocol):
    """One of the places that a description may come from."""

    async def describe(self, reference: Reference) -> Description | None:
        """What it knows of a file; none: it knows nothing, and the next one is asked.

        Raises StoreUnavailable or StoreRefused.
        """


class MediaFiles(Protocol):
    """The bytes of what people sent. Every failure is told in words that may go to a model."""

    async def shown(self, ref: MediaRef) -> Sequence[PreparedPart]:
        """What a model is shown of a file: decoded, bounded, without metadata; empty if it cannot be had now.

        Never raises: what a plan can do without does not fail it.
        """


class Blobs(Protocol):
    """Where decoded parts are stored. Raises BlobsUnavailable."""

    async def put(self, part: StoredPart, content: bytes) -> None:
        """Store a part, once: one of that name stays as it is."""

    async def get(self, part: StoredPart) -> bytes | None:
        """The bytes of a part; none: they are there no more."""


class MediaStore(Protocol):
    """What describe_media keeps in Firestore. Raises StoreUnavailable, StoreRefused, or Contended."""

    async def find(self, unique_id: str) -> KeptMedia | None:
        """What is kept of a file."""

    async def claim(self, reference: Reference, now: datetime, until: datetime) -> KeptMedia | None:
        """Take a file to describe it, which counts a try; none: it is described, or another has it."""

    async def keep(self, media: KeptMedia) -> None:
        """Write what is kept of a file that this run has claimed. Raises Contended if the claim is another's by now."""

    async def open_references(self, unique_id: str) -> Sequence[Reference]:
        """Those whose chats are still to be told of a file."""

    async def tell(self, update: InboxUpdate, references: Sequence[Reference]) -> None:
        """Give a chat an update of lull's own, once, and close the references of its file."""

    async def close(self, references: Sequence[Reference]) -> None:
        """Close references that no chat is told of."""

    async def put_off(self, references: Sequence[Reference], until: datetime) -> None:
        """Have the schedule look after references no sooner than at a moment."""

    async def left_over(self, now: datetime, limit: int) -> Sequence[Reference]:
        """Open references that nobody looked after in time, the oldest first."""


class Maker(Protocol):
    """What makes voice notes and pictures for one agent. A failure of any kind is told in `problem`."""

    async def make(self, key: str, wanted: WantedFile, chat: ChatKey) -> MadeFile:
        """What came of making something for a chat; it is held under a key of the task's, for a while."""

    def made(self, key: str) -> MadeFile | None:
        """What is held under a key; nothing is made."""
