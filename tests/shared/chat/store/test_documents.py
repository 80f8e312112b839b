"""Documents of any kind, in the real Firestore."""

from google.cloud.firestore_v1.vector import Vector as FirestoreVector

from shared.chat.store import transcripts as module
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.transcripts import FirestoreDocuments
from shared.values.chat_key import ChatKey
from shared.values.transcript import StoredDocument, Vector
from tests.shared.examples import NOW


async def test_every_document_of_a_kind_is_found_also_below_one_that_is_not_there(
    chats: FirestoreChats, key: ChatKey
) -> None:
    here, name = FirestoreDocuments(chats.client), f"x{key.chat_id}"
    number = module.DOCUMENTS_AT_ONCE + 5
    batch = chats.client.batch()
    for n in range(number):
        batch.set(chats.client.document(f"people/{name}-{n:04d}/memories/lull"), {"n": n})
    batch.set(chats.client.document(f"bots/{name}/memories/current"), {"at": NOW, "vector": FirestoreVector([1.0])})
    await batch.commit()
    kinds = ("people/memories", "bots/memories", "people")
    found = {one.path: one.fields async for one in here.of(kinds) if name in one.path}
    assert len(found) == number + 1
    assert found[f"bots/{name}/memories/current"] == {"at": NOW, "vector": Vector([1.0])}
    assert [one async for one in here.of(["people/memories"]) if one.path.startswith("bots/")] == []


async def test_nothing_is_written_over_and_what_lacks_is_added(chats: FirestoreChats, key: ChatKey) -> None:
    here, path = FirestoreDocuments(chats.client), f"bots/y{key.chat_id}"
    assert await here.add(StoredDocument(path, {"owner": 7, "vector": Vector([1.0])}))
    assert not await here.add(StoredDocument(path, {"owner": 8}))
    assert await here.complete(StoredDocument(path, {"owner": 8, "people": {"9": {}}}))
    assert not await here.complete(StoredDocument(path, {"owner": 8}))
    kept = (await chats.client.document(path).get()).to_dict() or {}
    assert (kept["owner"], kept["people"], list(kept["vector"])) == (7, {"9": {}}, [1.0])
