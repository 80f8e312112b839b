"""What lull knows of the files that a measure had sent: from the transcripts of their chats, and from what it keeps."""

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
    """What is known of the files of some messages."""

    #: each message's file, as its transcript has it
    refs: Mapping[Place, MediaRef]
    kept: Mapping[str, StoredMedia]
    #: by unique id, in seconds since 1970: when what is kept of a file was last written
    kept_at: Mapping[str, float]
    #: the messages of which their chat has no last word on their file
    untold: tuple[Place, ...]
    #: how often a chat was told of a file once more than it needed to be
    told_again: int

    @property
    def files(self) -> frozenset[str]:
        """The files by their unique ids."""
        return frozenset(ref.unique_id for ref in self.refs.values())

    def shows(self, unique_id: str) -> str:
        """What a file shows; empty: that is not kept."""
        kept = self.kept.get(unique_id)
        return kept.description.shows if kept and kept.description else ""

    def sent_in(self, unique_id: str) -> Iterator[Place]:
        """The messages that a file came with."""
        return (place for place, ref in self.refs.items() if ref.unique_id == unique_id)


async def known_of(firestore: AsyncClient, places: Collection[Place]) -> Known:
    """What is known of the files of these messages; each has one."""
    transcripts = await census.transcripts(firestore)
    messages = {(chat, e.message_id): e for chat, es in transcripts.items() for e in es if isinstance(e, Message)}
    refs = {place: ref for place in places if place in messages for ref in messages[place].media_refs}
    names = {ref.unique_id for ref in refs.values()}
    found = [await firestore.document(paths.media_path(name)).get() for name in names]
    told = [one for chat, entries in transcripts.items() for one in _told(chat, entries) if one in set(places)]
    return Known(
        refs=refs,
        kept={one.id: StoredMedia.model_validate(one.to_dict()) for one in found if one.exists},
        kept_at={one.id: _seconds(one.update_time) for one in found if one.exists},
        untold=tuple(place for place in places if place not in told),
        told_again=sum(count - 1 for count in Counter(told).values()),
    )


def _told(chat: int, entries: Iterable[AnyEntry]) -> Iterator[Place]:
    """The messages of which a transcript tells what came of their file, once for each time that it does."""
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
