"""The data that lull stored about the files that a measure sent, as read from transcripts and from the files'
documents.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from google.cloud.firestore_v1.async_client import AsyncClient

from benchmarks import census
from shared.chat.store import paths
from shared.values.media import Description, MediaRef
from shared.values.message import AnyEntry, MediaDescribed, Message
from shared.values.stored_media import StoredMedia

#: Telegram's id of a chat, and the id of a message in that chat
Place = tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class Known:
    """The stored data about the files of some messages."""

    #: the file of each message, as the transcript contains it
    refs: Mapping[Place, MediaRef]
    kept: Mapping[str, StoredMedia]
    #: when each file's document was last written, in seconds since 1970, by the file's unique id
    kept_at: Mapping[str, float]
    #: messages whose chat was not told a final result for the message's file
    untold: tuple[Place, ...]
    #: how often a chat was told a final result for a file again
    told_again: int

    @property
    def files(self) -> frozenset[str]:
        """The unique ids of the files."""
        return frozenset(ref.unique_id for ref in self.refs.values())

    def shows(self, unique_id: str) -> str:
        """Return the description of a file; empty if none is stored."""
        kept = self.kept.get(unique_id)
        return kept.description.shows if kept and kept.description else ""

    def sent_in(self, unique_id: str) -> Iterator[Place]:
        """Yield the messages that have this file."""
        return (place for place, ref in self.refs.items() if ref.unique_id == unique_id)


async def known_of(firestore: AsyncClient, places: Collection[Place]) -> Known:
    """Return the stored data about the files of these messages. Each message must have one file."""
    transcripts = await census.transcripts(firestore)
    messages = {(chat, e.message_id): e for chat, es in transcripts.items() for e in es if isinstance(e, Message)}
    refs = {place: ref for place in places if place in messages for ref in messages[place].media_refs}
    names = {ref.unique_id for ref in refs.values()}
    found = [await firestore.document(paths.media_path(name)).get() for name in names]
    told = [one for chat, entries in transcripts.items() for one in _told_places(chat, entries) if one in set(places)]
    return Known(
        refs=refs,
        kept={one.id: StoredMedia.model_validate(one.to_dict()) for one in found if one.exists},
        kept_at={one.id: _seconds(one.update_time) for one in found if one.exists},
        untold=tuple(place for place in places if place not in told),
        told_again=sum(count - 1 for count in Counter(told).values()),
    )


def _told_places(chat: int, entries: Iterable[AnyEntry]) -> Iterator[Place]:
    """Yield the messages of a transcript for whose file a final result was told, once for each time that it was
    told.
    """
    for entry in entries:
        if isinstance(entry, Message) and entry.media_refs and all(_is_final(r.description) for r in entry.media_refs):
            yield chat, entry.message_id
        if isinstance(entry, MediaDescribed) and _is_final(entry.description):
            yield from ((chat, one) for one in entry.message_ids)


def _is_final(description: Description | None) -> bool:
    return description is not None and description.outcome.is_final


def _seconds(at: datetime | None) -> float:
    assert at is not None
    return at.timestamp()
