"""The knowledge of a measure's files is read from transcripts and stored files."""

from dataclasses import asdict
from datetime import UTC, datetime

from google.cloud.firestore_v1.async_client import AsyncClient

from benchmarks.known import known_of
from shared.chat.store.paths import media_path
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.media import Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.message import AnyEntry, Author, MediaDescribed, Message
from shared.values.stored_media import StoredMedia

ANN = Author(id=7, name="Ann")
AT = datetime(2026, 1, 1, tzinfo=UTC)
SEEN = Description(outcome=DescriptionOutcome.DESCRIBED, shows="a tree", source="a-model")
NOT_YET = Description(outcome=DescriptionOutcome.TEMPORARY_FAILURE, why="not known yet")
CHAT = -79


def photo(message_id: int, name: str, description: Description | None = None) -> Message:
    ref = MediaRef(kind=MediaKind.PHOTO, file_id=f"f-{name}", unique_id=name, description=description)
    return Message(at=AT, author=ANN, message_id=message_id, media="a photo", media_refs=(ref,))


def told(message_id: int, name: str, description: Description) -> MediaDescribed:
    return MediaDescribed(
        at=AT, message_ids=(message_id,), kind=MediaKind.PHOTO, unique_id=name, description=description
    )


async def test_each_file_is_known_with_what_its_chats_were_told(firestore: AsyncClient) -> None:
    entries: list[AnyEntry] = [
        photo(1, "known-once", SEEN),
        photo(2, "known-later"),
        photo(3, "known-twice"),
        photo(4, "unknown"),
        told(2, "known-later", SEEN),
        told(3, "known-twice", SEEN),
        told(3, "known-twice", SEEN),
        told(4, "unknown", NOT_YET),
    ]
    places = [(CHAT, number) for number in (1, 2, 3, 4)]
    await keep(firestore, entries)
    known = await known_of(firestore, places)
    assert known.files == {"known-once", "known-later", "known-twice", "unknown"}
    assert (known.untold, known.told_again) == (((CHAT, 4),), 1)
    assert [known.shows(name) for name in ("known-once", "unknown")] == ["a tree", ""]
    assert list(known.sent_in("known-later")) == [(CHAT, 2)]
    assert known.kept_at.keys() == {"known-once"}


async def keep(firestore: AsyncClient, entries: list[AnyEntry]) -> None:
    key = asdict(ChatKey(agent="lull", chat_id=CHAT))
    await firestore.document("chats/known").set({"conversation": "conv-known", "key": key})
    page = firestore.document("conversations/conv-known/messages/0000000001")
    stored = [evolve(entry, seq=n).model_dump() for n, entry in enumerate(entries, 1)]
    await page.set({"first_seq": 1, "entries": stored})
    kept = StoredMedia(unique_id="known-once", kind=MediaKind.PHOTO, description=SEEN, updated_at=AT)
    await firestore.document(media_path("known-once")).set(kept.model_dump())
