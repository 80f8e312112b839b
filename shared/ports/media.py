"""The ports of media: what is known of what files show, where their bytes are, who finds out, and who makes some."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from shared.models.chat_key import ChatKey
    from shared.models.kept_media import KeptMedia, StoredPart
    from shared.models.media import Description, MediaRef, Outcome
    from shared.models.outgoing import MadeFile, WantedFile
    from shared.models.prepared import Prepared
    from shared.models.reference import Reference
    from shared.models.update import InboxUpdate


class Descriptions(Protocol):
    """What is known of files without asking anybody. Raises StoreUnavailable or StoreRefused."""

    async def known(self, refs: Collection[MediaRef]) -> Mapping[str, Description]:
        """By unique id, what came of describing them, for good; of a file that may still be described, nothing."""


class KeptDescriptions(Protocol):
    """What is kept of what files show, by unique id. Raises StoreUnavailable or StoreRefused."""

    async def known(self, unique_ids: Collection[str]) -> Mapping[str, Description]:
        """What came of describing files, for good; of those that may still be described, nothing."""

    async def of_stickers(self, unique_ids: Collection[str]) -> tuple[Mapping[str, Description], Collection[str]]:
        """The same, of stickers that are asked for again and again: it may be an hour old; and of which of them nothing
        is kept at all, each told once in an hour.
        """


class MediaRequests(Protocol):
    """Where it is left that files are to be described. Raises StoreUnavailable or StoreRefused."""

    async def leave(self, references: Sequence[Reference]) -> None:
        """Leave references, for the sweep to find, that nobody left before."""


class MediaSource(Protocol):
    """One of the places that a description may come from."""

    async def describe(self, reference: Reference) -> Description | None:
        """What it knows of a file; none: it knows nothing, and the next one is asked.

        Raises StoreUnavailable, StoreRefused, or Contended while another run describes the file.
        """


class Downloads(Protocol):
    """What fetches files that people sent, for one agent. Raises a ChannelError, FileTooLarge among others."""

    async def download(self, file_id: str, within_s: float) -> bytes:
        """The bytes of a file; NotDelivered if they take longer than that."""

    async def custom_emoji_file(self, emoji_id: str) -> str:
        """The id by which the file of a custom emoji is downloaded. Raises FileUnknown if there is none."""


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


class MediaStore(Protocol):
    """What describe_media keeps in Firestore. Raises StoreUnavailable, StoreRefused, or Contended."""

    async def find(self, unique_id: str) -> KeptMedia | None:
        """What is kept of a file."""

    async def claim(self, reference: Reference, now: datetime, until: datetime) -> MediaSnapshot:
        """Take a file to describe it, which counts a try.

        Raises Contended if another has it, or if it is described by now, or waits.
        """

    async def keep(self, held: MediaSnapshot, media: KeptMedia) -> MediaSnapshot:
        """Write what is kept of a file that this run has claimed. Raises Contended if the claim is another's by now."""

    async def open_references(self, unique_id: str) -> Sequence[Reference]:
        """Those whose chats are still to be told of a file, some hundreds of them at most."""

    async def tell(self, update: InboxUpdate, references: Sequence[Reference]) -> None:
        """Give a chat an update of lull's own, once, and close the references of its file."""

    async def close(self, references: Sequence[Reference]) -> None:
        """Close references that no chat is told of."""

    async def put_off(self, references: Sequence[Reference], until: datetime) -> None:
        """Have references looked after no sooner than at a moment."""

    async def left_over(self, now: datetime, limit: int) -> Sequence[Reference]:
        """Open references that nobody looked after in time, the oldest first."""


@dataclass(frozen=True, kw_only=True)
class MediaCounts:
    """How many files there are by what came of describing them, and how many references whose chats are not told."""

    by_outcome: Mapping[Outcome, int]
    open_references: int


class MediaUpkeep(Protocol):
    """What whoever runs lull may ask of media. Raises StoreUnavailable or StoreRefused."""

    async def counts(self) -> MediaCounts:
        """How many files there are; counts cost little."""

    async def given_up(self, limit: int) -> Sequence[KeptMedia]:
        """Files that could not be described, however often they were tried."""

    async def give_back(self, media: KeptMedia, now: datetime) -> None:
        """Have a file tried again from the next sweep on, for everybody who sent it."""

    async def of_chat(self, key: ChatKey) -> Sequence[Reference]:
        """What was sent in a chat, the oldest first: by it the files' descriptions and stored parts are found."""

    async def of_person(self, person: int) -> Sequence[Reference]:
        """What a person sent, in all chats of all agents, the oldest first."""


class Maker(Protocol):
    """What makes voice notes and pictures for one agent. A failure of any kind is told in `problem`."""

    async def make(self, key: str, wanted: WantedFile, chat: ChatKey, person: int) -> MadeFile:
        """What came of making something for a chat; it is held under a key of the task's, for a while.

        `person` is who is answered by it, and pays for it; 0: nobody.
        """

    def made(self, key: str) -> MadeFile | None:
        """What is held under a key; nothing is made."""

    def sent(self, key: str) -> None:
        """What is held under a key was sent: it need not be held any longer."""
