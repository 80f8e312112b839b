"""The conversations of a chat, in the real Firestore."""

from datetime import timedelta

from shared.chat.store.chats import FirestoreChats
from shared.chat.store.conversations import FirestoreConversations, encode_conversation, told_by
from shared.chat.store.paths import conversation_path
from shared.values.chat import Chat, CurrentConversation, SupergroupMigration
from shared.values.chat_key import ChatKey
from tests.shared.examples import ANN, BOB, NOW, said


async def test_those_of_one_chat_are_listed_by_their_dates(chats: FirestoreChats, key: ChatKey) -> None:
    kept = FirestoreConversations(chats.client)
    before = ChatKey(agent=key.agent, chat_id=key.chat_id + 10**9)
    for number, of in enumerate((key, key, before, ChatKey(agent=key.agent, chat_id=key.chat_id + 2 * 10**9))):
        chat = Chat(
            key=of,
            conversation=f"conv-{key.chat_id}-{number}",
            talk=CurrentConversation(seq=3, turn=2, model="big"),
            moves=SupergroupMigration(moved_seq=1),
        )
        document = encode_conversation(chat, NOW + timedelta(days=number)) | told_by((said(f"words {number}", seq=1),))
        await chats.client.document(conversation_path(chat.conversation)).set(document, merge=True)
    found = await kept.page((key.id, before.id), 0, 9)
    assert [one.opening for one in found] == ["words 2", "words 1", "words 0"]
    assert [one.opening for one in await kept.page((key.id,), 1, 1)] == ["words 0"]
    assert [await kept.count(ids) for ids in ((key.id, before.id), (key.id,), ("nobody",))] == [3, 2, 0]
    one = await kept.find(f"conv-{key.chat_id}-1")
    assert one == found[1]
    assert (found[1].entries, found[1].moved_seq, found[1].turns, found[1].model) == (3, 1, 2, "big")
    assert await kept.find("conv-none") is None


async def test_first_words_stay_and_nobody_is_named(chats: FirestoreChats, key: ChatKey) -> None:
    chat = Chat(key=key, conversation=f"conv-{key.chat_id}-people")
    place = chats.client.document(conversation_path(chat.conversation))
    await place.set(encode_conversation(chat, NOW) | told_by((said("tea?", seq=1, author=ANN),)), merge=True)
    await place.set(encode_conversation(chat, NOW) | told_by((said("no", seq=2, author=BOB),)), merge=True)
    await place.set(encode_conversation(chat, NOW), merge=True)
    document = (await place.get()).to_dict() or {}
    assert document["opening"] == "tea?"
    assert not document.keys() & {"people", "participants"}, "they would grow with the group"


async def test_one_that_only_a_newer_lull_knows_is_left_out(chats: FirestoreChats, key: ChatKey) -> None:
    kept, names = FirestoreConversations(chats.client), [f"conv-{key.chat_id}-odd{n}" for n in range(2)]
    for name in names:
        document = encode_conversation(Chat(key=key, conversation=name, talk=CurrentConversation(seq=1, turn=1)), NOW)
        await chats.client.document(conversation_path(name)).set(document)
    await chats.client.document(conversation_path(names[0])).update({"entries": "many"})
    assert [one.id for one in await kept.page((key.id,), 0, 9)] == [names[1]]
    assert await kept.find(names[0]) is None
