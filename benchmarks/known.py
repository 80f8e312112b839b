"""lull's knowledge of the files that a measure sent, read from transcripts and from stored files."""

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

#: Telegram's id of a chat, and a message's number there
Place = tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class Known:
    """The knowledge of the files of some messages."""

    #: each message's file as in its transcript
    refs: Mapping[Place, MediaRef]
    kept: Mapping[str, StoredMedia]
    #: when a file's document was last written, in seconds since 1970, by unique id
    kept_at: Mapping[str, float]
    #: messages whose chats have no final result for their file
    untold: tuple[Place, ...]
    #: how often a chat was told about a file more than once
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
        """Yield the messages with a file."""
        return (place for place, ref in self.refs.items() if ref.unique_id == unique_id)


async def known_of(firestore: AsyncClient, places: Collection[Place]) -> Known:
    """Return the knowledge of the files of these messages, each of which has one file."""
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
    """Yield a transcript's messages with a final result for their file, once for each time that it is reported."""
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
