"""What is kept of a person is found, wherever it lies, in the real Firestore."""

from shared.adapters.firestore import paths
from shared.adapters.firestore.belongings import FirestoreBelongings
from shared.models.chat_key import ChatKey
from tests.shared.takeouts import Depot, said, somebody
from tests.shared.values import NOW


async def test_chats_are_found_with_every_agent_in_every_topic_and_under_ids_of_before(depot: Depot) -> None:
    ann, bob = somebody("Ann"), somebody("Bob")
    mine = [ChatKey(agent="lull", chat_id=ann.id), ChatKey(agent="moss", chat_id=ann.id, topic_id=4)]
    old, new = ChatKey(agent="lull", chat_id=-ann.id), ChatKey(agent="lull", chat_id=-ann.id - 10**12)
    topic = ChatKey(agent="lull", chat_id=new.chat_id, topic_id=9)
    for number, key in enumerate((*mine, old, new, topic, ChatKey(agent="lull", chat_id=bob.id))):
        moved = {"moved_from": old.chat_id} if key == new else {}
        await depot.talk(key, [said(ann, "hello", 1)], f"conv-{ann.id}-{number}", **moved)
    await depot.saw(new, ann)
    belongings = FirestoreBelongings(depot.client)
    chats = await belongings.chats(ann.id)
    assert {chat.ids[0] for chat in chats} == {key.id for key in (*mine, new, topic)}
    assert {chat.ids[0] for chat in chats if chat.is_private} == {key.id for key in mine}
    found = await belongings.conversations(chats)
    assert [one.id for one in found] == [f"conv-{ann.id}-{number}" for number in range(5)], "the old id's, too"


async def test_of_what_is_remembered_of_chats_and_of_all_it_is_what_comes_from_their_words(depot: Depot) -> None:
    ann = somebody("Ann")
    group = ChatKey(agent="lull", chat_id=-ann.id)
    await depot.talk(group, [said(ann, "hello", 1)])
    await depot.saw(group, ann)
    memory = {"id": "m", "text": "tea at five", "scope": "chat", "made_at": NOW, "changed_at": NOW}
    kept = {
        "a": memory | {"source": {"place": "p", "person": ann.id}},
        "b": memory | {"source": {"place": "p", "person": 1}, "text": "of another"},
    }
    await depot.keep(f"chats/{group.id}/memories/current", {"memories": kept})
    belongings = FirestoreBelongings(depot.client)
    found = [one async for one in belongings.memories(ann.id, await belongings.chats(ann.id))]
    assert [(one["text"], one["agent"]) for one in found] == [("tea at five", "lull")]


async def test_what_waits_for_its_page_is_part_of_a_transcript(depot: Depot) -> None:
    ann = somebody("Ann")
    key = ChatKey(agent="lull", chat_id=ann.id)
    waiting = tuple(said(ann, f"word {n}", n, seq=n) for n in (2, 3))
    conversation = await depot.talk(key, [said(ann, "word 1", 1), said(ann, "word 2", 2)], unpaged=waiting)
    found = [one async for one in FirestoreBelongings(depot.client).entries(conversation)]
    assert [getattr(one, "text", "") for one in found] == ["word 1", "word 2", "word 3"]


async def test_what_is_not_there_is_nothing(depot: Depot) -> None:
    ann, belongings = somebody("Ann"), FirestoreBelongings(depot.client)
    assert await belongings.chats(ann.id) == []
    assert await belongings.profile(ann.id) == {}
    assert [one async for one in belongings.files(ann.id)] == []
    assert [one async for one in belongings.entries("conv-none")] == []
    assert paths.takeout_path("x") == "takeouts/x"
