"""References in Firestore: who sent which file where."""

from datetime import timedelta

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.chat.store.paths import reference_path
from shared.chat.store.writes import CommitContext, WriteBatch
from shared.media.store.media import SentFile, decode_reference, encode_reference
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.media import MediaKind, MediaRef
from shared.values.reference import FileReference
from tests.shared.examples import NOW

CAT = MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id="cat")


def sent(key: ChatKey, *message_ids: int, is_open: bool = True) -> FileReference:
    return FileReference(
        ref=CAT,
        agent=key.agent,
        chat=key.id,
        person=1,
        message_ids=message_ids,
        at=NOW,
        is_open=is_open,
        try_at=NOW + timedelta(minutes=3),
    )


async def write(client: AsyncClient, key: ChatKey, reference: FileReference) -> FileReference:
    batch = WriteBatch(client)
    for one in SentFile(reference).writes(CommitContext(chat=Chat(key=key), at=NOW)):
        batch.add(one)
    await batch.commit()
    found = await client.document(reference_path(reference.id)).get()
    return decode_reference(found.to_dict() or {})


async def test_whoever_sends_it_again_is_told_of_all_messages(emulator: str, key: ChatKey) -> None:
    client = AsyncClient(project=emulator)
    assert await write(client, key, sent(key, 5)) == sent(key, 5)
    assert (await write(client, key, sent(key, 6))).message_ids == (5, 6)


async def test_a_message_that_waits_is_waited_for_though_the_file_comes_again(emulator: str, key: ChatKey) -> None:
    client = AsyncClient(project=emulator)
    await write(client, key, evolve(sent(key, 5), is_awaited=True))
    assert (await write(client, key, sent(key, 6))).is_awaited


async def test_what_is_known_by_now_leaves_open_who_is_still_to_be_told(emulator: str, key: ChatKey) -> None:
    client = AsyncClient(project=emulator)
    await write(client, key, sent(key, 5))
    found = await write(client, key, sent(key, 6, is_open=False))
    assert (found.is_open, found.message_ids) == (True, (5, 6))


async def test_what_was_known_at_once_is_kept_and_closed(emulator: str, key: ChatKey) -> None:
    found = await write(AsyncClient(project=emulator), key, sent(key, 6, is_open=False))
    assert (found.is_open, found.ref, found.person, found.chat) == (False, CAT, 1, key.id)
    assert found.message_ids == (6,)
    assert decode_reference(encode_reference(sent(key, 6))) == sent(key, 6)
